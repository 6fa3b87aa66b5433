/** For how long a worker leaves a job to others after it can be taken again, in milliseconds. Idle workers poll faster. */
const LEFT_MS = 15_000;

/**
 * Remembers the jobs whose attempts failed on this worker. It leaves them to others for a while: the cause may be its machine, and another
 * worker may do them.
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
