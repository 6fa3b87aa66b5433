import { FIRST_OUTPUTS, type Job, type JobOutput } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { outputsToOpen } from './output.ts';
import type { FileStore, JobLookup } from './ports.ts';

const ROOT = mediaRoot('/media');
const CALLER = { clientId: 'amy', scopes: [], root: ROOT, policy: {} };
const OUTPUTS: readonly JobOutput[] = [
  { path: 'hls/film.m3u8', sizeBytes: 1 },
  { path: 's3://bucket/poster.jpg', sizeBytes: 1 },
  ...Array.from({ length: 9000 }, (_, i) => ({ path: `hls/${i}.ts`, sizeBytes: 1 })),
];

/** Opens the outputs of an HLS job. `reads`: the indexes of the first outputs of all reads. */
async function open() {
  const reads: number[] = [];
  const jobs: JobLookup = {
    get: async () =>
      ({
        ...{ jobId: 'job', clientId: 'amy', status: 'COMPLETED' },
        ...{ outputs: OUTPUTS.slice(0, FIRST_OUTPUTS), outputCount: OUTPUTS.length },
      }) as Partial<Job> as Job,
    outputs: async (_jobId, first, count) => {
      reads.push(first);
      return OUTPUTS.slice(first, first + count);
    },
    rootOf: async () => ROOT,
  };
  const store = {
    open: async (_root: unknown, path: string) => ({ path, isOutput: () => true, close: async () => {} }),
  } as unknown as FileStore;
  return { reads, outputs: await outputsToOpen({ store, jobs }, CALLER, 'job') };
}

test('the main output and the first ones need no more than the job', async () => {
  const { outputs, reads } = await open();
  expect((await outputs.open()).path).toBe('hls/film.m3u8');
  expect((await outputs.open('hls/90.ts')).path).toBe('hls/90.ts');
  expect(reads).toEqual([]);
});

test('another output is found in parts, each of which is read once', async () => {
  const { outputs, reads } = await open();
  expect((await outputs.open('hls/1500.ts')).path).toBe('hls/1500.ts');
  expect(reads).toEqual([100, 1100]);
  const paths = Array.from({ length: 9000 }, (_, i) => `hls/${i}.ts`);
  const opened = await Promise.all(paths.map((path) => outputs.openLinked(path)));
  expect(opened.map(({ path }) => path)).toEqual(paths);
  expect(reads).toEqual([100, 1100, 2100, 3100, 4100, 5100, 6100, 7100, 8100]);
});

test('what is not an output is not opened', async () => {
  const { outputs } = await open();
  await expect(outputs.openLinked('hls/other.ts')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  const listed = expect.arrayContaining([{ do: 'list-outputs', jobId: 'job' }]);
  await expect(outputs.open('hls/other.ts')).rejects.toMatchObject({
    errors: [{ code: 'NOT_AN_OUTPUT', fix: listed }],
  });
  // An output in a bucket has the same path in its link as this file in the media root.
  await expect(outputs.open('bucket/poster.jpg')).rejects.toMatchObject({ errors: [{ code: 'NOT_AN_OUTPUT' }] });
});
