import type { Worker } from '@telecine/client';
import { countText } from '../../ui/format.ts';

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
