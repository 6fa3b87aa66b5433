import type { Caller } from '../domain/client.ts';
import { hint, RETRY_JOB } from '../domain/hint.ts';
import type { JobOutput } from '../domain/job.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';
import { isFinished } from '../domain/states.ts';
import { filePath } from './file-path.ts';
import type { FileStore, JobLookup, OpenFile } from './ports.ts';

type Outputs = readonly [JobOutput, ...JobOutput[]];

/** What a job made, the output itself first, or the one file of it that is asked for. */
export async function outputs(
  jobs: JobLookup,
  caller: Caller,
  jobId: string,
  asked: string | undefined,
): Promise<Outputs> {
  const { made, clientId } = await madeBy(jobs, caller, jobId);
  return asked === undefined ? made : [named(made, asked, await jobs.rootOf(clientId))];
}

/** Opens what a job made, as long as that very file is there. */
export async function output(
  deps: { readonly store: FileStore; readonly jobs: JobLookup },
  caller: Caller,
  jobId: string,
  asked: string | undefined,
): Promise<OpenFile> {
  const { made, clientId } = await madeBy(deps.jobs, caller, jobId);
  const root = await deps.jobs.rootOf(clientId);
  const { path, fingerprint } = asked === undefined ? made[0] : named(made, asked, root);
  const file = await deps.store.open(root, filePath(path, root)).catch((error: unknown) => {
    throw error instanceof Problem && GONE.has(error.code) ? gone(path) : error;
  });
  if (file.fingerprint === fingerprint) return file;
  await file.close();
  throw gone(path);
}

async function madeBy(jobs: JobLookup, caller: Caller, jobId: string) {
  const { status, clientId, outputs: made = [] } = await jobs.get(caller, jobId);
  if (!isFinished(status))
    throw new Problem('JOB_NOT_FINISHED', `Job ${jobId} is ${status}; its output is there once it is COMPLETED.`);
  const [first, ...more] = made;
  if (first === undefined)
    throw new Problem('FILE_NOT_FOUND', `Job ${jobId} is ${status} and has no output.`, {
      fix: hint`See why: ${{ do: 'read-job-log', jobId }}; or ${RETRY_JOB}.`,
    });
  return { clientId, made: [first, ...more] as const satisfies Outputs };
}

function named(made: Outputs, asked: string, root: MediaRoot): JobOutput {
  const path = filePath(asked, root);
  const found = made.find((one) => one.path === path);
  if (found !== undefined) return found;
  throw invalidRequest([
    {
      field: '/path',
      code: 'NOT_AN_OUTPUT',
      message: 'This is none of the files that the job made.',
      allowed: made.slice(0, MOST_NAMED).map((one) => one.path),
      fix: 'Send one of "outputs" of the job, or leave the path out for the output itself.',
    },
  ]);
}

const MOST_NAMED = 20;

/** What opening a file says where the job's is no longer there. */
const GONE: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'NOT_A_FILE']);

const gone = (path: string): Problem =>
  new Problem('OUTPUT_GONE', `"${path}" is not the file that this job made: it was deleted or replaced since.`, {
    fix: hint`For what is there now: ${{ do: 'list-files' }}. To make it again, ${RETRY_JOB}.`,
  });
