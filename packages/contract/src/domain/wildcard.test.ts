import { expect, test } from 'vitest';
import { matchesInShell, NAMES_PER_TURN, wildcard, wildcardAdvice } from './wildcard.ts';

const NEVER = new AbortController().signal;

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
  expect([...matched, ...others].filter(wildcard(pattern))).toEqual(matched);
});

test('matches a pattern quickly that a regular expression would take forever to match', () => {
  const name = `${'a'.repeat(200)}.png`;
  expect(wildcard(`${'*a'.repeat(100)}b`)(name)).toBe(false);
  expect(wildcard(`${'*a'.repeat(100)}.png`)(name)).toBe(true);
  expect(wildcard('+(+(a)|+(a))b')(name)).toBe(false);
});

test('finds hidden names only with a pattern that begins with a dot', async () => {
  const names = ['.a.png', 'a.png'];
  const found = async (pattern: string): Promise<readonly string[]> => {
    const isMatch = matchesInShell(pattern, NEVER);
    const matches = await Promise.all(names.map(isMatch));
    return names.filter((_, at) => matches[at]);
  };
  expect(await found('*.png')).toEqual(['a.png']);
  expect(await found('.*.png')).toEqual(['.a.png']);
});

test('leaves the event loop to others while it matches many names', async () => {
  const isMatch = matchesInShell('*a*b', NEVER);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  for (let i = 0; i < 10 * NAMES_PER_TURN; i += 1) expect(await isMatch('a'.repeat(200))).toBe(false);
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(9);
});

test('an abort ends the matching of many names', async () => {
  const isMatch = matchesInShell('*', AbortSignal.abort(new Error('cancelled')));
  const all = Array.from({ length: NAMES_PER_TURN }, () => isMatch('a'));
  await expect(Promise.all(all)).rejects.toThrow('cancelled');
});

test('says what wildcards in names of inputs need', () => {
  expect(wildcardAdvice('frames/f_*.png')).toContain('"pattern_type": "glob"');
  expect(wildcardAdvice('frames/f_???.JPG')).toContain('"pattern_type": "glob"');
  expect(wildcardAdvice('films/*.mp4')).toContain('"each"');
  expect(wildcardAdvice('films*/a.mp4')).toBeUndefined();
});
