import { Readable } from 'node:stream';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { PreviewImage, PreviewSpec } from '@telecine/contract/domain/preview.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import type { OpenFile } from '../files/ports.ts';
import { type ComparedWith, type PreviewSubject, previewOperations } from './preview-operations.ts';
import type { PreviewTask } from './preview-task.ts';

const IMAGE: PreviewImage = { format: 'png', width: 2, height: 2, times: [], file: {}, bytes: new Uint8Array([1]) };
const callerOf = (clientId: string): Caller => ({
  clientId,
  scopes: ['files:read'],
  root: { of: clientId } as unknown as MediaRoot,
  policy: {},
});
const AMY = callerOf('amy');
const JOB = {
  jobId: 'j',
  clientId: 'amy',
  request: { input: 'in.mp4', output: 'out.mp4', parameters: { ss: '00:00:10', crf: '20' } },
} as unknown as Job;

/** Files that every client has. A test can change their content. */
function harness(job = JOB, texts: Readonly<Record<string, string>> = {}, image = IMAGE) {
  const state = { version: 1, opened: 0, closed: 0, jobsRead: 0 };
  const count = (what: 'opened' | 'closed'): void => {
    state[what] += 1;
  };
  const made: PreviewTask[] = [];
  const kept = new Map<string, PreviewImage>();
  const missing = new Map<string, Problem>();
  const open = async (_caller: Caller, path: string): Promise<OpenFile> => {
    const problem = missing.get(path);
    if (problem !== undefined) throw problem;
    count('opened');
    return {
      path,
      fingerprint: `${path}:${state.version}`,
      sizeBytes: texts[path]?.length ?? 1,
      read: () => {
        count('closed');
        return Readable.from([Buffer.from(texts[path] ?? '')]);
      },
      close: async () => count('closed'),
    } as unknown as OpenFile;
  };
  const operations = previewOperations({
    files: {
      open,
      outputs: async (caller) => {
        state.jobsRead += 1;
        return {
          find: async (path) => ({ path, sizeBytes: 1 }),
          open: (path = 'out.mp4') => open(caller, path),
          openLinked: (path) => open(caller, path),
          ...{ clientId: caller.clientId, title: 'out', count: 1, named: async () => undefined, first: async () => [] },
          all: async () => ({ title: 'out', folder: '', files: [] }),
        };
      },
    },
    getJob: async () => job,
    contextOf: async (clientId) => callerOf(clientId),
    make: async (task) => {
      made.push(task);
      return image;
    },
    readInTurn: (_callerId, _isByLink, _signal, read) => read(),
    cache: { get: async (key) => kept.get(key), put: async (key, image) => void kept.set(key, image) },
  });
  const find = (caller: Caller, subject: PreviewSubject, spec: PreviewSpec, comparedWith?: ComparedWith) =>
    operations.find(caller, subject, spec, { signal: NEVER, comparedWith });
  return { operations: { find }, made, missing, state };
}

test('makes a preview once for each client, content and view, and leaves no file open', async () => {
  const { operations, made, state } = harness();
  const look = async (caller: Caller, at: number): Promise<void> => {
    const target = await operations.find(caller, { path: 'a.mp4' }, { view: 'frame', at });
    expect(await target.make(NEVER)).toBe(IMAGE);
  };
  await look(AMY, 1);
  await look(AMY, 1);
  expect(made).toHaveLength(1);
  await look(AMY, 2);
  await look(callerOf('bob'), 1);
  state.version = 2;
  await look(AMY, 1);
  expect(made.map(({ clientId, spec }) => [clientId, spec.at])).toEqual([
    ['amy', 1],
    ['amy', 2],
    ['bob', 1],
    ['amy', 1],
  ]);
  expect(state.opened).toBe(state.closed);
});

test('an image without facts of its file, from a worker of an earlier version, is made again', async () => {
  const { file: _, ...withoutFacts } = IMAGE;
  const { operations, made } = harness(JOB, {}, withoutFacts);
  for (let call = 0; call < 2; call += 1) {
    const target = await operations.find(AMY, { path: 'a.mp4' }, { view: 'frame' });
    expect(await target.make(NEVER)).toBe(withoutFacts);
  }
  expect(made).toHaveLength(2);
});

test('a preview in another format is a preview of its own', async () => {
  const { operations, made } = harness();
  for (const format of ['jpeg', 'png', 'jpeg'] as const) {
    const target = await operations.find(AMY, { path: 'a.mp4' }, { view: 'frame', format });
    await target.make(NEVER);
  }
  expect(made.map(({ spec }) => spec.format)).toEqual(['jpeg', 'png']);
});

test('a picture that several ask for at once is made once, and times within a millisecond are the same', async () => {
  const { operations, made } = harness();
  const targets = [1.0021, 1.0029, 1.002].map((at) => operations.find(AMY, { path: 'a.mp4' }, { view: 'frame', at }));
  const images = (await Promise.all(targets)).map((target) => target.make(NEVER));
  expect(await Promise.all(images)).toEqual([IMAGE, IMAGE, IMAGE]);
  expect(made.map(({ spec }) => spec.at)).toEqual([1.002]);
});

test('what people with a link ask for is not counted as calls of the client', async () => {
  const { operations, made } = harness();
  const subjects = [{ jobId: 'j', linkPath: 'out.mp4' }, { jobId: 'j' }];
  const targets = await Promise.all(subjects.map((subject) => operations.find(AMY, subject, { view: 'frame' })));
  await Promise.all(targets.map((target) => target.make(NEVER)));
  expect(made.map(({ callerId, isByLink }) => [callerId, isByLink])).toEqual([
    ['amy', true],
    ['amy', false],
  ]);
});

test('sends no picture of a file that was replaced while it was made', async () => {
  const { operations, state } = harness();
  const target = await operations.find(AMY, { path: 'a.mp4' }, { view: 'frame' });
  state.version = 2;
  await expect(target.make(NEVER)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
});

test('compares an output with its input from where the conversion began', async () => {
  const { operations, made } = harness();
  const target = await operations.find(AMY, { jobId: 'j' }, { view: 'sheet' }, 'job input');
  await target.make(NEVER);
  const part = { input: {}, output: { ss: '00:00:10' } };
  expect(made[0]?.sources).toEqual([{ path: 'in.mp4', part }, { path: 'out.mp4' }]);
  const fetched = harness({ ...JOB, request: { ...JOB.request, input: 'https://host/a.mp4?secret' } }).operations;
  await expect(fetched.find(AMY, { jobId: 'j' }, { view: 'frame' }, 'job input')).rejects.toMatchObject({
    code: 'UNSUPPORTED',
  });
});

test('compares one of several outputs with the part of the input that it was made from', async () => {
  const request = {
    inputs: [{ input: 'in.mp4', parameters: { sseof: '-20', decryption_key: 'aa' } }],
    outputs: [{ output: 'out.mp4' }, { output: 'b.jpg', parameters: { ss: '5', 'frames:v': '1' } }],
  };
  const { operations, made } = harness({ ...JOB, request } as unknown as Job);
  const partOf = async (output?: string) => {
    const subject = { jobId: 'j', ...(output !== undefined && { output }) };
    await (await operations.find(AMY, subject, { view: 'frame' }, 'job input')).make(NEVER);
    return made.at(-1)?.sources[0]?.part;
  };
  expect(await partOf()).toEqual({ input: { sseof: '-20' }, output: {} });
  expect(await partOf('b.jpg')).toEqual({ input: { sseof: '-20' }, output: { ss: '5' } });
});

test('an administrator sees the outputs of other clients, but not their other files', async () => {
  const { operations, made } = harness();
  const admin = callerOf('admin');
  await (await operations.find(admin, { jobId: 'j' }, { view: 'frame' })).make(NEVER);
  expect(made[0]).toMatchObject({ callerId: 'admin', clientId: 'amy', root: { of: 'amy' } });
  for (const compared of ['job input', { path: 'in.mp4' }] as const)
    await expect(operations.find(admin, { jobId: 'j' }, { view: 'frame' }, compared)).rejects.toMatchObject({
      errors: [{ field: '/compare', code: 'NOT_YOURS' }],
    });
});

test('an error about the compared file names the parameter "compare"', async () => {
  const { operations, missing } = harness();
  const compare = (path: string) => operations.find(AMY, { path: 'a.mp4' }, { view: 'frame' }, { path });
  missing.set('b.mp4', new Problem('FILE_NOT_FOUND', '"b.mp4" does not exist.', { fix: 'Check the path.' }));
  missing.set('../b', invalidRequest([{ field: '/path', code: 'OUTSIDE_ROOT', message: 'It leaves the media root.' }]));
  await expect(compare('b.mp4')).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
    errors: [{ field: '/compare', code: 'FILE_NOT_FOUND', fix: 'Check the path.' }],
  });
  await expect(compare('../b')).rejects.toMatchObject({ errors: [{ field: '/compare', code: 'OUTSIDE_ROOT' }] });
  await expect(operations.find(AMY, { path: 'b.mp4' }, { view: 'frame' }, { path: 'a.mp4' })).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
    errors: [],
  });
});

test('rejects arguments that a view does not have', async () => {
  const { operations } = harness();
  const find = (spec: Parameters<typeof operations.find>[2]) =>
    operations.find(AMY, { path: 'a' }, spec, { path: 'b' });
  await expect(find({ view: 'waveform', at: 1, rows: 2 })).rejects.toMatchObject({
    errors: [
      { field: '/at' },
      { field: '/rows' },
      { field: '/compare', message: 'The view "waveform" has no "compare". The view "frame" has it.' },
    ],
  });
});

test('reads a job once, however many segments its playlist names', async () => {
  const segments = Array.from({ length: 500 }, (_, at) => `#EXTINF:4,\n${at}.ts\n`).join('');
  const { operations, made, state } = harness(JOB, { 'a.m3u8': `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${segments}` });
  for (const subject of [
    { jobId: 'j', output: 'a.m3u8' },
    { jobId: 'j', linkPath: 'a.m3u8' },
  ])
    await operations.find(AMY, subject, { view: 'frame' });
  expect(state.jobsRead).toBe(2);
  const target = await operations.find(AMY, { jobId: 'j', output: 'a.m3u8' }, { view: 'frame' });
  await target.make(NEVER);
  expect(made[0]?.sources[0]?.parts).toHaveLength(500);
  expect(state.opened).toBe(state.closed);
});
