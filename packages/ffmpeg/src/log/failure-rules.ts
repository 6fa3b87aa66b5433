import { CONTAINER_CAUSES } from './causes/container-causes.ts';
import { DEVICE_CAUSES } from './causes/device-causes.ts';
import { ENCODER_CAUSES } from './causes/encoder-causes.ts';
import { FILTER_CAUSES } from './causes/filter-causes.ts';
import { INPUT_CAUSES, UNOPENED_INPUT_CAUSES } from './causes/input-causes.ts';
import { MACHINE_CAUSES, MEMORY_CAUSES } from './causes/machine-causes.ts';
import { OPTION_CAUSES } from './causes/option-causes.ts';
import { STREAM_CAUSES } from './causes/stream-causes.ts';
import { VAGUE_CAUSES } from './causes/vague-causes.ts';
import type { FailureRule } from './failure-rule.ts';

/** The rules for ffmpeg 5.1 to 9, from the most to the least specific. The first rule that matches any line of the log applies. */
export const FAILURE_RULES: readonly FailureRule[] = [
  ...MACHINE_CAUSES,
  ...DEVICE_CAUSES,
  ...MEMORY_CAUSES,
  ...INPUT_CAUSES,
  ...STREAM_CAUSES,
  ...CONTAINER_CAUSES,
  ...FILTER_CAUSES,
  ...ENCODER_CAUSES,
  ...OPTION_CAUSES,
  ...UNOPENED_INPUT_CAUSES,
  ...VAGUE_CAUSES,
];
