// @module-tag long
import { expect, test } from 'vitest';
import { growthError } from '../support/growth.ts';
import { startCounting } from '../support/work.ts';

const counter = startCounting();
const code = await import('../fixtures/slow-code.ts');

const numbers = (size: number): readonly number[] => Array.from({ length: size }, (_, i) => i + 1);
const errorOf = (name: keyof typeof code): Promise<string | undefined> =>
  growthError(
    counter,
    (size) => {
      const all = numbers(size);
      return () => code[name](all);
    },
    40,
  );

test.each(['eachOnce', 'sorted'] as const)('the work of linear code grows linearly: %s', async (name) => {
  expect(await errorOf(name)).toBeUndefined();
});

test.each([
  ['loopInLoop', 'test/fixtures/slow-code.ts:14 loopInLoop'],
  ['hiddenAmongOthers', 'test/fixtures/slow-code.ts:14 loopInLoop'],
  ['awaitedInLoop', 'test/fixtures/slow-code.ts:6 eachOnce'],
  ['includesInLoop', 'Array.includes from test/fixtures/slow-code.ts:24'],
  ['copiedInLoop', 'Array iterator.next from test/fixtures/slow-code.ts:28'],
  ['setInLoop', 'Array iterator.next from test/fixtures/slow-code.ts:32'],
  ['joinedInLoop', 'Array.join from test/fixtures/slow-code.ts:34'],
  ['replacedInLoop', 'String.replace from test/fixtures/slow-code.ts:37'],
  ['parsedInLoop', 'JSON.parse from test/fixtures/slow-code.ts:41'],
] as const)('quadratic code is found, and the error names its place: %s', async (name, place) => {
  expect(await errorOf(name)).toContain(` at ${place}`);
});

test('the counts are the same in each run', async () => {
  const all = numbers(100);
  const counts: number[] = [];
  for (let run = 0; run < 3; run++) counts.push((await counter.work(() => code.hiddenAmongOthers(all))).units);
  expect(new Set(counts).size).toBe(1);
});

test('what is thrown is thrown, and built-in functions are put back', async () => {
  const before = Array.prototype.includes;
  await expect(counter.work(() => JSON.parse('{'))).rejects.toThrow(SyntaxError);
  expect(Array.prototype.includes).toBe(before);
});
