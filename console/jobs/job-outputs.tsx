import { useMutation, useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import Download from 'lucide-react/icons/download';
import Link2 from 'lucide-react/icons/link-2';
import Play from 'lucide-react/icons/play';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { nameOf } from '../files/file-list.ts';
import { outputAddress } from '../media/media-address.ts';
import { streamsText } from '../media/stream-text.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatBytes, formatDuration, formatMoment } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import styles from './job-outputs.module.css';
import { OutputPicture } from './output-picture.tsx';
import { shownOutputs } from './shown-outputs.ts';

/** How many outputs are listed at first. HLS has thousands of segments. */
const FEW = 8;

/** The maximum number of listed outputs, which is one page of the API. Programs can read the other pages. */
const MANY = 1000;

/** The outputs of a job. `onShow` shows an output in the player of the page. */
export function JobOutputs({ job, onShow }: { readonly job: Job; readonly onShow: (path: string) => void }) {
  const [isLong, setLong] = useState(false);
  const { outputs: first = [], outputCount: count = first.length } = job;
  const page = useQuery({
    queryKey: ['outputs', job.jobId],
    queryFn: ({ signal }) => client.outputs(job.jobId, { limit: MANY, signal }),
    enabled: isLong && count > first.length,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (count === 0) return null;
  const outputs = page.data?.outputs ?? first;
  const playable = new Set(shownOutputs(job).map(({ path }) => path));
  const ordered = [
    ...outputs.filter(({ path }) => playable.has(path)),
    ...outputs.filter(({ path }) => !playable.has(path)),
  ];
  // Nobody takes the segments of a playlist one by one.
  const hasPlaylist = [...playable].some((path) => /\.(?:m3u8|mpd)$/i.test(path));
  const few = hasPlaylist ? playable.size : FEW;
  const rows = ordered.slice(0, isLong ? MANY : few);
  const bytes = outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const size = outputs.length === count ? `, ${formatBytes(bytes)}` : '';
  const title = count === 1 ? 'Output' : `Outputs (${count}${size})`;
  return (
    <Section title={title}>
      {job.expired && <p>The outputs have expired, and were removed.</p>}
      {job.expiresAt !== undefined && !job.expired && (
        <p className={styles.soft}>They are removed at {formatMoment(job.expiresAt)}.</p>
      )}
      <ul className={styles.outputs}>
        {rows.map((output) => {
          const { path, sizeBytes, durationSeconds, streams = [] } = output;
          const address = job.expired ? undefined : outputAddress(job, path)?.();
          return (
            <li key={path}>
              {playable.size > 1 && <OutputPicture job={job} output={output} />}
              <span className={styles.name}>
                <span className={styles.path}>{path}</span>
                <span className={styles.soft}>
                  {[
                    formatBytes(sizeBytes),
                    durationSeconds !== undefined && formatDuration(durationSeconds),
                    ...streamsText(streams, 2),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              {address !== undefined && (
                <span className={styles.actions}>
                  {playable.size > 1 && playable.has(path) && (
                    <Button variant="quiet" aria-label={`Show ${path}`} onClick={() => onShow(path)}>
                      <Play /> Show
                    </Button>
                  )}
                  <LinkButton jobId={job.jobId} path={path} />
                  <a
                    href={address}
                    download={nameOf(path)}
                    className={buttonClass('quiet')}
                    aria-label={`Download ${path}`}
                  >
                    <Download /> Download
                  </a>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {page.error !== null && <ProblemNotice error={page.error} />}
      {!isLong && count > few && (
        <Button variant="quiet" className={styles.more} onClick={() => setLong(true)}>
          {hasPlaylist && count <= MANY
            ? `Show the ${count - few === 1 ? 'segment' : `${count - few} segments`}`
            : `Show ${count > MANY ? `the first ${MANY}` : `all ${count}`}`}
        </Button>
      )}
    </Section>
  );
}

/** Creates a link that needs no token, and a button that copies it. */
function LinkButton({ jobId, path }: { readonly jobId: string; readonly path: string }) {
  const links = useMutation({ mutationFn: () => client.links(jobId, { path }) });
  const link = links.data?.links.find((one) => one.path === path);
  if (link !== undefined)
    return (
      <span className={styles.link} role="status">
        <CopyButton text={link.url} label="Copy the link" />
        <span className={styles.soft}>open until {formatMoment(links.data?.expiresAt ?? '')}</span>
      </span>
    );
  return (
    <>
      <Button
        variant="quiet"
        aria-label={`Make a link to ${path}`}
        disabled={links.isPending}
        onClick={() => links.mutate()}
      >
        <Link2 /> Make a link
      </Button>
      {links.error !== null && <ProblemNotice error={links.error} />}
    </>
  );
}
