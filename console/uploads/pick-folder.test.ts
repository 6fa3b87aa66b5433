import { expect, test } from 'vitest';
import { filesInFolder } from './pick-folder.ts';

test('files of a chosen folder keep their folders, and hidden ones are left out', () => {
  const paths = ['trip/a.mov', 'trip/day 1/b.mov', 'trip/.DS_Store', 'trip/.git/config'];
  const files = paths.map((webkitRelativePath) => ({ name: 'x', webkitRelativePath }) as File);
  expect(filesInFolder(files).map(({ path }) => path)).toEqual(['trip/a.mov', 'trip/day 1/b.mov']);
});
