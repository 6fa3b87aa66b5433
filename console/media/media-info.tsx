import { queryOptions, useQuery } from '@tanstack/react-query';
import type { MediaInfo as Info } from '@telecine/client';
import { client } from '../app/client.ts';
import { formatBitRate, formatBytes, formatDuration } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Chapters } from './chapters.tsx';
import { containerName } from './container-name.ts';
import styles from './media-info.module.css';
import { withoutAssumedTiming } from './still-image.ts';
import { streamText } from './stream-text.ts';

/** The maximum number of listed tags. A file can have thousands. */
const MAX_ROWS = 50;

/** Probes a file in the media root. */
export const probeQuery = (path: string) =>
  queryOptions({
    queryKey: ['probe', path],
    queryFn: ({ signal }) => client.probe({ input: path }, { signal }),
    select: withoutAssumedTiming,
    staleTime: 60_000,
  });

/** The streams, chapters and tags of a file in the media root. */
export function MediaInfo({ path }: { readonly path: string }) {
  const { data, error } = useQuery(probeQuery(path));
  if (error !== null) return <ProblemNotice error={error} />;
  if (data === undefined) return <p className={styles.soft}>Reading the streams…</p>;
  return <InfoList path={path} info={data} />;
}

/** The type of a stream in words: `Video` of `video`. */
const typeName = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1);

function InfoList({ path, info: { format, streams, chapters } }: { readonly path: string; readonly info: Info }) {
  const { durationSeconds, bitRate, sizeBytes } = format;
  const facts = [
    containerName(path, format),
    durationSeconds !== undefined && formatDuration(durationSeconds),
    sizeBytes !== undefined && formatBytes(sizeBytes),
    bitRate !== undefined && formatBitRate(bitRate),
  ].filter(Boolean);
  return (
    <div className={styles.info}>
      <p className={styles.soft}>{facts.join(' · ')}</p>
      <ul className={styles.rows} aria-label="Streams">
        {streams.map((stream) => (
          <li key={stream.index}>
            <span className={styles.soft}>
              {stream.isAttachedPicture === true ? 'Cover' : typeName(stream.type)} #{stream.index}
            </span>
            <span>{streamText(stream)}</span>
          </li>
        ))}
      </ul>
      <Chapters chapters={chapters} />
      {Object.keys(format.tags).length > 0 && (
        <details className={styles.fold}>
          <summary>Tags</summary>
          <ul className={styles.rows} aria-label="Tags">
            {Object.entries(format.tags)
              .slice(0, MAX_ROWS)
              .map(([name, value]) => (
                <li key={name}>
                  <span className={styles.soft}>{name}</span>
                  <span>{value}</span>
                </li>
              ))}
          </ul>
        </details>
      )}
    </div>
  );
}
