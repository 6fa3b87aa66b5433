import type { frameSize, outputFrameSize } from '../wire/frame-size.ts';
import type { Shape } from '../wire/shape.ts';

/** The frame size that a request asks for. */
export type RequestedFrameSize = Shape<typeof frameSize>;

/** The frame size that the job chose for an output, and why. */
export type OutputFrameSize = Shape<typeof outputFrameSize>;
