/**
 * The lanes of jobs in the queue. `light`: it takes little time or little of a core, such as a thumbnail, a stream copy or
 * audio. Each worker reserves room for such jobs, so that they do not wait behind long conversions. `fetch`: it has inputs
 * at URLs, and uses no slot until they are there. `full`: any other job.
 */
export const LANES = ['full', 'light', 'fetch'] as const;

export type Lane = (typeof LANES)[number];

/** The weight of a job that uses one slot of a worker: an ordinary conversion of a video. */
export const ONE_SLOT = 100;

/** What a job is estimated to use of a worker. The estimate depends on the plan alone. */
export interface Workload {
  readonly lane: Lane;
  /** In hundredths of a slot, at least 1. On a worker with fewer slots, the job counts as all of them. */
  readonly weight: number;
}

/** What a job requires of the worker that runs it. */
export interface Requirements extends Workload {
  /** What not every worker has, such as `encoder:libsvtav1`, sorted and unique. Empty if every registered build runs the job. */
  readonly needs: readonly string[];
}

export const ORDINARY: Requirements = { lane: 'full', weight: ONE_SLOT, needs: [] };

const KINDS: Readonly<Record<string, string>> = { bsf: 'bitstream filter' };

/** The needs of a job in words: `encoder libsvtav1 and filter zscale`. */
export function describeNeeds(needs: Requirements['needs']): string {
  const named = needs.filter((need) => !need.startsWith('build:')).map(describeNeed);
  const all = named.length < needs.length ? [...named, 'a build of ffmpeg that runs this request'] : named;
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ');
}

function describeNeed(need: string): string {
  const [kind = '', ...name] = need.split(':');
  // `device:cuda` or `device:h264_nvenc`.
  if (kind === 'device') return `hardware ${name[0]?.includes('_') ? 'encoder' : 'device'} ${name[0]}`;
  return `${KINDS[kind] ?? kind} ${name.join(':')}`;
}
