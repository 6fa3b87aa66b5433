import type { SharingMachine } from '@telecine/ffmpeg/estimate/chunk-gain.ts';
import type { WorkerRecord } from './ports/worker-store.ts';

/** A worker, as far as it decides how many cores it shares with others. */
export type WorkerOnMachine = Pick<WorkerRecord, 'processors' | 'machine'>;

/**
 * Returns the machines of the workers. Workers of one machine have together at most the processors that at least one of them may use, and at
 * most the sum of what each may use, which a quota can limit further. A worker that does not say where it runs is a machine of its own. Pure.
 */
export const machinesOf = (workers: readonly WorkerOnMachine[]): readonly SharingMachine[] =>
  [...Map.groupBy(workers, (worker) => worker.machine?.id ?? worker).values()].map((ofMachine) => {
    const cores = ofMachine.map(({ processors }) => processors);
    const sum = cores.reduce((total, each) => total + each, 0);
    const cpus = new Set(ofMachine.flatMap(({ machine }) => (machine === undefined ? [] : parseCpus(machine.cpus))));
    return { workers: cores, cores: cpus.size === 0 ? sum : Math.min(sum, cpus.size) };
  });

/** Parses the kernel's list of processors, such as `0-3,8`. */
const parseCpus = (list: string): readonly number[] =>
  list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
