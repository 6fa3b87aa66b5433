import type { FileList, Problem, ProblemCode } from '@telecine/client/api.ts';
import { ClientError } from '@telecine/client/client-error.ts';
import type { UploadOptions } from '@telecine/client/options.ts';
import { expect, test } from 'vitest';
import { planUploads, uploadOne } from './upload.ts';
import type { UploadKey, UploadRecord, UploadRecords } from './upload-records.ts';

const UPLOAD = { file: '/home/amy/a.mov', path: 'films/a.mov' };
const KEY: UploadKey = { ...UPLOAD, url: 'https://x', clientId: 'amy', sizeBytes: 7, modifiedMs: 1, replace: false };

const rejected = (status: number, code: ProblemCode, retryAfterSeconds?: number) =>
  new ClientError('rejected', 'No.', { status, retryAfterSeconds, problem: { code } as Problem });

interface Service {
  /** Runs in place of the upload. Default: the upload succeeds. */
  readonly upload?: (options: UploadOptions) => Promise<void>;
  /** The record of an earlier run. */
  readonly record?: UploadRecord;
  /** The size of the file at the path. Default: there is none. */
  readonly storedBytes?: number;
  /** Whether records can be stored. Default: true. */
  readonly canRemember?: boolean;
}

/** Runs one upload of a command. Resolves to its error, the calls of the service, and the record that stays. */
async function run({ upload = async () => {}, record, storedBytes, canRemember = true }: Service) {
  const calls: string[] = [];
  let stored = record;
  const records: UploadRecords = {
    get: () => stored,
    set: (_key, next) => {
      stored = next;
    },
    remove: () => {
      stored = undefined;
    },
  };
  const client = {
    uploadFile: async (_file: string, path: string, options: UploadOptions = {}) => {
      calls.push(`upload ${path} ${options.uploadId ?? 'new'}`);
      await upload(options);
    },
    listFiles: async (path: string): Promise<FileList> => ({
      files: storedBytes === undefined ? [] : [{ type: 'file', path, sizeBytes: storedBytes }],
    }),
  };
  const progress = { bytes: () => {}, job: () => {}, say: () => {}, close: () => {} };
  const { signal } = new AbortController();
  const context = { client, records: canRemember ? records : undefined, progress, replace: false, signal };
  const error: unknown = await uploadOne(UPLOAD, KEY, context).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, calls, record: stored };
}

/** An upload that begins on the service, and then fails. */
const fails =
  (error: Error): NonNullable<Service['upload']> =>
  async ({ onUploadId }) => {
    onUploadId?.('U');
    throw error;
  };

const isTaken = async () => {
  throw rejected(412, 'PRECONDITION_FAILED');
};

test('skips a file that an earlier run has stored, and sends it again if it was deleted or replaced', async () => {
  const record = { isStored: true };
  const existing = await run({ record, storedBytes: KEY.sizeBytes });
  expect([existing.error, existing.calls, existing.record]).toEqual([undefined, [], record]);
  const deleted = await run({ record });
  expect([deleted.error, deleted.calls]).toEqual([undefined, ['upload films/a.mov new']]);
  const replaced = await run({ record, storedBytes: KEY.sizeBytes + 1, upload: isTaken });
  expect(replaced.error).toMatchObject({ code: 'FILE_EXISTS' });
});

test('the record of a stored file has no upload, which the service would call complete', async () => {
  const upload = async ({ onUploadId }: UploadOptions): Promise<void> => onUploadId?.('U');
  expect((await run({ upload })).record).toEqual({ isStored: true });
});

test('does not take a file for one that an earlier run was storing', async () => {
  const { error } = await run({ record: { uploadId: 'U' }, upload: isTaken });
  expect(error).toMatchObject({ code: 'FILE_EXISTS' });
});

test.each([
  ['an unreachable service', new ClientError('unreachable', 'No reply.'), { code: 'UNREACHABLE', exitCode: 4 }],
  ['a rejected token', rejected(401, 'INVALID_TOKEN'), { code: 'INVALID_TOKEN', exitCode: 3 }],
  ['a lost scope', rejected(403, 'INSUFFICIENT_SCOPE'), { code: 'INSUFFICIENT_SCOPE', exitCode: 3 }],
  ['a busy service', rejected(503, 'UNAVAILABLE', 7), { code: 'UNAVAILABLE', exitCode: 4 }],
])('after %s, the upload stays and the same command continues it', async (_what, cause, status) => {
  const { error, calls, record } = await run({ upload: fails(cause) });
  expect(error).toMatchObject({ ...status, fix: expect.stringContaining('Run the same command again') });
  expect([calls, record]).toEqual([['upload films/a.mov new'], { uploadId: 'U' }]);
});

test('without a record, nothing continues: the upload is deleted, and no hint promises it', async () => {
  const lost = new ClientError('unreachable', 'No reply.');
  // The client deletes an interrupted upload of which nobody takes the id.
  const upload = async ({ onUploadId }: UploadOptions): Promise<void> => {
    expect(onUploadId).toBeUndefined();
    throw lost;
  };
  const { error, calls } = await run({ upload, canRemember: false });
  expect([error, calls]).toEqual([lost, ['upload films/a.mov new']]);
});

test('a file that changed is begun again, and an existing one is named', async () => {
  const changed = await run({ upload: fails(new ClientError('changed', 'It changed.')) });
  expect([changed.error, changed.record]).toEqual([expect.objectContaining({ code: 'CHANGED' }), undefined]);
  // A reply without a body has the same error.
  const cause = new ClientError('rejected', 'No.', { status: 412, code: 'PRECONDITION_FAILED' });
  expect((await run({ upload: fails(cause) })).error).toMatchObject({
    code: 'FILE_EXISTS',
    fix: expect.stringContaining('-y'),
  });
});

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
