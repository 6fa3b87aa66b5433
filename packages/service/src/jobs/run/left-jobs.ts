/** For how long a worker leaves a job to others after it can be taken again, in milliseconds. Idle workers poll faster. */
const LEFT_MS = 15_000;

/**
 * Remembers the jobs that failed on this worker, which it leaves to other workers for a while: the cause may be its machine.
 *
 * @param hasPeers Returns whether another worker takes jobs.
 */
export function createLeftJobs(hasPeers: () => boolean, now = () => performance.now()) {
  const until = new Map<string, number>();
  return {
    /** Notes that a job can be taken again in `delaySeconds`. */
    add: (jobId: string, delaySeconds: number): void => {
      for (const [other, end] of until) if (end <= now()) until.delete(other);
      until.set(jobId, now() + delaySeconds * 1000 + LEFT_MS);
    },
    has: (jobId: string): boolean => (until.get(jobId) ?? 0) > now() && hasPeers(),
  };
}
