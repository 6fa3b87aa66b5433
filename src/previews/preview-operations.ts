import { createHash } from 'node:crypto';
import type { Caller } from '../domain/client.ts';
import type { ClientLimits } from '../domain/client-limits.ts';
import { leaveOut } from '../domain/edit.ts';
import type { Job } from '../domain/job.ts';
import { isManifest } from '../domain/media-path.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import type { PreviewImage, PreviewSpec } from '../domain/preview.ts';
import { invalidRequest, Problem, type ProblemCode } from '../domain/problem.ts';
import { outputLinkPath } from '../domain/signed-link.ts';
import type { FileOperations } from '../files/operations.ts';
import type { OpenFile } from '../files/ports.ts';
import { checkSpec } from './check-spec.ts';
import { firstInput } from './job-input.ts';
import { type Opener, playedFiles } from './manifests/played-files.ts';
import type { ComparedWith, PreviewOperations, PreviewSubject } from './operations.ts';
import type { PreviewCache, PreviewMaker, PreviewSource, ReadInTurn } from './ports.ts';
import { previewKey } from './preview-key.ts';
import { sharedRuns } from './shared-runs.ts';

export interface PreviewDeps {
  readonly files: Pick<FileOperations, 'open' | 'outputs'>;
  /** Throws JOB_NOT_FOUND, also for a job that the caller may not see. */
  readonly getJob: (caller: Caller, jobId: string) => Promise<Job>;
  readonly contextOf: (clientId: string) => Promise<{ readonly root: MediaRoot; readonly policy: ClientLimits }>;
  readonly make: PreviewMaker;
  readonly cache: PreviewCache;
  readonly readInTurn: ReadInTurn;
}

/** A file that was found. */
type FoundSource = PreviewSource & { readonly fingerprint: string };

export function previewOperations(deps: PreviewDeps): PreviewOperations {
  const share = sharedRuns<PreviewImage>();
  return {
    find: async (caller, subject, sent, { signal: ofFind, comparedWith }) => {
      checkSpec(sent, comparedWith !== undefined);
      const spec = { ...sent, ...(sent.at !== undefined && { at: inMilliseconds(sent.at) }) };
      const isByLink = 'linkPath' in subject;
      const job = 'jobId' in subject ? await deps.getJob(caller, subject.jobId) : undefined;
      const find = async (signal: AbortSignal): Promise<readonly [FoundSource, ...FoundSource[]]> => [
        await findSubject(deps, caller, subject, { spec, signal }),
        ...(comparedWith === undefined ? [] : [await findOriginal(deps, caller, { job, comparedWith, spec, signal })]),
      ];
      const found = await find(ofFind);
      const clientId = job?.clientId ?? caller.clientId;
      const keyOf = (sources: readonly FoundSource[]): string => previewKey({ clientId, sources, spec });
      const fingerprint = keyOf(found);
      return {
        path: found[0].path,
        fingerprint,
        make: async (signal) => {
          const cached = await deps.cache.get(fingerprint);
          if (cached !== undefined) return cached;
          // Not for all together: whose call it is decides about its turn.
          return share(`${caller.clientId} ${isByLink} ${fingerprint}`, signal, async (shared) => {
            const { root, policy } = clientId === caller.clientId ? caller : await deps.contextOf(clientId);
            const sources = found.toReversed().map(({ fingerprint: _, ...source }) => source);
            const task = { callerId: caller.clientId, isByLink, clientId, root, policy, spec, sources };
            const image = await deps.make(task, shared);
            // The picture may be of a file that has replaced the one that was found.
            if (keyOf(await find(shared)) !== fingerprint) throw replaced();
            await deps.cache.put(fingerprint, image);
            return image;
          });
        },
      };
    },
  };
}

/** Finer times are of the same frame, and would all be kept. Never later, because a time after the end is an error. */
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
  const inTurn: Reading['inTurn'] = (read) => readInTurn(caller.clientId, 'linkPath' in subject, signal, read);
  if ('path' in subject) {
    const open = (path: string) => files.open(caller, path);
    return sourceOf(await open(subject.path), spec, { open, inTurn, signal });
  }
  const outputs = await files.outputs(caller, subject.jobId);
  // Of a job, a manifest shows outputs only: whoever has a link may read no other file.
  return 'linkPath' in subject
    ? sourceOf(await outputs.openLinked(subject.linkPath), spec, {
        open: (path) => outputs.openLinked(outputLinkPath(path)),
        inTurn,
        signal,
      })
    : sourceOf(await outputs.open(subject.output), spec, { open: (path) => outputs.open(path), inTurn, signal });
}

/** An administrator may see the outputs of all clients, but only their own files. */
async function findOriginal(
  { files, readInTurn }: PreviewDeps,
  caller: Caller,
  {
    job,
    comparedWith,
    spec,
    signal,
  }: {
    readonly job: Job | undefined;
    readonly comparedWith: ComparedWith;
    readonly spec: PreviewSpec;
    readonly signal: AbortSignal;
  },
): Promise<FoundSource> {
  if (job !== undefined && job.clientId !== caller.clientId)
    throw invalidRequest([
      {
        field: '/compare',
        code: 'NOT_YOURS',
        message: 'This job belongs to another client, whose files you cannot read.',
        fix: leaveOut('compare'),
      },
    ]);
  const open = (path: string) => files.open(caller, path);
  const inTurn: Reading['inTurn'] = (read) => readInTurn(caller.clientId, false, signal, read);
  const find = async (path: string): Promise<FoundSource> => sourceOf(await open(path), spec, { open, inTurn, signal });
  if (comparedWith !== 'job input') return find(comparedWith.path).catch(throwOfCompare);
  if (job === undefined) throw new Error('Only a preview of a job can be compared with its input.');
  const { path, offset } = firstInput(job);
  return { ...(await find(path).catch(throwOfCompare)), ...(offset !== undefined && { offset }) };
}

/** What is wrong with the path of a file, or with what is there. */
const OF_FILE: ReadonlySet<ProblemCode> = new Set([
  ...(['INVALID_REQUEST', 'FILE_NOT_FOUND', 'NOT_A_FILE', 'UNSUPPORTED', 'INPUT_INVALID'] as const),
]);

/** Throws an error about the compared file as one at `compare`: without it, the file of the preview would seem to be meant. */
function throwOfCompare(error: unknown): never {
  if (!(error instanceof Problem) || !OF_FILE.has(error.code)) throw error;
  const { code, message, fix } = error;
  const own = { code, message, ...(fix !== undefined && { fix }) };
  const errors = (error.errors.length === 0 ? [own] : error.errors).map((one) => ({ ...one, field: '/compare' }));
  throw new Problem(code, message, { errors, ...(fix !== undefined && { fix }), cause: error });
}

/** How the files of a preview are opened, and manifests are read. */
interface Reading {
  readonly open: Opener;
  readonly inTurn: <T>(read: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

/** What is shown of a file: the file itself, or what a player of it reads. */
async function sourceOf(
  file: OpenFile,
  { view }: PreviewSpec,
  { open, inTurn, signal }: Reading,
): Promise<FoundSource> {
  const { path, fingerprint } = file;
  if (!isManifest(path)) {
    await file.close();
    return { path, fingerprint };
  }
  const kind = view === 'frame' || view === 'sheet' ? 'picture' : 'sound';
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
