import type { Job } from '@telecine/client';
import type { MediaAddress } from '../media/media-address.ts';
import { burnsWords } from '../preview/burnt-words.ts';
import { Compare } from '../preview/compare.tsx';
import type { Comparison } from './result-facts.ts';

/** The width of images that the service makes if the browser cannot play a video. */
const IMAGE_WIDTH = 1280;

/** The frame of the middle, which the picture before it shows too. Many videos begin with a black one. */
const FIRST_SHARE = 0.5;

/** The source and the output of a job on top of each other, with a line between them that the user moves. */
export function ResultSlider({
  job: { parameters = {} },
  comparison: { offset, ...frames },
  source,
  output,
}: {
  readonly job: Pick<Job, 'parameters'>;
  readonly comparison: Comparison;
  readonly source: MediaAddress;
  readonly output: MediaAddress;
}) {
  const frameAt = (address: MediaAddress, at: number) => ({
    video: address(),
    at,
    image: frames.frames === 1 ? address() : address({ view: 'frame', at, width: IMAGE_WIDTH }),
  });
  return (
    <Compare
      {...frames}
      isResultWhole={burnsWords({ parameters })}
      first={Math.floor(frames.frames * FIRST_SHARE)}
      before={(at) => frameAt(source, offset + at)}
      after={(at) => frameAt(output, at)}
    />
  );
}
