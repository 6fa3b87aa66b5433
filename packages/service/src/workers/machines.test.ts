import { expect, test } from 'vitest';
import { machinesOf } from './machines.ts';

const worker = (id: string, processors: number, cpus: string) => ({ processors, machine: { id, cpus } });

const coresOf = (...workers: Parameters<typeof machinesOf>[0]) => machinesOf(workers).map(({ cores }) => cores);

test('three workers on a machine with eight cores have eight cores, and not 24', () => {
  const one = worker('a', 8, '0-7');
  expect(machinesOf([one, one, one])).toEqual([{ workers: [8, 8, 8], cores: 8 }]);
});

test('workers on different machines have the cores of each', () => {
  expect(coresOf(worker('a', 8, '0-7'), worker('b', 4, '0-3'), worker('a', 8, '0-7'))).toEqual([8, 4]);
});

test('workers with a quota of two cores each have six together, but never more than the machine', () => {
  const limited = worker('a', 2, '0-7');
  expect(coresOf(limited, limited, limited)).toEqual([6]);
  expect(coresOf(...Array.from({ length: 5 }, () => limited))).toEqual([8]);
  expect(coresOf(limited, worker('a', 8, '0-7'))).toEqual([8]);
});

test('workers that may use the same cores share these, and others have their own', () => {
  expect(coresOf(worker('a', 4, '0-3'), worker('a', 4, '0-3'))).toEqual([4]);
  expect(coresOf(worker('a', 2, '0-1'), worker('a', 3, '4,6-7'))).toEqual([5]);
  expect(coresOf(worker('a', 4, '0-3'), worker('a', 4, '2-5'))).toEqual([6]);
});

test('each worker that does not say where it runs counts as a machine, such as those of an earlier version', () => {
  expect(coresOf({ processors: 8 }, { processors: 8 }, worker('a', 8, '0-7'))).toEqual([8, 8, 8]);
});
