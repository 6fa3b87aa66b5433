import { expect, test } from 'vitest';
import { bucketSource } from './s3/bucket-source.ts';
import { watchSource } from './watch-source.ts';

test.each([
  ['s3://cam/raw/', 's3://cam/raw/a.mov'],
  ['raw/', 'raw/a.mov'],
])('a path below %s that an event names counts before the first scan', (folder, path) => {
  const disk = bucketSource({ ofPath: () => undefined });
  const memory = watchSource(disk, undefined).newMemory(folder);
  expect(memory.hasMarks).toBe(false);
  memory.mark(path);
  expect(memory.hasMarks).toBe(true);
});
