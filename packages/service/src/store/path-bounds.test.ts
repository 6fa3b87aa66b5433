import { expect, test } from 'vitest';
import { pathBounds } from './path-bounds.ts';

const isBetween = (path: string, { lowest, highest }: ReturnType<typeof pathBounds>): boolean =>
  Buffer.compare(Buffer.from(lowest), Buffer.from(path)) <= 0 &&
  Buffer.compare(Buffer.from(path), Buffer.from(highest)) <= 0;

test.each([
  ['in any order', ['b.ts', 'a.ts', 'c.ts']],
  ['numbered without zeros', ['9.ts', '10.ts', '99.ts']],
  ['beyond U+FFFF', ['\u{1f3ac}.ts', '\uff21.ts', 'a.ts']],
  ['long', [`${'a'.repeat(3000)}1`, `${'a'.repeat(3000)}2`]],
  [
    'long, of characters with several bytes',
    ['é'.repeat(1500), '\u{1f3ac}'.repeat(700), `a${'\u{1f3ac}'.repeat(700)}`],
  ],
])('all paths are between the bounds: %s', (_what, paths) => {
  const bounds = pathBounds(paths);
  for (const path of paths) expect(isBetween(path, bounds), path).toBe(true);
  for (const bound of Object.values(bounds)) {
    expect(Buffer.byteLength(bound)).toBeLessThanOrEqual(1004);
    expect(bound).not.toContain('\ufffd');
  }
});

test('other paths are not between the bounds of the part before', () => {
  const bounds = pathBounds(Array.from({ length: 100 }, (_, i) => `hls/part_${100 + i}.ts`));
  expect(bounds).toEqual({ lowest: 'hls/part_100.ts', highest: 'hls/part_199.ts' });
  expect(isBetween('hls/part_200.ts', bounds)).toBe(false);
});
