import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import Download from 'lucide-react/icons/download';
import FolderOpen from 'lucide-react/icons/folder-open';
import Link2 from 'lucide-react/icons/link-2';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { folderOf, nameOf } from '../files/file-list.ts';
import { isStored, outputAddress } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { versionsText } from '../media/stream-text.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatBytes, formatDuration, formatMoment } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { Section } from '../ui/section.tsx';
import styles from './job-outputs.module.css';
import { OutputPicture } from './output-picture.tsx';
import { MAX_OUTPUTS, outputsQuery } from './outputs-query.ts';
import { shownOutputs, wholeOutputs } from './shown-outputs.ts';

/** How many outputs are listed at first. HLS has thousands of segments. */
const FEW = 8;

/** The outputs of a job. `onShow` shows an output in the player of the page. */
export function JobOutputs({ job, onShow }: { readonly job: Job; readonly onShow: (path: string) => void }) {
  const [isLong, setLong] = useState(false);
  const { outputs: first = [], outputCount: count = first.length } = job;
  const page = useQuery({ ...outputsQuery(job.jobId), enabled: isLong && count > first.length });
  if (count === 0) return null;
  const outputs = page.data?.outputs ?? first;
  const playable = new Set(shownOutputs(job).map(({ path }) => path));
  // Nobody takes the playlists of the versions and the segments one by one.
  const whole = wholeOutputs(job)?.map(({ path }) => path);
  const shownFirst = new Set(whole ?? playable);
  const ordered = [
    ...outputs.filter(({ path }) => shownFirst.has(path)),
    ...outputs.filter(({ path }) => !shownFirst.has(path)),
  ];
  const few = whole?.length ?? FEW;
  const rows = ordered.slice(0, isLong ? MAX_OUTPUTS : few);
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
        {rows.map((output) => (
          <OutputRow
            key={output.path}
            job={job}
            output={output}
            onShow={playable.size > 1 && playable.has(output.path) ? onShow : undefined}
          />
        ))}
      </ul>
      {page.error !== null && <ProblemNotice error={page.error} />}
      {!isLong && count > few && (
        <Button variant="quiet" className={styles.more} onClick={() => setLong(true)}>
          {whole !== undefined && count <= MAX_OUTPUTS
            ? `Show ${count - few === 1 ? 'the other file' : `the ${count - few} playlists and segments`}`
            : `Show ${count > MAX_OUTPUTS ? `the first ${MAX_OUTPUTS}` : `all ${count}`}`}
        </Button>
      )}
    </Section>
  );
}

type Output = NonNullable<Job['outputs']>[number];

/** An output: its name shows it, and its other actions are at the end of the row. */
function OutputRow({
  job,
  output,
  onShow,
}: {
  readonly job: Job;
  readonly output: Output;
  /** undefined: there is nothing to choose from, or the output cannot be shown. */
  readonly onShow: ((path: string) => void) | undefined;
}) {
  const { path } = output;
  const { data: session } = useSession();
  const links = useMutation({ mutationFn: () => client.links(job.jobId, { path }) });
  const link = links.data?.links.find((one) => one.path === path);
  const address = job.expired ? undefined : outputAddress(job, path)?.();
  const isOwn = session?.clientId === job.client && mayDo(session, 'files:read') && isStored(path);
  return (
    <li>
      <OutputPicture job={job} output={output} />
      <span className={styles.name}>
        {onShow === undefined || address === undefined ? (
          <span className={styles.path}>{path}</span>
        ) : (
          <button type="button" className={styles.path} aria-label={`Show ${path}`} onClick={() => onShow(path)}>
            {path}
          </button>
        )}
        <span className={styles.soft}>{factsText(output)}</span>
      </span>
      {address !== undefined && (
        <span className={styles.actions}>
          <a
            href={address}
            download={nameOf(path)}
            className={buttonClass('quiet')}
            aria-label={`Download ${path}`}
            title="Download"
          >
            <Download />
          </a>
          <RowMenu label={`Actions for ${path}`} error={links.error} onClose={links.reset}>
            {/* A link that needs no token. */}
            <Button disabled={links.isPending} onClick={() => links.mutate()}>
              <Link2 /> Make a link
            </Button>
            {isOwn && (
              <Link to="/files" search={{ ...(folderOf(path) && { folder: folderOf(path) }), file: path }}>
                <FolderOpen /> Show in Files
              </Link>
            )}
          </RowMenu>
        </span>
      )}
      {link !== undefined && (
        <span className={styles.link} role="status">
          <CopyButton text={link.url} label="Copy the link" />
          <span className={styles.soft}>open until {formatMoment(links.data?.expiresAt ?? '')}</span>
        </span>
      )}
    </li>
  );
}

/** The size of an output, its duration and its streams. The size of a playlist file says nothing about the film. */
function factsText({ path, sizeBytes, durationSeconds, streams = [] }: Output): string {
  const kind = mediaKind(path, streams);
  return [
    kind === 'hls' || kind === 'dash' ? 'playlist' : formatBytes(sizeBytes),
    durationSeconds !== undefined && formatDuration(durationSeconds),
    ...versionsText(streams, 2),
  ]
    .filter(Boolean)
    .join(' · ');
}
