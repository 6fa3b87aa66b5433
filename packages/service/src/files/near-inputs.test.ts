import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { filesNear } from './near-files.ts';
import { filesInFolder, filesNearJob, filesNearProbe, withNearFiles, withNearFilesOfBatch } from './near-inputs.ts';
import type { FileStore } from './ports.ts';

const FILES = ['movies/in.mov', 'movies/other.mov', 'photos/1.jpg', 'photos/2.jpg', 'readme.txt'];
const callerOf = (clientId: string, scopes: readonly Scope[] = ['files:read']): Caller => ({
  clientId,
  scopes,
  root: mediaRoot('/media'),
  policy: {},
});
const amy = callerOf('amy');

/** Creates the context of a caller. The media root contains the files `all`. `listed`: the folders that were listed. */
function contextOf(caller: Caller, all: readonly string[] = FILES) {
  const listed: string[] = [];
  const list: FileStore['list'] = async (_root, { folder }) => {
    listed.push(folder);
    const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
    const paths = all.filter((path) => folderOf(path) === folder.replace(/(?<=[^/])\/?$/, '/'));
    const folders = folder === '' ? new Set(all.map(folderOf).filter((path) => path !== '')) : [];
    return {
      entries: [
        ...[...folders].map((path) => ({ kind: 'folder' as const, path })),
        ...paths.map((path) => ({ kind: 'file' as const, path: path as MediaPath })),
      ],
    } as never;
  };
  const store = { list };
  return {
    listed,
    caller,
    files: {
      near: (by: Caller, path: string) => filesNear(store, by, path),
    },
  };
}

const missing = (field: string): Warning => ({ field, code: 'INPUT_NOT_FOUND', message: 'Missing.', fix: 'Check it.' });
const jobOf = (input: string): Job => ({
  jobId: 'J',
  clientId: 'amy',
  status: 'FAILED',
  request: { input, output: 'out.mp4' },
  attempt: 1,
  createdAt: '2026-01-31T12:00:00.000Z',
  error: {
    code: 'INPUT_NOT_FOUND',
    message: 'The input is gone.',
    fix: hint`Upload it, then ${RETRY_JOB}.`,
    about: { input },
  },
});

test('a warning about a missing input names the files of its folder', async () => {
  const [warning] = await withNearFiles([missing('/input')], { input: 'movies/talk.mov' }, contextOf(amy));
  expect(warning?.fix).toEqual('Check it. Files in "movies/": "movies/in.mov", "movies/other.mov".');
});

test('the only file with nearly the name is the one to send', async () => {
  for (const input of ['movies/im.mov', 'movies/IN.MOV', '/media/movies/in.mv']) {
    const [warning] = await withNearFiles([missing('/input')], { input }, contextOf(amy));
    expect(warning).toMatchObject({ fix: 'Send "movies/in.mov".', near: ['movies/in.mov'] });
  }
});

test('a file of that name in another folder is not the one to send', async () => {
  const [warning] = await withNearFiles([missing('/input')], { input: 'photos/in.mov' }, contextOf(amy));
  expect(warning?.fix).toEqual('Check it. Files in "photos/": "photos/1.jpg", "photos/2.jpg".');
});

test('the files whose names have that of the missing one come first, and are there for a program', async () => {
  const cameras = contextOf(
    amy,
    ['cam-1', 'cam-2', 'cam-4', 'cam-3-final', 'notes'].map((name) => `cameras/${name}.mp4`),
  );
  const [warning] = await withNearFiles([missing('/input')], { input: 'cameras/cam-3.mp4' }, cameras);
  expect(warning?.near).toEqual(['cameras/cam-3-final.mp4']);
  expect(warning?.fix).toMatch(/^Check it\. Files in "cameras\/": "cameras\/cam-3-final\.mp4", "/);
});

test('a file with no similar name has no near files', async () => {
  const [warning] = await withNearFiles([missing('/input')], { input: 'photos/sunset-at-sea.jpg' }, contextOf(amy));
  expect(warning).not.toHaveProperty('near');
});

test('a name with another number is not similar, in its folder and as a folder', async () => {
  const shows = contextOf(amy, ['shows/e01.mp4', 'shows/e02.mp4', 'shows/cam-30-final.mp4', 'season1/e05.mp4']);
  const nearTo = async (input: string) => (await withNearFiles([missing('/input')], { input }, shows))[0];
  expect(await nearTo('shows/e03.mp4')).not.toHaveProperty('near');
  expect((await nearTo('shows/e03.mp4'))?.fix).toMatch(/^Check it\. Files in "shows\/": "shows\/e01\.mp4", /);
  expect(await nearTo('shows/cam-3.mp4')).not.toHaveProperty('near');
  expect(await nearTo('season2/e05.mp4')).not.toHaveProperty('near');
  expect((await nearTo('shows/e1.mp4'))?.near).toEqual(['shows/e01.mp4']);
});

test('warnings of a batch name them too, for three inputs of the whole batch', async () => {
  const requests = ['movies/talk.mov', 'readme.tx', 'movies/x.mov', 'movies/y.mov'].map((input) => ({ input }));
  const jobs = requests.map((_, i) => ({ warnings: [missing(`/requests/${i}/input`)] }));
  const withoutWarnings: { readonly warnings?: readonly Warning[] } = {};
  const named = await withNearFilesOfBatch([...jobs, withoutWarnings], requests, contextOf(amy));
  expect(named.map(({ warnings }) => warnings?.[0]?.fix)).toEqual([
    'Check it. Files in "movies/": "movies/in.mov", "movies/other.mov".',
    'Send "readme.txt".',
    'Check it. Files in "movies/": "movies/in.mov", "movies/other.mov".',
    'Check it.',
    undefined,
  ]);
});

test.each(['s3://bucket/in.mov', 'https://example.org/in.mov'])('lists nothing for %s', async (input) => {
  const context = contextOf(amy);
  expect(await withNearFiles([missing('/input')], { input }, context)).toEqual([missing('/input')]);
  expect(context.listed).toEqual([]);
});

test('a request with many missing inputs lists few folders', async () => {
  const inputs = Array.from({ length: 50 }, (_, i) => `gone/${i}.mov`);
  const context = contextOf(amy);
  const warnings = await withNearFiles(
    inputs.map((_, i) => missing(`/inputs/${i}`)),
    { inputs },
    context,
  );
  expect(warnings).toHaveLength(50);
  expect(context.listed.length).toBeLessThanOrEqual(3);
});

test('a failed job names them only to its own client', async () => {
  const job = jobOf('movies/im.mov');
  expect((await filesNearJob(job, contextOf(amy))).error?.fix).toEqual([
    'Upload it, then ',
    RETRY_JOB,
    '.',
    ' Files in "movies/": "movies/in.mov", "movies/other.mov".',
  ]);
  // An administrator has another media root than the client of the job.
  const context = contextOf(callerOf('root', ['files:read', 'admin']));
  expect(await filesNearJob(job, context)).toBe(job);
  expect(context.listed).toEqual([]);
});

test('a caller who may not list files gets no names', async () => {
  const context = contextOf(callerOf('amy', ['jobs:read']));
  expect(await filesNearJob(jobOf('movies/im.mov'), context)).toEqual(jobOf('movies/im.mov'));
  expect(context.listed).toEqual([]);
});

test('a probe of a missing file names them in its field error', async () => {
  const errors = [{ field: '/input', code: 'INPUT_NOT_FOUND', message: 'Missing.', fix: 'Check it.' }];
  const error = await filesNearProbe(
    new Problem('INPUT_NOT_FOUND', 'Missing.', { errors }),
    'notes.md',
    contextOf(amy),
  );
  expect(error).toMatchObject({ errors: [{ fix: 'Check it. Files in the media root: "readme.txt".' }] });
  const other = new Error('other');
  expect(await filesNearProbe(other, 'readme.md', contextOf(amy))).toBe(other);
});

test('a fault of the storage costs only the names', async () => {
  const files = {
    near: async () => {
      throw new Error('The storage is gone.');
    },
  };
  const job = jobOf('movies/im.mov');
  expect(await filesNearJob(job, { caller: amy, files })).toBe(job);
});

test('the error about a folder as the input names its files', async () => {
  const fixOf = async (input: string, caller = amy) => {
    const error = { field: '/input', code: 'IS_DIRECTORY', message: 'The input is a folder, not a file.' };
    const problem = new Problem('INVALID_REQUEST', 'x', { errors: [error] });
    const found = await filesInFolder(problem, { input }, contextOf(caller));
    return found instanceof Problem ? found.errors[0]?.fix : undefined;
  };
  expect(await fixOf('/movies/')).toEqual('Files in "movies/": "movies/in.mov", "movies/other.mov".');
  expect(await fixOf('empty')).toBeUndefined();
  expect(await fixOf('photos', callerOf('amy', []))).toBeUndefined();
});
