import { describe, expect, test } from 'vitest';
import type { Engine } from './engine.ts';

export function measuredKindsContract(engine: Engine): void {
  describe(`measured kinds of jobs on ${engine.name}`, () => {
    const speed = (kind: string, ratio: number, processors = 4) => ({ kind, processors, ratio });

    test('jobs of a kind add up to a mean and a variance of logarithms, for each number of processors', async () => {
      const { measuredKinds } = await engine.openStore();
      for (const ratio of [1, Math.E, Math.E ** 2]) await measuredKinds.add([speed('libx264', ratio)]);
      await measuredKinds.add([speed('libx264', 1, 8), speed('size libx264', 2, 0)]);
      const found = await measuredKinds.find(['libx264', 'libx265']);
      expect(found.toSorted((a, b) => a.processors - b.processors)).toEqual([
        {
          ...{ kind: 'libx264', processors: 4, jobs: 3 },
          ...{ mean: expect.closeTo(1, 6), variance: expect.closeTo(2 / 3, 6) },
        },
        { kind: 'libx264', processors: 8, jobs: 1, mean: 0, variance: 0 },
      ]);
      expect(await measuredKinds.find([])).toEqual([]);
    });

    test('a kind forgets how long its jobs took long ago', async () => {
      const { measuredKinds } = await engine.openStore();
      for (let job = 0; job < 100; job += 1) await measuredKinds.add([speed('copy', job < 30 ? 10 : 1)]);
      const [found] = await measuredKinds.find(['copy']);
      expect(found?.jobs).toBe(100);
      expect(found?.mean).toBeLessThan(Math.log(1.1));
    });

    test('a run that hung, and one that shows nothing, do not spoil a kind', async () => {
      const { measuredKinds } = await engine.openStore();
      await measuredKinds.add([speed('hung', 1e9), speed('nothing', 0), speed('broken', Number.NaN)]);
      await measuredKinds.add([]);
      const found = await measuredKinds.find(['hung', 'nothing', 'broken']);
      expect(found).toEqual([expect.objectContaining({ kind: 'hung', mean: expect.closeTo(Math.log(50), 6) })]);
    });

    test('an output with two streams of one kind counts once', async () => {
      const { measuredKinds } = await engine.openStore();
      await measuredKinds.add([speed('size libx264', 2, 0), speed('size libx264', 3, 0)]);
      expect(await measuredKinds.find(['size libx264'])).toMatchObject([{ jobs: 1 }]);
    });

    test('the kinds that were measured last are kept, however many clients made', async () => {
      const { measuredKinds } = await engine.openStore();
      await measuredKinds.add([speed('old', 1)]);
      await measuredKinds.removeOld();
      expect(await measuredKinds.find(['old'])).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await measuredKinds.add(Array.from({ length: 2001 }, (_, index) => speed(`kind ${index}`, 1)));
      await measuredKinds.removeOld();
      expect(await measuredKinds.find(['old'])).toEqual([]);
      expect(await measuredKinds.find(['kind 7'])).toHaveLength(1);
    });
  });
}
