import { join } from 'node:path';
import { ClientError } from '@telecine/client/client-error.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import { RejectedOptions } from '../../exit-status.ts';
import type { CommandParameters } from '../../session/parameters.ts';
import { type LocalOutput, serverPath, UPLOADS } from './file-names.ts';

interface FileUpload {
  readonly file: string;
  readonly path: string;
}

/** A local input, and its path in the media root after the upload. For an image sequence, both are file name patterns. */
export interface InputUpload extends FileUpload {
  /** The files of an image sequence. Absent for one file. */
  readonly frames?: readonly FileUpload[];
  /** The number of the input: in values of options, `{0}` stands for its path. */
  readonly index: number;
  /** The argument of the recipe that names it. */
  readonly role?: string;
}

export const filesOf = (uploads: readonly InputUpload[]): readonly FileUpload[] =>
  uploads.flatMap(({ frames, ...file }) => frames ?? [file]);

/** The files of one command: where they are on the service, and where on this machine. */
export interface CommandFiles {
  /** The folder of the command in the media root. */
  readonly folder: string;
  readonly uploads: readonly InputUpload[];
  /** The number of inputs, including inputs on the service. Default: the uploads. */
  readonly inputs?: number | undefined;
  /** The local output, and the prefix of its paths on the service. Absent if the output stays on the service. */
  readonly fetch?: (LocalOutput & { readonly base: string }) | undefined;
  /** The options of the request, as the caller wrote them. */
  readonly parameters?: CommandParameters;
}

/** A message of the service, about the `field` of the request. */
interface Message {
  readonly field?: string | undefined;
  readonly code?: string | undefined;
  readonly message: string;
  readonly allowed?: string[] | undefined;
  readonly fix?: string | undefined;
}

/** Replaces paths of the service in its messages by the paths of the command. */
export interface CallerNames {
  message<T extends Message>(message: T): T;
  job(job: JobView): JobView;
  /** Returns an error that is not a `ClientError` unchanged. */
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
  /** @param isMessage Whether the text is a message, where a quoted path is a file and not a value. */
  function text(sent: string, field = '', isMessage = false): string {
    // In the value of an option, the command has {0} instead of the path.
    const isValue = field.includes('/parameters/');
    let named = sent;
    // A whole input in a fix is an argument of the command, not a part of a value.
    for (const { file, path } of uploads)
      named = named.replaceAll(`"input":${JSON.stringify(path)}`, () => `"input":${JSON.stringify(file)}`);
    if (isMessage) for (const { file, path } of uploads) named = named.replaceAll(`"${path}"`, () => `"${file}"`);
    for (const { file, path, index } of uploads) named = named.replaceAll(path, () => (isValue ? `{${index}}` : file));
    if (named.includes(folder))
      for (const { frames = [] } of uploads)
        for (const { file, path } of frames) named = named.replaceAll(path, () => file);
    if (fetch !== undefined) named = named.replaceAll(fetch.base, () => join(fetch.folder, '/').replace(/^\.\//, ''));
    // Messages truncate long values, and so possibly a path in them.
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
    uploads.length < inputs ? withServerInputs({ fix, code }, folder) : fix;
  const message: CallerNames['message'] = (one) => ({
    ...one,
    message: text(one.message, one.field, true),
    ...(one.allowed !== undefined && { allowed: one.allowed.map((value) => text(value, one.field)) }),
    ...(one.fix !== undefined && {
      fix: filterFileFix(one.message, uploads, inputs) ?? text(withInputs(one.fix, one.code), one.field),
    }),
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

/** The message of the service about a file of a filter that is not an input. The service truncates long paths. */
const NOT_AN_INPUT = /^The filter "(\w+)" reads the file "([^"…]+)", which is not an input of the request/;

/**
 * The fix for a file that a filter reads, if the file is not an input: names it by the number of its input. undefined for other
 * messages, and if all inputs are on the service.
 */
function filterFileFix(message: string, uploads: readonly InputUpload[], inputs: number): string | undefined {
  const [, filter, file] = NOT_AN_INPUT.exec(message) ?? [];
  if (filter === undefined || file === undefined || uploads.length === 0) return undefined;
  const sent = uploads.find((upload) => upload.file === file);
  const placeholder = `{${sent?.index ?? inputs}}`;
  const write = `rite ${placeholder} instead of ${file} in the value: ${filter}=${placeholder}`;
  return sent === undefined ? `Add ${file} as input, after the others, and w${write}.` : `W${write}.`;
}

/** The path of an input in a fix: the member `input`, or a text in `inputs`. */
const INPUT_PATH = /(?<="input":\s?)"(?:[^"\\]|\\.)*"|(?<="inputs":\s?\[(?:[^\]]*,)?\s?)"(?:[^"\\]|\\.)*"(?=\s?[,\]])/g;
/** The paths in the fix for a missing input. */
const FOUND_PATHS = /(?<=^Send )"(?:[^"\\]|\\.)*"(?=\.$)|(?<=\. Files in .*)"(?:[^"\\]|\\.)*"(?=[.,:])/g;

/** Names the inputs in a fix that are on the service as the command line does. `folder`: the folder of the uploads. */
function withServerInputs(
  { fix, code }: { readonly fix: string; readonly code?: string | undefined },
  folder: string,
): string {
  const paths = code === 'INPUT_NOT_FOUND' && fix.search(FOUND_PATHS) >= 0 ? FOUND_PATHS : INPUT_PATH;
  return fix.replaceAll(paths, (text) => {
    const path = JSON.parse(text) as string;
    return path.startsWith(`${folder}/`) ? text : JSON.stringify(serverPath(path));
  });
}
