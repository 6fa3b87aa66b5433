import { expect, test } from 'vitest';
import { ALIASES, namesOfWord, nearestName } from './aliases.ts';

test('the table has at most 300 rows', () => {
  expect(Object.keys(ALIASES).length).toBeLessThanOrEqual(300);
});

test.each([
  ['bit_rate', ['b:v', 'crf'], 'b:v'],
  ['FPS', ['fs', 'r'], 'r'],
  ['H.264', ['libx264', 'libx265'], 'libx264'],
  ['params', ['parameters', 'preset'], 'parameters'],
  // The same name in another spelling comes before an alias, and an alias before a name with similar letters.
  ['job-id', ['jobIds', 'jobId'], 'jobId'],
  ['libx246', ['libx264', 'libx265'], 'libx264'],
])('the word "%s" means, of %j, "%s"', (word, names, meant) => {
  expect(nearestName(word, names)).toBe(meant);
});

test('a word without a meaning is near no name', () => {
  expect(namesOfWord('brightness')).toEqual([]);
  expect(nearestName('brightness', ['input', 'output'])).toBeUndefined();
});

test('no name is a word for itself', () => {
  expect(Object.entries(ALIASES).filter(([name, words]) => words.split(' ').includes(name))).toEqual([]);
});
