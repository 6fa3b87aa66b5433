import type { ReadableLog } from '../log/readable-log.ts';
import type { ProgressTracker } from './progress.ts';
import type { StallWatch } from './stall.ts';
import type { Stopper, TimeLimit } from './stop.ts';

/** What all ffmpeg processes of a conversion share. */
export interface RunState {
  readonly stopper: Stopper;
  readonly stall: StallWatch;
  readonly log: ReadableLog;
  readonly tracker: ProgressTracker;
  readonly time: TimeLimit;
}
