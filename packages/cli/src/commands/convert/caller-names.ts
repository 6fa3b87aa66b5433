import { join } from 'node:path';
import { ClientError } from '@telecine/client/client-error.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import { RejectedOptions } from '../../exit-status.ts';
import type { CommandParameters } from '../../session/parameters.ts';
import { type ExpectedOutputs, serverPath, UPLOADS } from './file-names.ts';

interface FileUpload {
  readonly file: string;
  readonly path: string;
}

/** A local input, and its path in the media root after the upload. For an image sequence, both paths are file name patterns. */
export interface InputUpload extends FileUpload {
  /** The files of an image sequence. Absent if the input is one file. */
  readonly frames?: readonly FileUpload[];
  /** The index of the input, from 0. In values of options, `{0}` stands for the path of the first input. */
  readonly index: number;
  /** The recipe argument that names this input. */
  readonly role?: string;
}

export const filesOf = (uploads: readonly InputUpload[]): readonly FileUpload[] =>
  uploads.flatMap(({ frames, ...file }) => frames ?? [file]);

/** The files of one command, with their paths on the service and on this machine. */
export interface CommandFiles {
  /** The folder in the media root that belongs to this command. It contains the uploads, and the outputs that the command downloads. */
  readonly folder: string;
  readonly uploads: readonly InputUpload[];
  /** The number of inputs, including inputs on the service. Default: the number of uploads. */
  readonly inputs?: number | undefined;
  /** The local output. Absent if the output stays on the service. */
  readonly fetch?: ExpectedOutputs | undefined;
  /** The options of the request as the user wrote them. */
  readonly parameters?: CommandParameters;
}

/** A message of the service about the `field` of a request. */
interface Message {
  readonly field?: string | undefined;
  readonly code?: string | undefined;
  readonly message: string;
  readonly allowed?: string[] | undefined;
  readonly fix?: string | undefined;
}

/** Replaces paths of the service in messages by the paths that the user wrote. */
export interface CallerNames {
  message<T extends Message>(message: T): T;
  job(job: JobView): JobView;
  /** Rewrites the texts of a `ClientError`. Returns other errors unchanged. */
  error(error: unknown): unknown;
  rethrow(error: unknown): never;
}

export function callerNames({
  folder,
  uploads,
  inputs = uploads.length,
  fetch,
  parameters = {},
}: CommandFiles): CallerNames {
  /** @param isMessage Whether the text is a message. In a message, a quoted path is a file. In a fix, it may be a value. */
  function text(sent: string, field = '', isMessage = false): string {
    // In values of options, the user wrote {0} instead of the path.
    const isValue = field.includes('/parameters/');
    let named = sent;
    if (isMessage) for (const { file, path } of uploads) named = named.replaceAll(`"${path}"`, () => `"${file}"`);
    for (const { file, path, index } of uploads) named = named.replaceAll(path, () => (isValue ? `{${index}}` : file));
    if (named.includes(folder))
      for (const { frames = [] } of uploads)
        for (const { file, path } of frames) named = named.replaceAll(path, () => file);
    if (fetch !== undefined) named = named.replaceAll(fetch.base, () => join(fetch.folder, '/').replace(/^\.\//, ''));
    // Messages truncate long values, and can cut off the end of a path.
    return named.replaceAll(CUT_PATH, (cut) => {
      const path = cut.slice(0, -1);
      if (!path.startsWith(folder) && !folder.startsWith(path)) return cut;
      const number = /^\/(\d+)-/.exec(path.slice(folder.length))?.[1];
      const upload = uploads.find(({ index }) => index === Number(number));
      if (upload === undefined) return '…';
      return isValue ? `{${upload.index}}…` : upload.file;
    });
  }
  const withInputs = (fix: string, code?: string): string =>
    uploads.length < inputs && code === 'INPUT_NOT_FOUND' ? withServerPaths(fix, folder) : fix;
  const message: CallerNames['message'] = (one) => ({
    ...one,
    message: text(one.message, one.field, true),
    ...(one.allowed !== undefined && { allowed: one.allowed.map((value) => text(value, one.field)) }),
    ...(one.fix !== undefined && { fix: text(withInputs(one.fix, one.code), one.field) }),
  });
  const error: CallerNames['error'] = (cause) => {
    if (!(cause instanceof ClientError)) return cause;
    const { problem } = cause;
    const renamed = new ClientError(cause.kind, text(cause.message), {
      status: cause.status,
      retryAfterSeconds: cause.retryAfterSeconds,
      cause: cause.cause,
      problem: problem && { ...problem, detail: text(problem.detail), errors: problem.errors?.map(message) },
    });
    return new RejectedOptions(renamed, parameters);
  };
  return {
    message,
    job: (job) => ({
      ...message(job),
      ...(job.error !== undefined && { error: message(job.error) }),
      ...(job.warnings !== undefined && { warnings: job.warnings.map(message) }),
    }),
    error,
    rethrow: (cause) => {
      throw error(cause);
    },
  };
}

const CUT_PATH = new RegExp(`${UPLOADS}/[^"…]*…`, 'g');

/** Matches the paths in the fix for a missing input. */
const FOUND_PATHS = /(?<=^Send )"(?:[^"\\]|\\.)*"(?=\.$)|(?<=Files in .*)"(?:[^"\\]|\\.)*"(?=[.,:])/g;

/** Adds `server:` to paths of files on the service. `folder`: the folder of the uploads, whose files are local. */
const withServerPaths = (fix: string, folder: string): string =>
  fix.replaceAll(FOUND_PATHS, (text) => {
    const path = JSON.parse(text) as string;
    return path.startsWith(`${folder}/`) ? text : JSON.stringify(serverPath(path));
  });
