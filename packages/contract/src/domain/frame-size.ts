import type { frameSize, outputFrameSize } from '../wire/frame-size.ts';
import type { Shape } from '../wire/shape.ts';
import type { PlannedSamples } from './sampling.ts';

/** The frame size that a request asks for. */
export type RequestedFrameSize = Shape<typeof frameSize>;

/** In `Preset.options`: the recipe asks for `frameSize`, and the client does not. */
export const FRAME_SIZE_OF_RECIPE = '/frameSize';

/** The frame size that the job chose for an output, and why. */
export type OutputFrameSize = Shape<typeof outputFrameSize>;

/** How a plan chooses the frame size of its output for a bit rate. The argvs of the plan have placeholders of the size. */
export interface PlannedFrameSize {
  /** The average bit rate of the video. */
  readonly bitsPerSecond: number;
  /** Decodes the first frame that the encoder would get without this choice. ffmpeg logs its size. */
  readonly inspect: readonly string[];
  /** How the run encodes samples in several sizes, or why it does not: a sentence. */
  readonly samples: PlannedSamples | { readonly none: string };
}
