import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type InSteps, inSteps, nextTurn, runSteps, turnsBySize } from './steps.ts';

/** Returns a text for each turn of the event loop while `work` runs: what `work` passed to `happens` in this turn. */
async function turnsOf(work: (happens: (what: string) => void) => Promise<unknown>): Promise<readonly string[]> {
  const turns = [''];
  let isOver = false;
  // `countTurns` asks for its turn before `work` does, so that `countTurns` runs first in each turn.
  const countTurns = async () => {
    for (; !isOver; turns.push('')) await setImmediate();
  };
  const counted = countTurns();
  await work((what) => turns.push(`${turns.pop()}${what}`));
  isOver = true;
  await counted;
  return turns.filter((turn) => turn !== '');
}

test('each part of some items has a turn of its own, in their order', async () => {
  const items = async (happens: (what: string) => void) => {
    for await (const part of inSteps(['a', 'b', 'c', 'd', 'e'], 2)) happens(part.join(''));
  };
  expect(await turnsOf(items)).toEqual(['ab', 'cd', 'e']);
});

test('yields no part of an empty list', async () => {
  expect(await inSteps([], 2).next()).toEqual({ value: undefined, done: true });
});

test('each step of a generator has a turn of its own', async () => {
  let result: string | undefined;
  const letters = async (happens: (what: string) => void) => {
    function* work(): InSteps<string> {
      for (const letter of ['a', 'b', 'c']) {
        happens(letter);
        yield;
      }
      return 'done';
    }
    result = await runSteps(work());
  };
  expect(await turnsOf(letters)).toEqual(['a', 'b', 'c']);
  expect(result).toBe('done');
});

test('pieces of work share a turn up to a size, and a larger one has a turn of its own', async () => {
  const pieces = async (happens: (what: string) => void) => {
    const turn = turnsBySize(10);
    for (const size of [4, 6, 1, 30, 2, 8, 0]) {
      await turn(size);
      happens(`${size} `);
    }
  };
  expect(await turnsOf(pieces)).toEqual(['4 6 ', '1 ', '30 ', '2 8 0 ']);
});

test('an abort ends the work with its reason', async () => {
  const reason = new Error('gone');
  const signal = AbortSignal.abort(reason);
  function* endless(): InSteps<never> {
    for (;;) yield;
  }
  await expect(nextTurn(signal)).rejects.toBe(reason);
  await expect(runSteps(endless(), signal)).rejects.toBe(reason);
  const parts = inSteps([1, 2], 1, signal);
  expect(await parts.next()).toEqual({ value: [1], done: false });
  await expect(parts.next()).rejects.toBe(reason);
});
