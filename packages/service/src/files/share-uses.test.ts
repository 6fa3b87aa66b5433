import { expect, test, vi } from 'vitest';
import { shareUses } from './share-uses.ts';

test('many uses are stored together, and the last ones at the end', async () => {
  vi.useFakeTimers();
  try {
    const stored: (readonly (readonly [string, number])[])[] = [];
    const uses = shareUses({ addUses: async (all) => void stored.push([...all]) }, () => {});
    for (const shareId of ['a', 'b', 'a']) uses.add(shareId);
    expect(stored).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    uses.add('b');
    await uses[Symbol.asyncDispose]();
    expect(stored).toEqual([
      [
        ['a', 2],
        ['b', 1],
      ],
      [['b', 1]],
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('a use that cannot be stored is reported, and later ones are stored', async () => {
  const errors: unknown[] = [];
  let isDown = true;
  const counts: number[] = [];
  const uses = shareUses(
    {
      addUses: async (all) => {
        if (isDown) throw new Error('The database is down.');
        counts.push(...all.values());
      },
    },
    (error) => void errors.push(error),
  );
  uses.add('a');
  await uses[Symbol.asyncDispose]();
  isDown = false;
  uses.add('a');
  await uses[Symbol.asyncDispose]();
  expect([errors.length, counts]).toEqual([1, [1]]);
});
