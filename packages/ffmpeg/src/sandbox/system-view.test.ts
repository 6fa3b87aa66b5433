import { expect, test } from 'vitest';
import { librariesOf } from './system-view.ts';

test('the libraries of a program are those that its loader uses', async () => {
  const libraries = await librariesOf(process.execPath);
  expect(libraries.some((path) => path.includes('/libc.'))).toBe(true);
});

test('what is no program has no libraries', async () => {
  expect(await librariesOf('/no/program')).toEqual([]);
});
