import { expect, test } from 'vitest';
import { hintedPaths, pathsOfEvents } from './bucket-events.ts';

test.each([
  ['in/', 'in/take 1.mov', ['in/take 1.mov']],
  ['in/', 'media/amy/in/a b.mov', ['in/a b.mov']],
  ['in/', 'main/in/in/a.mov', ['in/in/a.mov', 'in/a.mov']],
  ['in/', 'main/a.mov', []],
  ['s3://cam/raw/', 'raw/a.mov', ['s3://cam/raw/a.mov']],
  ['s3://cam/raw/', 'other/a.mov', []],
])('for the folder %s, the key %s of a notification hints at %j', (folder, key, paths) => {
  expect(hintedPaths(folder, key)).toEqual(paths);
});

test('keys of records are decoded, that of EventBridge is not, and one that cannot be decoded or is too long for S3 is left out', () => {
  const records = (...keys: string[]) => ({ Records: keys.map((key) => ({ s3: { object: { key } } })) });
  expect(pathsOfEvents('in/', records('in/a%20b+c.mov', 'in/%E0%A4%A.mov'))).toEqual(['in/a b c.mov']);
  expect(pathsOfEvents('in/', { detail: { object: { key: 'in/a%20b+c.mov' } } })).toEqual(['in/a%20b+c.mov']);
  const longest = `in/1${'é'.repeat(508)}.mov`;
  expect(pathsOfEvents('in/', records(longest, `${longest}1`))).toEqual([longest]);
  expect(pathsOfEvents('in/', { detail: { object: { key: `${longest}1` } } })).toEqual([]);
  expect(pathsOfEvents('in/', {})).toBeUndefined();
  expect(pathsOfEvents('', records('a.mov'))).toBeUndefined();
});
