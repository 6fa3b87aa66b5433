import { useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useState } from 'react';
import { fileAddress } from '../media/media-address.ts';
import { probeQuery } from '../media/media-info.tsx';
import { mediaKind } from '../media/media-kind.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { formatDuration } from '../ui/format.ts';
import { useSeldom } from '../ui/use-seldom.ts';
import { onlySource } from './result-facts.ts';
import styles from './running-frame.module.css';
import { sourcePosition } from './source-position.ts';

/** The width of the image: twice the shown one, for screens with small pixels. */
const WIDTH = 384;

/** Until this time, in seconds, a video is often black. */
const BLACK_SECONDS = 1;

/** How long a frame is shown at least, in ms. */
const SHOWN_MS = 10_000;

/** After so many images that the service could not make, no other one is asked for. */
const MAX_FAILURES = 2;

/** The frame of its source at which a running job is. Nothing if the source is not a video, or belongs to another client. */
export function RunningFrame({ job, className = '' }: { readonly job: Job; readonly className?: string | undefined }) {
  const { data: session } = useSession();
  const isOwn = session?.clientId === job.client && mayDo(session, 'files:read');
  const source = job.status === 'PROCESSING' && isOwn ? onlySource(job) : undefined;
  if (source === undefined) return null;
  return <Frame key={source} job={job} source={source} className={className} />;
}

function Frame({ job, source, className }: { readonly job: Job; readonly source: string; readonly className: string }) {
  const { data: info } = useQuery(probeQuery(source));
  const at = useSeldom(info && sourcePosition(job, info), SHOWN_MS);
  const [failed, setFailed] = useState<readonly number[]>([]);
  // The place of a video is kept from the start, so that nothing moves when its frame comes.
  const shownAt = at ?? (mediaKind(source) === 'video' ? 0 : undefined);
  if (shownAt === undefined || failed.includes(shownAt) || failed.length >= MAX_FAILURES) return null;
  if (info === undefined)
    return (
      <figure className={`${styles.frame} ${className}`}>
        <span className={styles.place} />
      </figure>
    );
  const time = `${formatDuration(shownAt)} of ${formatDuration(info.format.durationSeconds ?? 0)}`;
  // Many videos begin with a black frame. Without a time, the service takes a frame from the middle.
  const shown = shownAt < BLACK_SECONDS ? {} : { at: shownAt };
  return (
    <figure className={`${styles.frame} ${className}`}>
      <img
        src={fileAddress(source)({ view: 'frame', ...shown, width: WIDTH })}
        alt={shownAt < BLACK_SECONDS ? `Frame of ${source}` : `Frame of ${source} at ${formatDuration(shownAt)}`}
        loading="lazy"
        onError={() => setFailed([...failed, shownAt])}
      />
      {/* The frame of the middle is not that of this time. */}
      {shownAt >= BLACK_SECONDS && <figcaption>At {time}</figcaption>}
    </figure>
  );
}
