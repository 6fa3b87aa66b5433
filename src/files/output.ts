import type { Caller } from '../domain/client.ts';
import { hint, RETRY_JOB } from '../domain/hint.ts';
import type { JobOutput } from '../domain/job.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { outputLinkPath } from '../domain/output-link-path.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';
import { isFinished } from '../domain/states.ts';
import { parseOutputPath } from './file-path.ts';
import type { OutputsToOpen } from './operations.ts';
import type { FileStore, JobLookup, OpenFile } from './ports.ts';

interface OutputDeps {
  readonly store: FileStore;
  readonly jobs: JobLookup;
}

type Outputs = readonly [JobOutput, ...JobOutput[]];

/** Lists the outputs of a job, the main output first. With `text`, lists only the output at that path. */
export async function listOutputs(
  jobs: JobLookup,
  caller: Caller,
  jobId: string,
  text: string | undefined,
): Promise<Outputs> {
  const { outputs, clientId } = await outputsOf(jobs, caller, jobId);
  return text === undefined ? outputs : [findOutput(outputs, text, await jobs.rootOf(clientId))];
}

/** The outputs of a job, to open several of them: of HLS, there can be thousands. */
export async function outputsToOpen(
  { store, jobs }: OutputDeps,
  caller: Caller,
  jobId: string,
): Promise<OutputsToOpen> {
  const { outputs, clientId } = await outputsOf(jobs, caller, jobId);
  const root = await jobs.rootOf(clientId);
  let byLink: ReadonlyMap<string, JobOutput> | undefined;
  return {
    open: async (text) => openPublished(store, root, text === undefined ? outputs[0] : findOutput(outputs, text, root)),
    openLinked: async (linkPath) => {
      byLink ??= new Map(outputs.map((output) => [outputLinkPath(output.path), output]));
      const output = byLink.get(linkPath);
      if (output === undefined) throw new Problem('FILE_NOT_FOUND', `"${linkPath}" is not an output of this job.`);
      return openPublished(store, root, output);
    },
  };
}

/** Opens the file that a job published. Throws OUTPUT_GONE if it was replaced or changed. */
async function openPublished(store: FileStore, root: MediaRoot, { path, fingerprint }: JobOutput): Promise<OpenFile> {
  const file = await store.open(root, parseOutputPath(path, root)).catch((error: unknown) => {
    throw error instanceof Problem && MISSING.has(error.code) ? outputGone(path) : error;
  });
  if (file.isOutput(fingerprint)) return file;
  await file.close();
  throw outputGone(path);
}

async function outputsOf(jobs: JobLookup, caller: Caller, jobId: string) {
  const { status, clientId, outputs = [] } = await jobs.get(caller, jobId);
  if (!isFinished(status))
    throw new Problem('JOB_NOT_FINISHED', `Job ${jobId} is ${status}. It has outputs once it is COMPLETED.`);
  const [main, ...others] = outputs;
  if (main === undefined)
    throw new Problem('FILE_NOT_FOUND', `Job ${jobId} is ${status} and has no output.`, {
      fix: hint`See why: ${{ do: 'read-job-log', jobId }}; or ${RETRY_JOB}.`,
    });
  return { clientId, outputs: [main, ...others] as const satisfies Outputs };
}

function findOutput(outputs: Outputs, text: string, root: MediaRoot): JobOutput {
  const path = parseOutputPath(text, root);
  const output = outputs.find((one) => one.path === path);
  if (output !== undefined) return output;
  throw invalidRequest([
    {
      field: '/path',
      code: 'NOT_AN_OUTPUT',
      message: `"${path}" is not an output of this job.`,
      allowed: outputs.slice(0, MAX_ALLOWED).map((one) => one.path),
      fix: 'Send a path from "outputs" of the job, or no path for the main output.',
    },
  ]);
}

/** The most outputs that the error lists as allowed. */
const MAX_ALLOWED = 20;

/** The codes that `FileStore.open` throws if an output was deleted. */
const MISSING: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'NOT_A_FILE']);

const outputGone = (path: string): Problem =>
  new Problem('OUTPUT_GONE', `"${path}" was deleted or replaced since this job wrote it.`, {
    fix: hint`For the files that exist now: ${{ do: 'list-files' }}. To convert again, ${RETRY_JOB}.`,
  });
