import { FIRST_OUTPUTS, type Job, type JobOutput } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { outputsToOpen } from './job-outputs.ts';
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
  const outputs: JobLookup['outputs'] = async (_jobId, first, count) => {
    reads.push(first);
    return OUTPUTS.slice(first, first + count);
  };
  const jobs: JobLookup = {
    get: async () =>
      ({
        ...{ jobId: 'job', clientId: 'amy', status: 'COMPLETED' },
        ...{ outputs: OUTPUTS.slice(0, FIRST_OUTPUTS), outputCount: OUTPUTS.length },
      }) as Partial<Job> as Job,
    outputs,
    // Each stored part has 100 outputs, as in the database.
    outputsNear: async (jobId, path) => {
      const index = OUTPUTS.findIndex((output) => output.path === path);
      return index < FIRST_OUTPUTS ? [] : outputs(jobId, index - (index % 100), 100);
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
  expect((await outputs.first('', 5)).map(({ name }) => name)).toEqual(OUTPUTS.slice(0, 5).map(({ path }) => path));
  expect(reads).toEqual([]);
});

test('another output is found by one read, however many there are', async () => {
  const { outputs, reads } = await open();
  expect((await outputs.open('hls/8990.ts')).path).toBe('hls/8990.ts');
  expect(await outputs.named('hls/', '1500.ts')).toMatchObject({ name: '1500.ts', sizeBytes: 1 });
  expect(reads).toEqual([8900, 1500]);
});

test('many outputs are found by one read of each part, also if all are opened at once', async () => {
  const { outputs, reads } = await open();
  const paths = Array.from({ length: 9000 }, (_, i) => `hls/${i}.ts`);
  const opened = await Promise.all(paths.map((path) => outputs.openLinked(path)));
  expect(opened.map(({ path }) => path)).toEqual(paths);
  expect(reads).toEqual(Array.from({ length: 90 }, (_, part) => 100 * (part + 1)));
});

test('all outputs are named below the folder that they share, and the first ones as well', async () => {
  const { outputs } = await open();
  const { title, folder, files } = await outputs.all();
  expect([title, folder, files.length, outputs.count]).toEqual(['film', '', 9002, 9002]);
  const first = await outputs.first('', 200);
  expect(first.map(({ name }) => name)).toEqual(files.slice(0, 200).map(({ name }) => name));
});

test('what is not an output is not opened', async () => {
  const { outputs, reads } = await open();
  await expect(outputs.openLinked('hls/other.ts')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  await expect(outputs.openLinked('hls/0\0.ts')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await outputs.named('hls/', '../hls/1500.ts')).toBeUndefined();
  expect((await outputs.openLinked('bucket/poster.jpg')).path).toBe('s3://bucket/poster.jpg');
  const listed = expect.arrayContaining([{ do: 'list-outputs', jobId: 'job' }]);
  await expect(outputs.open('hls/other.ts')).rejects.toMatchObject({
    errors: [{ code: 'NOT_AN_OUTPUT', fix: listed }],
  });
  // An output in a bucket has the same path in its link as this file in the media root.
  await expect(outputs.open('bucket/poster.jpg')).rejects.toMatchObject({ errors: [{ code: 'NOT_AN_OUTPUT' }] });
  expect(reads).toEqual([]);
});
