import type { Job } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { type LinkedOutput, linkOutputs } from './output-links.ts';

type Context = Parameters<typeof linkOutputs>[1];
const CONTEXT = {
  deps: {
    links: { sign: async () => ({ client: 'c', issued: '1', expires: '2', key: 'k', signature: 's' }) },
    linkSeconds: 60,
  },
  call: { caller: { scopes: ['files:read'] }, origin: 'http://host', audit: async () => undefined },
} as unknown as Context;

/** Returns the paths of a job's outputs in their order. A path with a link has a star. */
async function shown(
  paths: readonly string[],
  outputs: Job['request']['outputs'],
  { most, of }: { readonly most?: number; readonly of?: Partial<Job> } = {},
): Promise<readonly string[]> {
  const written = paths.map((path) => ({ path }));
  const job = { jobId: 'j', status: 'COMPLETED', request: { outputs }, outputs: written, ...of };
  const linked: readonly LinkedOutput[] = await linkOutputs(job as unknown as Job, CONTEXT, most);
  return linked.map(({ path, url }) => (url === undefined ? path : `${path}*`));
}

const STREAM = ['h/a.m3u8', 'h/a_0.m3u8', 'h/0.m4s', 'h/1.m4s'];

test('of a stream, the master playlist has a link, which plays all of it', async () => {
  expect(await shown(STREAM, undefined)).toEqual(['h/a.m3u8*', ...STREAM.slice(1)]);
});

test('what a request names beside a stream, such as a poster, comes before its files, and has a link', async () => {
  const outputs = [{ output: 'h/a.m3u8' }, { output: 'h/poster.jpg' }];
  expect(await shown([...STREAM, 'h/poster.jpg'], outputs)).toEqual([
    ...['h/a.m3u8*', 'h/poster.jpg*', 'h/a_0.m3u8', 'h/0.m4s', 'h/1.m4s'],
  ]);
});

test('of many files, five have a link', async () => {
  const pictures = Array.from({ length: 7 }, (_, at) => `${at}.jpg`);
  expect((await shown(pictures, undefined)).filter((path) => path.endsWith('*'))).toHaveLength(5);
  // A wait links only the main output. get_job has the links to the other outputs.
  expect(await shown(pictures, undefined, { most: 1 })).toEqual(['0.jpg*', ...pictures.slice(1)]);
});

test('outputs that have expired are listed without links', async () => {
  expect(await shown(['a.mp4', 'a.jpg'], undefined, { of: { outputsExpired: true } })).toEqual(['a.mp4', 'a.jpg']);
});
