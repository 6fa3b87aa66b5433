import type { Worker } from '@telecine/client';
import { countText } from '../../ui/format.ts';

type Speed = NonNullable<Worker['speeds']>[number];

/** The measured speed of a worker against the estimates: `1.2× slower`, and from how many jobs it is known. */
export function speedText({ ratio, jobs }: Pick<Speed, 'ratio' | 'jobs'>): {
  readonly value: string;
  readonly detail: string;
} {
  const from = jobs === 1 ? 'from one job' : `from ${jobs} jobs`;
  const times = Number((ratio < 1 ? 1 / ratio : ratio).toPrecision(2));
  if (times === 1) return { value: 'As estimated', detail: from };
  return { value: `${times}× ${ratio < 1 ? 'faster' : 'slower'}`, detail: `than estimated, ${from}` };
}

/** A worker that needs this many times the estimate is worth a look. */
const SLOW = 2;

export const isSlow = ({ ratio }: Pick<Speed, 'ratio'>): boolean => ratio >= SLOW;

/** The slowest first, because it is what an operator looks for. */
export const bySlowness = (a: Pick<Speed, 'ratio'>, b: Pick<Speed, 'ratio'>): number => b.ratio - a.ratio;

/** With how many other workers one shares its machine. undefined: with none, or unknown. */
export function sharedMachineText(
  { machine }: Pick<Worker, 'machine'>,
  live: readonly Pick<Worker, 'machine'>[],
): string | undefined {
  const all = machine === undefined ? 1 : live.filter((other) => other.machine === machine).length;
  return all < 2 ? undefined : `On one machine with ${countText(all - 1, 'other worker')}`;
}

/** All workers in a few words: `2 workers, 1 of 4 slots in use`. */
export function workersText(workers: readonly Pick<Worker, 'jobs' | 'concurrency'>[]): string {
  const slots = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const used = workers.reduce((sum, { jobs }) => sum + jobs.length, 0);
  return `${countText(workers.length, 'worker')}, ${used.toLocaleString()} of ${countText(slots, 'slot')} in use`;
}
