import { useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { frameTimeQuery } from '../media/frame-time.ts';
import type { MediaAddress } from '../media/media-address.ts';
import { burnsWords } from '../preview/burnt-words.ts';
import { Compare } from '../preview/compare.tsx';
import styles from './result-card.module.css';
import type { Comparison } from './result-facts.ts';

/** The width of images that the service makes if the browser cannot play a video. */
const IMAGE_WIDTH = 1280;

/** The frame that is shown first if the service cannot say which one is not black. */
const FIRST_SHARE = 0.5;

/** The source and the output of a job on top of each other, with a line between them that the user moves. */
export function ResultSlider({
  job: { parameters, requestedOutputs },
  comparison: { offset, ...frames },
  source,
  output,
}: {
  readonly job: Pick<Job, 'parameters' | 'requestedOutputs'>;
  readonly comparison: Comparison;
  readonly source: MediaAddress;
  readonly output: MediaAddress;
}) {
  // The comparison begins with the frame of the poster.
  const poster = useQuery(frameTimeQuery(frames.frames === 1 ? undefined : output));
  if (frames.frames > 1 && poster.isPending) return <p className={styles.soft}>Loading…</p>;
  const first = typeof poster.data === 'number' ? poster.data * frames.fps : frames.frames * FIRST_SHARE;
  const frameAt = (address: MediaAddress, at: number) => ({
    video: address(),
    at,
    image: frames.frames === 1 ? address() : address({ view: 'frame', at, width: IMAGE_WIDTH }),
  });
  return (
    <Compare
      {...frames}
      isResultWhole={burnsWords({ parameters, outputs: requestedOutputs })}
      first={Math.floor(first)}
      before={(at) => frameAt(source, offset + at)}
      after={(at) => frameAt(output, at)}
    />
  );
}
