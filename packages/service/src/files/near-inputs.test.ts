import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { fileOperations, listFiles } from './file-operations.ts';
import { filesNear } from './near-files.ts';
import { filesInFolder, filesNearJob, filesNearProbe, withNearFiles, withNearFilesOfBatch } from './near-inputs.ts';
import type { FileStore } from './ports.ts';

const FILES = ['movies/in.mov', 'movies/other.mov', 'photos/1.jpg', 'photos/2.jpg', 'readme.txt'];
const PICTURES = [
  ...['late/IMG_101.jpg', 'late/IMG_102.jpg', 'late/notes.txt'],
  ...['padded/f_0098.png', 'padded/f_0099.png', 'padded/f_0100.png', 'plain/1.jpg', 'plain/2.jpg'],
];

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
  const search: FileStore['search'] = async (_root, { matches }) => ({
    entries: all.filter(matches).map((path) => ({ kind: 'file' as const, path: path as MediaPath })) as never,
  });
  const store = { list, search } as unknown as FileStore;
  return {
    listed,
    store,
    caller,
    files: {
      near: (by: Caller, path: string) => filesNear(store, by, path),
      list: (by: Caller, page: { prefix: string; limit: number }) => listFiles(store, by, page),
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
  const [warning] = await withNearFiles([missing('/input')], { input: 'movies/im.mov' }, contextOf(amy));
  expect(warning?.fix).toEqual('Check it. Files in "movies/": "movies/in.mov", "movies/other.mov".');
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

test('a search that takes too long costs only what it would have found', async () => {
  const { list } = contextOf(amy, ['cam-1.mp4', 'notes.txt']).store;
  const store = {
    list,
    search: async () => {
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    },
  };
  expect((await filesNear(store, amy, 'cam-3.mp4'))?.paths).toEqual(['cam-1.mp4', 'notes.txt']);
});

test('one client searches for near files once at a time', async () => {
  let [running, most] = [0, 0];
  const search = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
    return { entries: [] };
  };
  const { near } = fileOperations({ store: { list: contextOf(amy).store.list, search } } as never);
  await Promise.all([near(amy, 'talk.mp4'), near(amy, 'cam-3.mp4')]);
  expect(most).toBe(1);
});

test('a part of a name, without a folder, finds files in all folders', async () => {
  const cameras = contextOf(amy, ['cameras/cam-3-final.mp4', 'cameras/cam-1.mp4', 'readme.txt']);
  const [warning] = await withNearFiles([missing('/input')], { input: 'cam-3' }, cameras);
  expect(warning).toMatchObject({
    fix: 'Check it. Files with "cam-3" in their names: "cameras/cam-3-final.mp4".',
    near: ['cameras/cam-3-final.mp4'],
  });
});

test('warnings of a batch name them too, for three inputs of the whole batch', async () => {
  const requests = ['movies/im.mov', 'readme.tx', 'movies/x.mov', 'movies/y.mov'].map((input) => ({ input }));
  const jobs = requests.map((_, i) => ({ warnings: [missing(`/requests/${i}/input`)] }));
  const withoutWarnings: { readonly warnings?: readonly Warning[] } = {};
  const named = await withNearFilesOfBatch([...jobs, withoutWarnings], requests, contextOf(amy));
  expect(named.map(({ warnings }) => warnings?.[0]?.fix)).toEqual([
    'Check it. Files in "movies/": "movies/in.mov", "movies/other.mov".',
    'Check it. Files in the media root: "readme.txt".',
    'Check it. Files in "movies/": "movies/in.mov", "movies/other.mov".',
    'Check it.',
    undefined,
  ]);
});

test('a path of the host is named as its path in the media root', async () => {
  const [warning] = await withNearFiles([missing('/input')], { input: '/media/movies/im.mov' }, contextOf(amy));
  expect(warning?.fix).toEqual('Check it. Files in "movies/": "movies/in.mov", "movies/other.mov".');
});

test('a file of that name in another folder is the one to send', async () => {
  const [warning] = await withNearFiles([missing('/input')], { input: '/home/amy/videos/in.mov' }, contextOf(amy));
  expect(warning).toMatchObject({ fix: 'Send "movies/in.mov".', near: ['movies/in.mov'] });
});

test('a file of that name is only named for a missing one in a folder, which may be on its way', async () => {
  const seasons = contextOf(amy, ['season1/e01.mp4', 'talks/talk.mp4']);
  const fixFor = async (input: string) => (await withNearFiles([missing('/input')], { input }, seasons))[0]?.fix;
  expect(await fixFor('season2/e01.mp4')).toBe('Check it. The file of that name is "season1/e01.mp4".');
  expect(await fixFor('shows/talk.mp4')).toBe('Check it. The file of that name is "talks/talk.mp4".');
  for (const input of ['talk.mp4', './talk.mp4', '~/films/talk.mp4', 'C:/films/talk.mp4'])
    expect(await fixFor(input)).toEqual('Send "talks/talk.mp4".');
});

test('a name is that of the only file only if all folders were searched', async () => {
  const shows = Array.from({ length: 30 }, (_, at) => `show${String(at).padStart(2, '0')}/${at}.txt`);
  const fixFor = async (all: readonly string[]) =>
    (await withNearFiles([missing('/input')], { input: 'talk.mp4' }, contextOf(amy, all)))[0]?.fix;
  expect(await fixFor([...shows.slice(0, 9), 'show03/talk.mp4'])).toEqual('Send "show03/talk.mp4".');
  expect(await fixFor([...shows, 'show03/talk.mp4', 'show25/talk.mp4'])).toBe(
    'Check it. Files with "talk" in their names: "show03/talk.mp4", "show25/talk.mp4".',
  );
});

test('if the folder has no files, it names those of the media root, and says so', async () => {
  const [warning] = await withNearFiles([missing('/inputs/0')], { inputs: ['films/readme.tx'] }, contextOf(amy));
  expect(warning?.fix).toEqual('Check it. Files in the media root: "readme.txt".');
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
  expect(context.listed.length).toBeLessThanOrEqual(15);
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
    'readme.md',
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
    list: async () => ({ entries: [] }),
  };
  const job = jobOf('movies/im.mov');
  expect(await filesNearJob(job, { caller: amy, files })).toBe(job);
});

test('the error about a folder as the input names its files, and the pattern of its images', async () => {
  const fixOf = async (input: string, caller = amy) => {
    const error = {
      field: '/input',
      code: 'IS_DIRECTORY',
      message: 'The input is a folder.',
      fix: 'Name a file in it.',
    };
    const found = await filesInFolder(
      new Problem('INVALID_REQUEST', 'x', { errors: [error] }),
      { input },
      contextOf(caller),
    );
    return found instanceof Problem ? found.errors[0]?.fix : undefined;
  };
  expect(await fixOf('/movies/')).toEqual('Files in "movies": "movies/in.mov", "movies/other.mov".');
  expect(await fixOf('photos')).toEqual(
    'For a video of all its images, send "photos/*.jpg" and "pattern_type": "glob" in "parameters". Files in "photos": "photos/1.jpg", "photos/2.jpg".',
  );
  expect(await fixOf('empty')).toEqual('Name a file in it.');
  expect(await fixOf('photos', callerOf('amy', []))).toEqual('Name a file in it.');
});

test('a folder that is joined becomes its files, if all are films or all are sounds', async () => {
  const fixOf = async (...files: readonly string[]) => {
    const error = {
      field: '/input',
      code: 'IS_DIRECTORY',
      message: 'The input is a folder.',
      fix: 'Name a file in it.',
    };
    const problem = new Problem('INVALID_REQUEST', 'x', { errors: [error] });
    const found = await filesInFolder(problem, { input: 'clips/', join: 'encode' }, contextOf(amy, files));
    return found instanceof Problem ? found.errors[0]?.fix : undefined;
  };
  expect(await fixOf('clips/a.mp4', 'clips/b.MOV')).toEqual('Send "inputs": ["clips/a.mp4","clips/b.MOV"].');
  expect(await fixOf('clips/a.wav', 'clips/b.mp3')).toEqual('Send "inputs": ["clips/a.wav","clips/b.mp3"].');
  expect(await fixOf('clips/a.mp4', 'clips/cover.jpg')).toEqual('Files in "clips": "clips/a.mp4", "clips/cover.jpg".');
});

test('a wildcard in a request that reads several files becomes the files that match', async () => {
  const fixOf = async (request: Parameters<typeof withNearFiles>[1], caller = amy) =>
    (
      await withNearFiles([missing(request.input === undefined ? '/inputs/0' : '/input')], request, contextOf(caller))
    )[0]?.fix;
  const all = 'Send "inputs": ["photos/1.jpg","photos/2.jpg"].';
  expect(await fixOf({ input: '/photos/*.jpg', preset: { name: 'slideshow' } })).toEqual(all);
  expect(await fixOf({ inputs: ['photos/?.jpg'], preset: { name: 'slideshow' } })).toEqual(all);
  expect(await fixOf({ inputs: ['movies/*.mov'], join: 'encode' })).toEqual(
    'Send "inputs": ["movies/in.mov","movies/other.mov"].',
  );
  // Without `join`, a path with `*` is an image sequence. No file matches `*.png`.
  for (const request of [{ input: 'photos/*.jpg' }, { inputs: ['photos/*.png'], join: 'encode' }])
    expect(await fixOf(request)).toMatch(/^Check it\./);
  expect(await fixOf({ input: 'photos/*.jpg', join: 'encode' }, callerOf('amy', []))).toEqual('Check it.');
});

const fixOfInput = async (request: Parameters<typeof withNearFiles>[1], context = contextOf(amy)) =>
  (await withNearFiles([missing(request.input === undefined ? '/inputs/0' : '/input')], request, context))[0]?.fix;

test('several files in one text become inputs that are joined', async () => {
  const all = '["movies/in.mov","movies/other.mov"]';
  for (const input of [
    'movies/in.mov|movies/other.mov',
    'movies/in.mov, movies/other.mov',
    '/movies/in.mov movies/other.mov',
  ])
    expect(await fixOfInput({ input: input.replace(/^\//, '') })).toEqual(
      `Send "inputs": ${all} and "join": "encode".`,
    );
  const input = 'movies/in.mov;movies/other.mov';
  expect(await fixOfInput({ input, parameters: { c: 'copy' } })).toEqual(`Send "inputs": ${all} and "join": "copy".`);
  // Recipes and filtergraphs use several inputs in their own way, so the fix does not join them.
  expect(await fixOfInput({ input, preset: { name: 'join' } })).toEqual(`Send "inputs": ${all}.`);
  expect(await fixOfInput({ input, parameters: { filter_complex: 'hstack' } })).toEqual(`Send "inputs": ${all}.`);
  expect(await fixOfInput({ inputs: [input, 'photos/1.jpg'], join: 'encode' })).toEqual(
    'Send "inputs": ["movies/in.mov","movies/other.mov","photos/1.jpg"].',
  );
  // A list of files cannot replace an input with options or an argument of a recipe.
  const element = { inputs: [{ input, parameters: { ss: '5' } }] };
  const argument = { input: 'readme.txt', preset: { name: 'add-music', arguments: { music: input } } };
  for (const [field, request] of [
    ['/inputs/0/input', element],
    ['/preset/arguments/music', argument],
  ] as const)
    expect((await withNearFiles([missing(field)], request, contextOf(amy)))[0]?.fix).not.toContain('"inputs"');
  expect(await fixOfInput({ input: 'movies/in.mov|movies/gone.mov' })).toMatch(/^Check it\./);
  expect(await fixOfInput({ input }, contextOf(callerOf('amy', [])))).toEqual('Check it.');
});

test('a sequence that finds no image becomes the pattern and the first number of the existing images', async () => {
  const fixOf = (request: Parameters<typeof withNearFiles>[1]) => fixOfInput(request, contextOf(amy, PICTURES));
  const start = '"start_number": "101"';
  const pattern = '"late/IMG_%d.jpg"';
  expect(await fixOf({ input: 'late/IMG_%04d.jpg' })).toEqual(
    `Send "input": ${pattern}, and ${start} in the "parameters" of the request.`,
  );
  expect(await fixOf({ input: 'late/IMG_%03d.jpg' })).toEqual(
    `Send ${start} in the "parameters" of the request as well: that is the first existing number.`,
  );
  expect(await fixOf({ inputs: ['late/img%d.png'] })).toEqual(
    `Send {"input":${pattern},"parameters":{"start_number":"101"}}.`,
  );
  expect(await fixOf({ input: 'padded/f_%d.png' })).toEqual(
    'Send "input": "padded/f_%04d.png", and "start_number": "98" in the "parameters" of the request.',
  );
  expect(await fixOf({ input: 'plain/%03d.jpg' })).toEqual('Send "plain/%d.jpg".');
});
