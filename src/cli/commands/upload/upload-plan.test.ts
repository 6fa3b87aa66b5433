import { expect, test } from 'vitest';
import { planUploads } from './upload-plan.ts';

const pathsOf = (files: readonly string[], to?: string) => planUploads(files, to).map(({ path }) => path);

test('a file gets its own name, that of --to, or a place in a folder', () => {
  expect(pathsOf(['x/a.mov'])).toEqual(['a.mov']);
  expect(pathsOf(['a.mov'], 'films/')).toEqual(['films/a.mov']);
  expect(pathsOf(['a.mov'], 'server:films/b.mov')).toEqual(['films/b.mov']);
  expect(pathsOf(['a.mov'], '/films/b.mov')).toEqual(['films/b.mov']);
  expect(pathsOf(['a.mov', 'x/b.mov'], 'films')).toEqual(['films/a.mov', 'films/b.mov']);
});

test('rejects files that would get one path, and paths outside the media root', () => {
  expect(() => pathsOf(['a.mov', 'x/a.mov'])).toThrow('a.mov and x/a.mov would both be uploaded to server:a.mov.');
  expect(() => pathsOf(['a.mov'], '../a.mov')).toThrow('Invalid path on the service');
  expect(() => pathsOf(['a.mov'], 'films/../../')).toThrow('Invalid path on the service');
});
