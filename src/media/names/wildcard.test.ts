import { expect, test } from 'vitest';
import { matchesWildcard } from './wildcard.ts';

test.each<[pattern: string, matched: readonly string[], others: readonly string[]]>([
  ['*.png', ['a.png', '.png', 'a.b.png'], ['a.png.txt', 'a.PNG', 'png']],
  ['img?.png', ['img1.png', 'img🎬.png'], ['img.png', 'img10.png']],
  ['img[0-35].png', ['img0.png', 'img2.png', 'img5.png'], ['img4.png', 'img.png', 'img-.png']],
  ['[!a-c]*', ['d', 'dab'], ['a', 'cd', '']],
  ['[^a]', ['b'], ['a']],
  ['[]]', [']'], ['[', '[]]']],
  ['[!]]', ['a'], [']']],
  ['[a-]', ['a', '-'], ['b']],
  ['[a', ['[a'], ['a']],
  ['[]', ['[]'], []],
  ['a\\*b', ['a*b'], ['axb', 'a\\*b']],
  ['a\\', ['a\\'], ['a']],
  ['**a**', ['a', 'bab'], ['b', '']],
  ['a*b*c', ['abc', 'axbxbxc'], ['acb', 'abcd']],
  ['{a,b}+(c)', ['{a,b}+(c)'], ['a', 'acc']],
])('"%s" matches %j but not %j', (pattern, matched, others) => {
  expect([...matched, ...others].filter((name) => matchesWildcard(name, pattern))).toEqual(matched);
});

test('matches a pattern quickly that a regular expression would take forever to match', () => {
  const name = `${'a'.repeat(200)}.png`;
  expect(matchesWildcard(name, `${'*a'.repeat(100)}b`)).toBe(false);
  expect(matchesWildcard(name, `${'*a'.repeat(100)}.png`)).toBe(true);
  expect(matchesWildcard(name, '+(+(a)|+(a))b')).toBe(false);
});
