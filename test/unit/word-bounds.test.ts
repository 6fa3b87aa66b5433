import { distance } from 'fastest-levenshtein';
import { afterEach, expect, test, vi } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { errorsOf } from '../support/planning.ts';

vi.mock('fastest-levenshtein', { spy: true });
afterEach(() => vi.mocked(distance).mockClear());

/** A graph of about 16,000 characters, the most that a value may have. */
const graphOf = (part: (index: number) => string, separator: string): string => {
  let text = part(0);
  for (let i = 1; text.length < 16_000; i += 1) text += separator + part(i);
  return text.slice(0, text.lastIndexOf(separator));
};
const word = (length: number, index: number): string => `${index}`.padStart(length, 'x');

const withGraphs = (graphs: readonly string[]): ConversionRequest => ({
  input: 'a.mp4',
  output: 'b.mp4',
  parameters: { filter_complex: graphs },
});

/** The longest words that are compared, and the most comparisons of a request: some 0.1 s. */
const MAX_LENGTH = 100;
const MAX_COMPARISONS = 300_000;

test.each([
  ['long labels that nothing makes', () => `[${'y'.repeat(7000)}]null[${'x'.repeat(7000)}]`],
  ['many labels that nothing makes', () => graphOf((i) => `[${word(6, i)}y]null[${word(6, i)}z]`, ';')],
  ['many unknown filters', () => graphOf((i) => `f${i}`, ',')],
  ['one very long unknown filter', () => 'f'.repeat(16_000)],
  ['many unknown options of filters', () => graphOf((i) => `scale=w${i}=1`, ',')],
  ['many unknown words of filters', () => graphOf((i) => `format=yuv${i}`, ',')],
  ['long unknown words of filters', () => `scale=flags=${'b'.repeat(15_000)}`],
])('a request with 15 graphs of %s costs few comparisons of short words', (_, graph) => {
  expect(errorsOf(withGraphs(Array.from({ length: 15 }, graph)))).not.toEqual([]);
  const { calls } = vi.mocked(distance).mock;
  expect(Math.max(0, ...calls.map(([a, b]) => Math.max(a.length, b.length)))).toBeLessThanOrEqual(MAX_LENGTH);
  expect(calls.length).toBeLessThan(MAX_COMPARISONS);
});

test('the first label that nothing makes still gets the nearest one as its fix', () => {
  const [error] = errorsOf(withGraphs(['[0:v]scale=2:2[small];[smal]hflip[a];[smll]vflip[b]']));
  expect(error).toMatchObject({ code: 'UNKNOWN_LABEL', fix: 'Send "small".' });
});
