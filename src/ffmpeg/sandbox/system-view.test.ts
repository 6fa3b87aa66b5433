import { expect, test } from 'vitest';
import { librariesOf } from './system-view.ts';

test('the libraries of a program are those that its loader uses', async () => {
  const libraries = await librariesOf(process.execPath);
  expect(libraries.some((path) => path.includes('/libc.'))).toBe(true);
});

test('a program that cannot be started is not taken for one without libraries', async () => {
  await expect(librariesOf('/no/program')).rejects.toThrow('The libraries of /no/program cannot be listed');
});
