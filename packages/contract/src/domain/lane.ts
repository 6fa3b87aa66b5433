import { strictNeeds } from './speed-needs.ts';

/**
 * The lanes of jobs in the queue. `light`: the job takes little time or little of a core, such as a thumbnail, a stream copy or audio. Each
 * worker reserves room for light jobs, so that they do not wait behind long conversions. `fetch`: the job has inputs at URLs, and uses no
 * slot until they are fetched. `full`: any other job.
 */
export const LANES = ['full', 'light', 'fetch'] as const;

export type Lane = (typeof LANES)[number];

/** The weight of a job that uses one slot of a worker, such as an ordinary conversion of a video. */
export const ONE_SLOT = 100;

/** The estimated load of a job on its worker. The estimate depends only on the plan. */
export interface Workload {
  readonly lane: Lane;
  /** How many hundredths of a slot the job uses, at least 1. If its worker has fewer slots, the job uses all of them. */
  readonly weight: number;
}

/** What a job requires of the worker that runs it. */
export interface Requirements extends Workload {
  /**
   * What only some workers have, such as `encoder:libsvtav1`, or `LONG_NEED`. Sorted and unique. Empty if every registered
   * build can run the job.
   */
  readonly needs: readonly string[];
}

export const ORDINARY: Requirements = { lane: 'full', weight: ONE_SLOT, needs: [] };

const KINDS: Readonly<Record<string, string>> = { bsf: 'bitstream filter' };

/** The needs of a job in words: `encoder libsvtav1 and filter zscale`. */
export function describeNeeds(needs: Requirements['needs']): string {
  const strict = strictNeeds(needs);
  const named = strict.filter((need) => !need.startsWith('build:')).map(describeNeed);
  const all = named.length < strict.length ? [...named, 'a build of ffmpeg that runs this request'] : named;
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ');
}

function describeNeed(need: string): string {
  const [kind = '', ...name] = need.split(':');
  // The need is `device:cuda` or `device:h264_nvenc`.
  if (kind === 'device') return `hardware ${name[0]?.includes('_') ? 'encoder' : 'device'} ${name[0]}`;
  return `${KINDS[kind] ?? kind} ${name.join(':')}`;
}
