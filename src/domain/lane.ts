/**
 * The lane of a job in the queue. `light`: it takes a moment, such as a thumbnail. Each worker reserves a slot for such
 * jobs, so that they do not wait behind long conversions. `full`: any other job.
 */
export type Lane = 'light' | 'full';

/** What a job requires of the worker that runs it. */
export interface Requirements {
  readonly lane: Lane;
  /**
   * What not every worker has: sorted, without duplicates, such as `encoder:libsvtav1`. Empty if every registered build
   * of ffmpeg runs the job.
   */
  readonly needs: readonly string[];
}

/** The requirements of most jobs. */
export const ORDINARY: Requirements = { lane: 'full', needs: [] };
