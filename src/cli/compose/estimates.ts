import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../domain/client.ts';
import type { MediaInfo } from '../../domain/media-info.ts';
import type { PlannedInput } from '../../domain/plan.ts';
import { Problem } from '../../domain/problem.ts';
import { estimate } from '../../ffmpeg/estimate/estimate.ts';
import { speedRatio } from '../../ffmpeg/estimate/speed-ratio.ts';
import type { ProbeOperations } from '../../jobs/operations.ts';
import type { Estimator } from '../../jobs/ports/estimator.ts';
import type { JobStore } from '../../jobs/ports/job-store.ts';
import type { PathStat } from '../../jobs/ports/path-stats.ts';

/** The client waits for the dry run meanwhile. All probes of a request share this time. */
const PROBE_MS = 5000;

/** The most inputs that are probed. */
const MAX_PROBED = 8;

/** How many finished jobs of the client show how fast the service is. */
const RECENT_JOBS = 20;

/** Read once: each call reads files of the system. */
const CORES = availableParallelism();

/** How long a probe is used again, while someone tries options. */
const KEEP_MS = 30_000;
const MAX_KEPT = 200;

/** Returns the function that estimates what a plan produces, by probes of its inputs and recent jobs of the client. */
export function estimator({ probe }: Pick<ProbeOperations, 'probe'>, jobs: Pick<JobStore, 'list'>): Estimator {
  const kept = new LRUCache<string, MediaInfo>({ max: MAX_KEPT, ttl: KEEP_MS });

  /** What a probe finds in an input, or why nothing is known about it. */
  const mediaOf = async (
    caller: Caller,
    { path, url, sequence }: PlannedInput,
    stat: PathStat | undefined,
    signal: AbortSignal,
  ): Promise<MediaInfo | string> => {
    if (url !== undefined) return 'An input is a URL, which is read when the job runs.';
    if (sequence !== undefined) return 'How many pictures the input has is counted when the job runs.';
    if (stat?.kind === 'missing') return 'An input is not there yet.';
    const key = JSON.stringify([caller.clientId, path, stat]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    try {
      const found = await probe(caller, { input: path }, signal);
      kept.set(key, found);
      return found;
    } catch (error) {
      if (signal.aborted) return 'Reading an input took too long.';
      if (error instanceof Problem) return `An input cannot be read now: ${error.message}`;
      throw error;
    }
  };

  return async (caller, plan, stats, hangUp) => {
    const deadline = AbortSignal.timeout(PROBE_MS);
    const signal = hangUp === undefined ? deadline : AbortSignal.any([deadline, hangUp]);
    const found = plan.inputs.map(async (input, index) =>
      index < MAX_PROBED
        ? mediaOf(caller, input, stats[index], signal)
        : 'The request has too many inputs to look into.',
    );
    const recent = jobs.list({ clientId: caller.clientId, status: 'COMPLETED', limit: RECENT_JOBS });
    const [media, finished] = await Promise.all([Promise.all(found), recent]);
    hangUp?.throwIfAborted();
    return estimate(plan, media, { cores: CORES, ratios: finished.flatMap((job) => speedRatio(job, CORES) ?? []) });
  };
}
