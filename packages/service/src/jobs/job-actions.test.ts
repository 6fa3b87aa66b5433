import type { ReadOutputs } from '@telecine/contract/domain/all-outputs.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { FIRST_OUTPUTS, type Job, type JobOutput } from '@telecine/contract/domain/job.ts';
import type { WatchedFile } from '@telecine/contract/domain/watch.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { dryRunRetry, jobKey, openRetry, removeJob, retryJob } from './job-actions.ts';
import type { ClientContext } from './ports/ffmpeg.ts';
import type { Tx } from './ports/transactions.ts';

const AMY = { clientId: 'amy', scopes: [], root: mediaRoot('/srv/media'), policy: {} };
const OUTPUTS: readonly JobOutput[] = Array.from({ length: 250 }, (_, i) => ({
  path: `hls/${i}.ts`,
  sizeBytes: 1,
  fingerprint: `${i}`,
}));
const JOB = {
  ...{ jobId: 'job', clientId: 'amy', status: 'COMPLETED' },
  ...{ outputs: OUTPUTS.slice(0, FIRST_OUTPUTS), outputCount: OUTPUTS.length },
} as Partial<Job> as Job;

/** Deletes a job and its files while another call deletes only the job: at the first read of more outputs, or the first removal. */
async function removeWhileDeleted(at: 'read' | 'removal') {
  const files = new Map(OUTPUTS.map(({ path, fingerprint }) => [path, fingerprint]));
  // Each has a byte.
  let counted = files.size;
  let stored = true;
  const outputs: ReadOutputs = async (_, first, count) => {
    if (at === 'read') stored = false;
    return stored ? OUTPUTS.slice(first, first + count) : [];
  };
  const removing = removeJob(
    {
      transactions: { run: (unit) => unit({} as Tx) },
      jobs: { get: async () => JOB, outputs, remove: async () => stored },
      media: {
        removeOutputs: async (_, removed) => {
          stored = false;
          const own = removed.filter(({ path, fingerprint }) => files.get(path) === fingerprint);
          for (const { path } of own) files.delete(path);
          return own.length;
        },
      },
      stored: {
        add: async (_, { files: bytes = 0 }) => {
          counted += bytes;
        },
      },
      clientContextOf: async () => ({ root: AMY.root }),
    },
    AMY,
    'job',
    true,
  );
  const error = await removing.catch((reason: unknown) => reason);
  return { error, files: files.size, counted };
}

test('all files of a job are deleted and not counted, although another call deletes the job meanwhile', async () => {
  expect(await removeWhileDeleted('removal')).toEqual({ error: undefined, files: 0, counted: 0 });
});

test('no file of a job is deleted if another call deletes it before all outputs are known', async () => {
  const { error, ...left } = await removeWhileDeleted('read');
  expect(error).toMatchObject({ code: 'JOB_NOT_FOUND' });
  expect(left).toEqual({ files: 250, counted: 250 });
});

const KEY = '00112233445566778899aabbccddeeff';
const jobs = {
  get: async (jobId: string) =>
    ({
      ...{ jobId, clientId: 'amy' },
      request: { output: 'a.m3u8', ...(jobId === 'encrypted' && { encrypt: { keyUri: 'film.key', key: KEY } }) },
    }) as Job,
};
const callerWith = (clientId: string, scopes: Caller['scopes']): Caller => ({ clientId, scopes }) as Caller;
const AMY_READS = callerWith('amy', ['jobs:read', 'files:read']);

test('only the client of a job gets its key, not an administrator, who sees the job', async () => {
  expect(await jobKey(jobs, AMY_READS, 'encrypted')).toBe(KEY);
  await expect(jobKey(jobs, callerWith('bob', AMY_READS.scopes), 'encrypted')).rejects.toMatchObject({
    code: 'JOB_NOT_FOUND',
  });
  const byAdmin = jobKey(jobs, callerWith('root', ['admin']), 'encrypted');
  await expect(byAdmin).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(byAdmin).rejects.toThrow(/only that client/);
});

test('a job that encrypts nothing has no key', async () => {
  await expect(jobKey(jobs, AMY_READS, 'plain')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

const watched = { ...JOB, watchId: 'watch', request: { input: 'in/a.mov', output: 'out/a.mp4' } } as Job;

const again = { do: 'retry-watched-file', watchId: 'watch', path: 'in/a.mov' };
const RESUME = 'PATCH /api/watches/watch with {"state": "ACTIVE"}';

test.each([
  ['NEEDS_ATTENTION', false, [again, '.']],
  ['NEEDS_ATTENTION', true, [again, '.', expect.stringContaining(RESUME)]],
  ['SUBMITTED', false, ['The file is being converted again: ', { do: 'wait-for-job', jobId: 'newer' }, '.']],
  ['READY', false, expect.stringContaining('Wait')],
  ['READY', true, expect.stringContaining(RESUME)],
] as const)(
  'the job of a watched file that is %s (watch paused: %s) is not submitted outside of its watch',
  async (state, isPaused, fix) => {
    const deps = {
      jobs: { get: async () => watched },
      watchedFileOf: async () =>
        ({ watchId: 'watch', path: 'in/a.mov', state, jobId: 'newer', isPaused }) as WatchedFile & {
          isPaused: boolean;
        },
    } as unknown as Parameters<typeof openRetry>[0];
    await expect(openRetry(deps, callerWith('amy', ['jobs:write']), 'job')).rejects.toMatchObject({
      ...{ code: 'JOB_OF_WATCH', fix },
    });
  },
);

test('a job of a watch that was deleted is retried like any other', async () => {
  const deps = {
    jobs: {
      get: async () => watched,
      getMany: async () => {
        throw new Error('the submission began');
      },
    },
    watchedFileOf: async () => undefined,
  } as unknown as Parameters<typeof openRetry>[0] & Parameters<typeof retryJob>[0];
  const retried = await openRetry(deps, callerWith('amy', ['jobs:write']), 'job');
  await expect(retryJob(deps, retried)).rejects.toThrow('the submission began');
});

const failed = { ...JOB, status: 'FAILED', request: { input: 'a.mov', output: 'a.mp4' } } as Job;
const ADMIN: Caller = { ...callerWith('root', ['admin']), root: mediaRoot('/srv'), policy: {}, traceParent: 'trace' };
const AMYS = { clientId: 'amy', root: mediaRoot('/srv/amy'), policy: { running: 1 } };

test('a job that an administrator runs again is run with the files, the limits and no more rights than those of its client', async () => {
  const scopes = ['jobs:read', 'jobs:write', 'files:read', 'admin'] as const;
  const deps = {
    jobs: { get: async () => failed },
    clientContextOf: async () => ({ ...AMYS, scopes, isRevoked: false }),
  };
  expect(await openRetry(deps, ADMIN, 'job')).toEqual({
    job: failed,
    owner: { ...AMYS, scopes: ['jobs:write', 'files:read'], traceParent: 'trace' },
    submittedBy: 'root',
  });
  const amy = callerWith('amy', ['jobs:write']);
  expect(await openRetry(deps, amy, 'job')).toEqual({ job: failed, owner: amy });
  await expect(openRetry(deps, callerWith('bob', ['jobs:write']), 'job')).rejects.toMatchObject({
    code: 'JOB_NOT_FOUND',
  });
  const running = { ...deps, jobs: { get: async () => ({ ...failed, status: 'PROCESSING' }) as Job } };
  await expect(openRetry(running, ADMIN, 'job')).rejects.toMatchObject({ code: 'JOB_NOT_FINISHED' });
});

test('a job does not run again for a client that was revoked or may no longer write jobs, and sees no more files than it', async () => {
  const openFor = (context: Partial<ClientContext>) =>
    openRetry(
      { jobs: { get: async () => failed }, clientContextOf: async () => ({ ...AMYS, ...context }) },
      ADMIN,
      'job',
    );
  await expect(openFor({ isRevoked: true, scopes: ['jobs:write'] })).rejects.toMatchObject({
    code: 'CLIENT_REVOKED',
    message: expect.stringContaining('"amy" of job job was revoked'),
  });
  for (const context of [{ scopes: ['jobs:read', 'files:read'] as const }, {}])
    await expect(openFor(context)).rejects.toMatchObject({
      code: 'CLIENT_LACKS_SCOPE',
      message: 'The client "amy" of job job does not have the scope jobs:write, so the job cannot run again.',
    });
  expect((await openFor({ scopes: ['jobs:write'] })).owner.scopes).toEqual(['jobs:write']);
});

test.each<[string, ConversionRequest]>([
  ['"encrypt"', { encrypt: { keyUri: 'film.key', key: KEY } }],
  ['an option with a key', { parameters: { encryption_key: KEY } }],
  ['a key in the options of a muxer', { fallback: { segment_format_options: `encryption_key=${KEY}` } }],
  ['a key of an input', { inputs: [{ input: 'a.mp4', parameters: { decryption_key: KEY } }] }],
  ['a password of an output', { outputs: [{ output: 'a.mp4', parameters: { password: 'secret' } }] }],
])(
  'only its client changes the request of a job with %s, so that nobody else decrypts its film',
  async (_what, request) => {
    const job = { ...failed, request } as Job;
    const parents: readonly Job[] = [];
    const deps = { jobs: { getMany: async () => parents } } as unknown as Parameters<typeof retryJob>[0] &
      Parameters<typeof dryRunRetry>[0];
    const plain = { input: 'a.mov', output: 'plain.mp4' };
    for (const call of [retryJob, dryRunRetry]) {
      const byAdmin = call(deps, { job, owner: AMY, submittedBy: 'root' }, plain);
      await expect(byAdmin).rejects.toMatchObject({
        code: 'JOB_HAS_KEYS',
        fix: expect.stringContaining('Leave out the body'),
      });
      // Its client, and the same request again, come as far as the submission.
      for (const [retried, sent] of [
        [{ job, owner: AMY }, plain],
        [{ job, owner: AMY, submittedBy: 'root' }, undefined],
      ] as const)
        await expect(call(deps, retried, sent)).rejects.toThrow(TypeError);
    }
  },
);

test('no conversion runs in place of an analysis', async () => {
  const analysis = { ...failed, request: { input: 'a.mov', analysis: { measure: ['loudness'] } } } as unknown as Job;
  const retried = { job: analysis, owner: AMY };
  const sent = { input: 'a.mov', output: 'b.mp4' };
  const [submits, checks] = [{} as Parameters<typeof retryJob>[0], {} as Parameters<typeof dryRunRetry>[0]];
  for (const call of [retryJob(submits, retried, sent), dryRunRetry(checks, retried, sent)])
    await expect(call).rejects.toMatchObject({ code: 'INVALID_REQUEST', errors: [{ code: 'NOT_A_CONVERSION' }] });
});
