import { expect, test } from 'vitest';
import type { Hint } from '../../domain/hint.ts';
import { withSentNames } from './sent-names.ts';

const fixOf = (fix: Hint, ...keys: readonly string[]) =>
  withSentNames(
    { code: 'UNSUPPORTED', message: 'x', fix },
    { fields: Object.fromEntries(keys.map((key) => [key, `/parameters/${key}`])) },
  ).fix;

test.each<[fix: Hint, sent: readonly string[], named: string]>([
  ['Leave "c" out, so that it works.', ['c:v', 's'], 'Leave "c:v" out, so that it works.'],
  ['Leave "c" out, so that it works.', ['c:v', 'c:a'], 'Leave "c:v" and "c:a" out, so that it works.'],
  ['Leave "c" out.', ['c:v', 'c:a', 'c:s'], 'Leave "c:v", "c:a" and "c:s" out.'],
  [
    'Send an output that ends in .mp4, or leave "c" out.',
    ['c:a'],
    'Send an output that ends in .mp4, or leave "c:a" out.',
  ],
  ['Leave "c" and "map" out.', ['c:v', 'map'], 'Leave "c:v" and "map" out.'],
  ['Leave "c" and "map" out.', ['c:v'], 'Leave "c:v" out.'],
])('%s of a request with %j', (fix, sent, named) => expect(fixOf(fix, ...sent)).toBe(named));

test.each<[fix: Hint, sent: readonly string[]]>([
  ['Leave "c" out, so that it works.', ['c']],
  ['Leave "c" out, so that it works.', []],
  ['Leave "c" out of the options of the input.', ['c:v']],
  ['Send "c:v": "libx264".', ['c:v']],
])('keeps %s of a request with %j', (fix, sent) => expect(fixOf(fix, ...sent)).toBe(fix));
