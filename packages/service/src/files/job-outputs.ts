import { allOutputs } from '@telecine/contract/domain/all-outputs.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { type Job, type JobOutput, outputCountOf } from '@telecine/contract/domain/job.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { MAX_ZIP_FILES } from '@telecine/contract/domain/share.ts';
import { linkedPaths } from '@telecine/contract/domain/signed-link.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { isMissingFile, parseOutputPath } from './file-path.ts';
import { type NamedFile, type NamedFiles, sharedFolder, titleOf } from './named-files.ts';
import type { FileStore, JobLookup, OpenFile } from './ports.ts';

/** Gives access to the outputs of a job. An HLS output can have thousands, so only `all` reads all of their records. */
export interface OutputsToOpen {
  /** The client of the job, in whose media root the outputs are. */
  readonly clientId: string;
  /** The name of the main output without its extension. */
  readonly title: string;
  readonly count: number;
  /** Finds the output at `path`. Throws INVALID_REQUEST if `path` is not an output of the job. */
  find(path: string): Promise<JobOutput>;
  /**
   * Opens the output at `path`. Default: the main output. Throws INVALID_REQUEST if `path` is not an output of the job,
   * and OUTPUT_GONE if the file was deleted or changed.
   */
  open(path?: string): Promise<OpenFile>;
  /**
   * Opens the output whose `outputLinkPath` is `linkPath`. Throws FILE_NOT_FOUND if there is none, and OUTPUT_GONE like
   * `open`.
   */
  openLinked(linkPath: string): Promise<OpenFile>;
  /** Finds the output at `folder` and `name`. Resolves to undefined if there is none. */
  named(folder: string, name: string): Promise<NamedFile | undefined>;
  /** The first outputs, at most `most`, with their names below `folder`. */
  first(folder: string, most: number): Promise<readonly NamedFile[]>;
  /**
   * All outputs, to send them together. `folder`: the folder that all share, if it is known. Throws TOO_MANY_FILES if
   * there are more than `MAX_ZIP_FILES`.
   */
  all(folder?: string): Promise<NamedOutputs>;
}

/** Outputs that are sent together. */
export interface NamedOutputs extends NamedFiles {
  /** The folder that all outputs share, which their names leave out. It ends with a slash, or is ''. */
  readonly folder: string;
}

interface OutputDeps {
  readonly store: FileStore;
  readonly jobs: JobLookup;
}

/**
 * Finds a job, and gives access to its outputs. Throws JOB_NOT_FOUND, JOB_NOT_FINISHED, or FILE_NOT_FOUND if the job
 * has no outputs.
 */
export async function outputsToOpen(
  { store, jobs }: OutputDeps,
  caller: Caller,
  jobId: string,
): Promise<OutputsToOpen> {
  const { job, main } = await jobWithOutputs(jobs, caller, jobId);
  const root = await jobs.rootOf(job.clientId);
  const find = outputFinder(jobs, job);
  const findNamed = (text: string) => requireOutput(find, job, parseOutputPath(text, root));
  const title = titleOf(main.path);
  const openable = (output: JobOutput): Openable => ({ ...output, open: () => openPublished(store, root, output) });
  return {
    clientId: job.clientId,
    title,
    count: outputCountOf(job),
    find: findNamed,
    open: async (text) => openPublished(store, root, text === undefined ? main : await findNamed(text)),
    openLinked: async (linkPath) => {
      for (const path of linkedPaths(linkPath)) {
        const output = await find(path);
        if (output !== undefined) return openPublished(store, root, output);
      }
      throw new Problem('FILE_NOT_FOUND', `"${linkPath}" is not an output of this job.`);
    },
    named: async (folder, name) => {
      const output = await find(folder + name);
      return output && named(folder, openable(output));
    },
    first: async (folder, most) => {
      const { outputs = [] } = job;
      const more = Math.min(most, outputCountOf(job)) - outputs.length;
      const others = more > 0 ? await jobs.outputs(jobId, outputs.length, more) : [];
      return [...outputs, ...others].slice(0, most).map((output) => named(folder, openable(output)));
    },
    all: async (folder) => namedOutputs(await openableOutputs({ store, jobs }, job, root), title, folder),
  };
}

/** An output of a job, and how to open it. */
interface Openable extends JobOutput {
  open(): Promise<OpenFile>;
}

const named = (folder: string, { path, sizeBytes, open }: Openable): NamedFile => ({
  name: path.slice(folder.length),
  sizeBytes,
  open,
});

/** Gives outputs the names under which they are sent together. Throws TOO_MANY_FILES. */
function namedOutputs(
  outputs: readonly Openable[],
  title: string,
  folder = sharedFolder(outputs.map(({ path }) => path)),
): NamedOutputs {
  if (outputs.length > MAX_ZIP_FILES) throw tooManyFiles(outputs.length);
  return { title, folder, files: outputs.map((output) => named(folder, output)) };
}

/** All outputs of a job. Throws TOO_MANY_FILES before it reads their records. */
async function openableOutputs({ store, jobs }: OutputDeps, job: Job, root: MediaRoot): Promise<readonly Openable[]> {
  const count = outputCountOf(job);
  if (count > MAX_ZIP_FILES) throw tooManyFiles(count);
  const all: Openable[] = [];
  for await (const part of allOutputs(jobs.outputs, job))
    for (const output of part) all.push({ ...output, open: () => openPublished(store, root, output) });
  return all;
}

/**
 * All outputs of the completed jobs of a batch, to send them together. If two jobs have written the same path, the last one counts. Throws
 * FILE_NOT_FOUND, TOO_MANY_FILES.
 */
export async function batchOutputs(deps: OutputDeps, jobs: AsyncIterable<Job>): Promise<NamedFiles> {
  const byPath = new Map<string, Openable>();
  let root: MediaRoot | undefined;
  for await (const job of jobs) {
    if (job.status !== 'COMPLETED' || job.outputsExpired === true || outputCountOf(job) === 0) continue;
    // All jobs of a batch belong to one client.
    root ??= await deps.jobs.rootOf(job.clientId);
    for (const output of await openableOutputs(deps, job, root)) byPath.set(output.path, output);
    if (byPath.size > MAX_ZIP_FILES) throw tooManyFiles(byPath.size);
  }
  if (byPath.size === 0) throw new Problem('FILE_NOT_FOUND', 'No job of this batch has outputs now.');
  return namedOutputs([...byPath.values()], 'outputs');
}

const tooManyFiles = (count: number): Problem =>
  new Problem('TOO_MANY_FILES', `These are ${count} files, and at most ${MAX_ZIP_FILES} are sent together.`, {
    fix: 'Download the outputs one by one.',
  });

/** Finds an output of a job by its path. Resolves to undefined if there is none. */
type FindOutput = (path: string) => Promise<JobOutput | undefined>;

/**
 * Creates the function that finds outputs of a job. It keeps what it reads, because the next output is usually in the
 * same stored part.
 */
function outputFinder(jobs: Pick<JobLookup, 'outputsNear'>, job: Job): FindOutput {
  const { jobId, outputs = [] } = job;
  const known = new Map(outputs.map((output) => [output.path, output]));
  const isComplete = outputCountOf(job) <= outputs.length;
  // Read one part after the other, because what one call reads may answer the next ones.
  let reading: Promise<unknown> = Promise.resolve();
  const read = async (path: string): Promise<void> => {
    if (known.has(path)) return;
    for (const output of await jobs.outputsNear(jobId, path)) known.set(output.path, output);
  };
  return async (path) => {
    // No path contains NUL, and PostgreSQL rejects a query with it.
    if (!known.has(path) && !isComplete && !path.includes('\0')) {
      const last = reading.catch(() => undefined).then(() => read(path));
      reading = last;
      await last;
    }
    return known.get(path);
  };
}

/** Opens a published file. Throws OUTPUT_GONE if the file was deleted or changed. */
async function openPublished(store: FileStore, root: MediaRoot, { path, fingerprint }: JobOutput): Promise<OpenFile> {
  const file = await store.open(root, parseOutputPath(path, root)).catch((error: unknown) => {
    throw isMissingFile(error) ? outputGone(path) : error;
  });
  if (file.isOutput(fingerprint)) return file;
  await file.close();
  throw outputGone(path);
}

async function jobWithOutputs(
  jobs: JobLookup,
  caller: Caller,
  jobId: string,
): Promise<{ readonly job: Job; readonly main: JobOutput }> {
  const job = await jobs.get(caller, jobId);
  const { status, outputs: [main] = [] } = job;
  if (!isFinished(status))
    throw new Problem('JOB_NOT_FINISHED', `Job ${jobId} is ${status}. It has outputs once it is COMPLETED.`, {
      fix: hint`Wait for its end: ${{ do: 'wait-for-job', jobId }}.`,
    });
  if (main === undefined)
    throw new Problem('FILE_NOT_FOUND', `Job ${jobId} is ${status} and has no output.`, {
      fix: hint`See why: ${{ do: 'read-job-log', jobId }}; or ${RETRY_JOB}.`,
    });
  return { job, main };
}

async function requireOutput(find: FindOutput, { jobId, outputs = [] }: Job, path: string): Promise<JobOutput> {
  const output = await find(path);
  if (output !== undefined) return output;
  throw invalidRequest([
    {
      field: '/path',
      code: 'NOT_AN_OUTPUT',
      message: `"${path}" is not an output of this job.`,
      allowed: outputs.slice(0, MAX_ALLOWED).map((one) => one.path),
      fix: hint`Send the path of an output, or no path for the main output. For all outputs: ${{ do: 'list-outputs', jobId }}.`,
    },
  ]);
}

/** The maximum number of outputs that the error lists as allowed values. */
const MAX_ALLOWED = 20;

const outputGone = (path: string): Problem =>
  new Problem('OUTPUT_GONE', `"${path}" was deleted or replaced since this job wrote it.`, {
    fix: hint`For the files that exist now: ${{ do: 'list-files' }}. To convert again, ${RETRY_JOB}.`,
  });
