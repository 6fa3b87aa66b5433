import { expect, test } from 'vitest';
import { hintedPaths } from './watch-operations.ts';

test.each([
  ['in/', 'in/take+1.mov', ['in/take 1.mov']],
  ['in/', 'media/amy/in/a%20b.mov', ['in/a b.mov']],
  ['in/', 'main/in/in/a.mov', ['in/in/a.mov', 'in/a.mov']],
  ['in/', 'main/a.mov', []],
  ['in/', '%E0%A4%A.mov', []],
  ['s3://cam/raw/', 'raw/a.mov', ['s3://cam/raw/a.mov']],
  ['s3://cam/raw/', 'other/a.mov', []],
])('for the folder %s, the key %s of a notification hints at %j', (folder, key, paths) => {
  expect(hintedPaths(folder, key)).toEqual(paths);
});
