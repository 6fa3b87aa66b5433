import type { frameSize, outputFrameSize } from '../wire/frame-size.ts';
import type { Shape } from '../wire/shape.ts';

/** The frame size that a request asks for. */
export type RequestedFrameSize = Shape<typeof frameSize>;

/** In `Preset.options`: the recipe asks for `frameSize`, and the client does not. */
export const FRAME_SIZE_OF_RECIPE = '/frameSize';

/** The frame size that the job chose for an output, and why. */
export type OutputFrameSize = Shape<typeof outputFrameSize>;
