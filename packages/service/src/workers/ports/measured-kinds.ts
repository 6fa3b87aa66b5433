import type { Measured } from '@telecine/ffmpeg/estimate/estimate.ts';
import type { Observation } from '@telecine/ffmpeg/estimate/machine-time.ts';

/** Stores what jobs of each kind took, for estimates. */
export interface MeasuredKinds {
  /** Adds what a job has shown, with at most one statement. Jobs of long ago count less and less. */
  add(observations: readonly Observation[]): Promise<void>;
  find(kinds: readonly string[]): Promise<readonly Measured[]>;
  /** Removes the kinds of which no job was measured for the longest time, if there are too many. */
  removeOld(): Promise<void>;
}
