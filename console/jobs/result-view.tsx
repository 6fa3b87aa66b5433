import type { Job } from '@telecine/client';
import { client } from '../app/client.ts';
import { fileAddress, outputAddress, PREVIEW_WIDTH } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { MediaView } from '../media/media-view.tsx';
import { versionsText } from '../media/stream-text.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { onlySource } from './result-facts.ts';
import type { Moment } from './same-moment.ts';
import styles from './source-and-result.module.css';

/** The maximum number of streams that are listed below a player. */
const MAX_STREAMS = 6;

/** An output of a job: its player or image, and its streams. Give it the path of the output as `key`. */
export function ResultView({
  job,
  output,
  moment,
  posterAt,
}: {
  readonly job: Job;
  readonly output: NonNullable<Job['outputs']>[number];
  /** Where the source has the frame that is shown before an encrypted result plays. Default: one of its middle. */
  readonly moment?: Moment | 'unknown' | undefined;
  /** The time of the frame that is shown before the video plays. Default: see `MediaView`. */
  readonly posterAt?: number | 'unknown' | undefined;
}) {
  const { path, streams, sizeBytes, durationSeconds } = output;
  const address = outputAddress(job, path);
  const kind = mediaKind(path, streams);
  // Omit the size of a playlist file, which says nothing about the size of the video.
  const size = kind === 'hls' || kind === 'dash' ? [] : [formatBytes(sizeBytes)];
  const length = durationSeconds === undefined || kind === 'image' ? [] : [formatDuration(durationSeconds)];
  const { data: session } = useSession();
  if (address === undefined) return null;
  const { encrypt } = job;
  const source = session?.clientId === job.client && mayDo(session, 'files:read') ? onlySource(job) : undefined;
  if (encrypt !== undefined && job.links.key === undefined)
    return (
      <p className={styles.facts}>
        The segments of this output are encrypted. Only the client of the job gets the key.
      </p>
    );
  const playlist = async (): Promise<string> => {
    const { links } = await client.links(job.jobId, { path });
    const { pathname, search } = new URL(links[0]?.url ?? '', window.location.href);
    // Drop the host: the public URL of the service may have another host, from which the page must not load anything.
    return pathname + search;
  };
  return (
    <>
      <MediaView
        label={path}
        kind={kind}
        address={address}
        hasAudio={streams?.some(({ type }) => type === 'audio') ?? false}
        playlist={playlist}
        segmentKey={encrypt && job.links.key ? { inPlaylist: encrypt.keyUri, own: job.links.key } : undefined}
        // The service cannot read a frame of an encrypted result, so its poster is a frame of the source.
        poster={
          source && moment !== 'unknown'
            ? fileAddress(source)({ view: 'frame', width: PREVIEW_WIDTH, ...(moment && { at: moment.source }) })
            : undefined
        }
        posterAt={posterAt}
      />
      <p className={styles.facts}>{[...size, ...length, ...versionsText(streams ?? [], MAX_STREAMS)].join(' · ')}</p>
    </>
  );
}
