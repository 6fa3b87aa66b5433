import { createHash } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { type Parameters, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import { START_OPTIONS } from '@telecine/contract/domain/converted-part.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { isManifest, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { PreviewImage, PreviewSpec } from '@telecine/contract/domain/preview.ts';
import { type FieldError, invalidRequest, Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { outputLinkPath } from '@telecine/contract/domain/signed-link.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { OpenFile } from '../files/ports.ts';
import { type SharedRuns, sharedRuns } from '../jobs/shared-runs.ts';
import { type Opener, playedFiles } from './manifests/played-files.ts';
import type { PreviewCache } from './ports/preview-cache.ts';
import type { PreviewMaker, PreviewSource, ReadInTurn } from './preview-task.ts';

/** What to preview. Paths are as the caller wrote them. */
export type PreviewSubject =
  | { readonly path: string }
  /** Without `output`: the main output of the job. */
  | { readonly jobId: string; readonly output?: string }
  /** An output of a job. `linkPath`: the path in its signed link. */
  | { readonly jobId: string; readonly linkPath: string };

/** The original, on the left of a comparison: a file of the caller, or the first input of the job (`job input`). */
export type ComparedWith = { readonly path: string } | 'job input';

export interface PreviewTarget {
  readonly path: MediaPath;
  /** Identifies the files and the view of a preview, and changes when a file changes. Clients never see it. */
  readonly fingerprint: string;
  /**
   * Makes the preview, or reads it from the cache. Throws INVALID_REQUEST, INPUT_INVALID, UNSUPPORTED, TIMEOUT,
   * RATE_LIMITED, UNAVAILABLE, NOT_IMPLEMENTED, or the reason of an abort.
   */
  make(signal: AbortSignal): Promise<PreviewImage>;
}

interface FindOptions {
  readonly signal: AbortSignal;
  readonly comparedWith?: ComparedWith | undefined;
}

interface PreviewDeps {
  readonly files: Pick<FileOperations, 'open' | 'outputs'>;
  /** Throws JOB_NOT_FOUND if the job does not exist or the caller may not see it. */
  readonly getJob: (caller: Caller, jobId: string) => Promise<Job>;
  readonly contextOf: (clientId: string) => Promise<{ readonly root: MediaRoot; readonly policy: ClientLimits }>;
  readonly make: PreviewMaker;
  readonly cache: PreviewCache;
  readonly readInTurn: ReadInTurn;
}

type FoundSource = PreviewSource & { readonly fingerprint: string };

/** The operations that make previews of files and of job outputs, for HTTP and MCP. */
export type PreviewOperations = ReturnType<typeof previewOperations>;

export function previewOperations(deps: PreviewDeps) {
  let share: SharedRuns<PreviewImage> | undefined;
  return {
    /** Finds the files of a preview. Throws INVALID_REQUEST, errors of `FileOperations`, and the reason of an abort. */
    find: async (
      caller: Caller,
      subject: PreviewSubject,
      sent: PreviewSpec,
      { signal: ofFind, comparedWith }: FindOptions,
    ): Promise<PreviewTarget> => {
      checkSpec(sent, comparedWith !== undefined);
      const spec = { ...sent, ...(sent.at !== undefined && { at: inMilliseconds(sent.at) }) };
      const isByLink = 'linkPath' in subject;
      const job = 'jobId' in subject ? await deps.getJob(caller, subject.jobId) : undefined;
      const find = async (signal: AbortSignal): Promise<readonly [FoundSource, ...FoundSource[]]> => [
        await findSubject(deps, caller, subject, { spec, signal }),
        ...(comparedWith === undefined
          ? []
          : [await findOriginal(deps, caller, { job, ...subject }, comparedWith, { spec, signal })]),
      ];
      const found = await find(ofFind);
      const clientId = job?.clientId ?? caller.clientId;
      const keyOf = (sources: readonly FoundSource[]): string => previewKey(clientId, sources, spec);
      const fingerprint = keyOf(found);
      return {
        path: found[0].path,
        fingerprint,
        make: async (signal) => {
          const cached = await deps.cache.get(fingerprint);
          if (cached !== undefined) return cached;
          // Only calls of the same caller share a run, because each caller has to wait for its own turn.
          share ??= sharedRuns();
          return share(`${caller.clientId} ${isByLink} ${fingerprint}`, signal, async ({ signal: shared }) => {
            const { root, policy } = clientId === caller.clientId ? caller : await deps.contextOf(clientId);
            const sources = found.toReversed().map(({ fingerprint: _, ...source }) => source);
            const task = { callerId: caller.clientId, isByLink, clientId, root, policy, spec, sources };
            const image = await deps.make(task, shared);
            // The file may have been replaced while the preview was made, so check that it is still the same.
            if (keyOf(await find(shared)) !== fingerprint) throw replaced();
            // A worker of an earlier version finds no facts of the file: make the image again when all workers do.
            if (image.file !== undefined) await deps.cache.put(fingerprint, image);
            return image;
          });
        },
      };
    },
  };
}

/**
 * Rounds a time down to milliseconds. Finer times would show the same frame and fill the cache. Rounding up could lead
 * past the end, which is an error.
 */
const inMilliseconds = (seconds: number): number => Math.floor(seconds * 1000 + 1e-6) / 1000;

const replaced = (): Problem =>
  new Problem('UNAVAILABLE', 'The file was replaced while its preview was made. Retry in 1 s.', {
    retryAfterSeconds: 1,
  });

async function findSubject(
  { files, readInTurn }: PreviewDeps,
  caller: Caller,
  subject: PreviewSubject,
  { spec, signal }: { readonly spec: PreviewSpec; readonly signal: AbortSignal },
): Promise<FoundSource> {
  const read = (file: OpenFile, open: Opener): Promise<FoundSource> =>
    sourceOf(file, spec, open, signal, (run) => readInTurn(caller.clientId, 'linkPath' in subject, signal, run));
  if ('path' in subject) {
    const open = (path: string) => files.open(caller, path);
    return read(await open(subject.path), open);
  }
  const outputs = await files.outputs(caller, subject.jobId);
  // In a job, a manifest can only show other outputs of the job, because a link gives access to nothing else.
  return 'linkPath' in subject
    ? read(await outputs.openLinked(subject.linkPath), (path) => outputs.openLinked(outputLinkPath(path)))
    : read(await outputs.open(subject.output), (path) => outputs.open(path));
}

/**
 * Finds the original of a comparison. An administrator can see the outputs of all clients, but only the
 * files in the media root of the administrator.
 */
async function findOriginal(
  deps: PreviewDeps,
  caller: Caller,
  { job, output }: { readonly job: Job | undefined; readonly output?: string | undefined },
  comparedWith: ComparedWith,
  options: { readonly spec: PreviewSpec; readonly signal: AbortSignal },
): Promise<FoundSource> {
  if (job !== undefined && job.clientId !== caller.clientId)
    throw invalidRequest([
      {
        field: '/compare',
        code: 'NOT_YOURS',
        message: 'This job belongs to another client, whose files you cannot read.',
      },
    ]);
  const find = (path: string): Promise<FoundSource> =>
    findSubject(deps, caller, { path }, options).catch(throwOfCompare);
  if (comparedWith !== 'job input') return find(comparedWith.path);
  if (job === undefined) throw new Error('Only a preview of a job can be compared with its input.');
  const { path, part } = firstInput(job, output);
  return { ...(await find(path)), part };
}

/** Codes of problems with a path or with its file. */
const OF_FILE: ReadonlySet<ProblemCode> = new Set([
  ...(['INVALID_REQUEST', 'FILE_NOT_FOUND', 'NOT_A_FILE', 'UNSUPPORTED', 'INPUT_INVALID'] as const),
]);

/**
 * Changes the field of an error about the original to `compare`. Otherwise, the error would seem to be about the
 * previewed file.
 */
function throwOfCompare(error: unknown): never {
  if (!(error instanceof Problem) || !OF_FILE.has(error.code)) throw error;
  const { code, message, fix } = error;
  const own = { code, message, ...(fix !== undefined && { fix }) };
  const errors = (error.errors.length === 0 ? [own] : error.errors).map((one) => ({ ...one, field: '/compare' }));
  throw new Problem(code, message, { errors, ...(fix !== undefined && { fix }), cause: error });
}

/** Returns the source of a preview: the file itself or, for a manifest, the files that a player reads. */
async function sourceOf(
  file: OpenFile,
  { view }: PreviewSpec,
  open: Opener,
  signal: AbortSignal,
  inTurn: <T>(read: () => Promise<T>) => Promise<T>,
): Promise<FoundSource> {
  const { path, fingerprint } = file;
  if (!isManifest(path)) {
    await file.close();
    return { path, fingerprint };
  }
  const kind = view === 'frame' || view === 'sheet' ? 'video' : 'audio';
  let isRead = false;
  const played = await inTurn(() => {
    isRead = true;
    return playedFiles(file, kind, open, signal);
  }).catch(async (error: unknown) => {
    if (!isRead) await file.close();
    throw error;
  });
  const all = [fingerprint, ...played.map((part) => [part.path, part.fingerprint])];
  return {
    path,
    parts: played.map((part) => part.path),
    fingerprint: createHash('sha256').update(JSON.stringify(all)).digest('hex'),
  };
}

/** Throws INVALID_REQUEST for arguments that the view does not support. */
function checkSpec({ view, at, columns, rows }: PreviewSpec, isComparison: boolean): void {
  const isAudio = view === 'waveform' || view === 'spectrogram';
  const errors = [
    ...(at !== undefined && view !== 'frame' ? [noEffect('at', view, 'frame')] : []),
    ...(['columns', 'rows'] as const).flatMap((name) =>
      ({ columns, rows })[name] !== undefined && view !== 'sheet' ? [noEffect(name, view, 'sheet')] : [],
    ),
    ...(isComparison && isAudio ? [noEffect('compare', view, 'frame')] : []),
  ];
  if (errors.length > 0) throw invalidRequest(errors);
}

const noEffect = (name: string, view: string, other: string): FieldError => ({
  field: `/${name}`,
  code: 'NO_EFFECT',
  message: `The view "${view}" has no "${name}". The view "${other}" has it.`,
});

/**
 * Finds the first input of a job that is a file, and what chose the part of it that was converted. Throws UNSUPPORTED if
 * no input is a file.
 *
 * @param output The path of the output, as the request has it. undefined: the first one.
 */
function firstInput(
  { request }: Job,
  output: string | undefined,
): { readonly path: string } & Required<Pick<PreviewSource, 'part'>> {
  const inputs = request.inputs ?? [request.input ?? ''];
  const first = inputs.find((one) => pathOfInput(one) !== undefined);
  const path = first && pathOfInput(first);
  if (first === undefined || path === undefined)
    throw new Problem('UNSUPPORTED', 'No input of this job is a file.', {});
  if (isUrl(path))
    throw new Problem('UNSUPPORTED', 'The input of this job was fetched from a URL, and is not stored.', {});
  const own = typeof first === 'string' ? undefined : first.parameters;
  const spec = request.outputs?.find((one) => output === undefined || one.output === output);
  const ofOutput = { ...request.parameters, ...spec?.parameters };
  return { path, part: { input: startOptions(own), output: startOptions(ofOutput) } };
}

/** The options that choose the start of a part. A worker needs no others, which may hold keys. */
const startOptions = (options: Parameters = {}): Parameters =>
  Object.fromEntries(Object.entries(options).filter(([name]) => START_OPTIONS.has(name)));

/** Increase this number if the same request is to give another image, or other facts, than before. */
const KEY_VERSION = 5;

/**
 * Returns the cache key of a preview, 64 hexadecimal digits. It depends on everything that changes the image, and on
 * the client, so that clients never share an entry.
 */
function previewKey(clientId: string, sources: readonly FoundSource[], spec: PreviewSpec): string {
  const { view, at, columns, rows, width, format } = spec;
  const parts = [
    KEY_VERSION,
    clientId,
    sources.map(({ path, part, fingerprint }) => [path, fingerprint, part ?? null]),
    [view, at ?? null, columns ?? null, rows ?? null, width ?? null, format ?? null],
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
