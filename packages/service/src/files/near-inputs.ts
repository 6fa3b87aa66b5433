import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { sendValue } from '@telecine/contract/domain/edit.ts';
import { withAdvice } from '@telecine/contract/domain/hint.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, Problem, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { FileOperations } from './file-operations.ts';
import { type NearFiles, namesOf } from './near-files.ts';

/*
 * Adds the names of existing files to the fix for a missing input: files in its folder. Names only files of the caller's own media root,
 * and only if the caller may list files.
 */

export interface NearFilesContext {
  /** The client whose files are named: the caller, or the client for whose job an administrator asks. */
  readonly caller: Caller;
  readonly files: Pick<FileOperations, 'near'>;
}

export interface Inputs {
  readonly input?: string | undefined;
  readonly inputs?: readonly (string | { readonly input?: string | undefined })[] | undefined;
  readonly preset?: { readonly arguments?: Readonly<Record<string, unknown>> | undefined } | undefined;
  /** The file with which an analysis or a preview compares the input. */
  readonly reference?: string | undefined;
  readonly original?: string | undefined;
}

/** Finds files in the folder of a missing file. undefined: there are none, or the caller may not list files. */
export async function nearOf(path: string, { caller, files }: NearFilesContext): Promise<NearFiles | undefined> {
  if (!allows(caller, 'files:read')) return undefined;
  // Ignore errors: the names only improve a reply.
  return files.near(caller, path).catch(() => undefined);
}

const CODE = 'INPUT_NOT_FOUND';

/** The maximum number of missing inputs of a request for which folders are searched. */
const MAX_INPUTS = 3;

/** Returns the paths of all inputs of a request, by the JSON Pointers that errors about these inputs have. */
export function inputsByField({ input, inputs = [], preset, ...others }: Inputs): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const name of ['reference', 'original'] as const) {
    const path = others[name];
    if (path !== undefined) fields.set(`/${name}`, path);
  }
  if (input !== undefined) fields.set('/input', input);
  for (const [i, one] of inputs.entries())
    if (typeof one === 'string') fields.set(`/inputs/${i}`, one);
    else if (one.input !== undefined) fields.set(`/inputs/${i}/input`, one.input);
  for (const [name, value] of Object.entries(preset?.arguments ?? {}))
    if (typeof value === 'string') fields.set(`/preset/arguments/${pointerToken(name)}`, value);
  return fields;
}

/** Adds the names of near files to warnings about missing inputs: to the first `MAX_INPUTS` of them. */
export async function withNearFiles(
  warnings: readonly Warning[],
  request: Inputs,
  context: NearFilesContext,
): Promise<readonly Warning[]> {
  const [{ warnings: found = warnings } = {}] = await withNearFilesOfBatch([{ warnings }], [request], context);
  return found;
}

/**
 * Adds the names of near files to the warnings of a batch about missing inputs: to the first `MAX_INPUTS` of them.
 * `requests`: the request of each job.
 */
export async function withNearFilesOfBatch<T extends { readonly warnings?: readonly Warning[] }>(
  jobs: readonly T[],
  requests: readonly Inputs[],
  context: NearFilesContext,
): Promise<readonly T[]> {
  const isMissing = ({ code }: Warning): boolean => code === CODE;
  if (!jobs.some(({ warnings }) => warnings?.some(isMissing))) return jobs;
  let found = 0;
  const named: T[] = [];
  for (const [index, job] of jobs.entries()) {
    const inputs = inputsByField(requests[index] ?? {});
    const result: Warning[] = [];
    for (const one of job.warnings ?? []) {
      const field = one.field?.replace(/^\/requests\/\d+/, '') ?? '';
      const path = isMissing(one) && found < MAX_INPUTS ? inputs.get(field) : undefined;
      if (path !== undefined) found += 1;
      const near = path === undefined ? undefined : await nearOf(path, context);
      result.push(near === undefined ? one : withNear(one, near));
    }
    named.push(job.warnings === undefined ? job : { ...job, warnings: result });
  }
  return named;
}

/** Adds near files to the error or warning about a missing input. Its fix sends the only file whose name differs by a misspelling. */
const withNear = <T extends Pick<FieldError, 'fix'>>(one: T, near: NearFiles): T & Pick<Warning, 'near'> => ({
  ...one,
  fix: near.nearest === undefined ? withAdvice(one.fix, namesOf(near)) : sendValue(near.nearest),
  ...(near.similar.length > 0 && { near: near.similar }),
});

/**
 * If a job of the caller failed because of a missing input, adds the names of near files to the fix, for a model.
 * Returns other jobs unchanged.
 */
export async function filesNearJob(job: Job, context: NearFilesContext): Promise<Job> {
  const { error } = job;
  // The files of other clients are in other media roots, so do nothing for their jobs, which an administrator can read.
  if (error?.code !== CODE || job.clientId !== context.caller.clientId) return job;
  const missing = [...inputsByField(job.request).values()].find((path) => path === error.about?.input);
  const near = missing === undefined ? undefined : await nearOf(missing, context);
  return near === undefined ? job : { ...job, error: { ...error, fix: withAdvice(error.fix, namesOf(near)) } };
}

/** If the input of a probe is missing, adds the names of near files to the problem. Returns other errors unchanged. */
export async function filesNearProbe(error: unknown, path: string, context: NearFilesContext): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== CODE) return error;
  const [first] = error.errors;
  if (first === undefined) return error;
  const near = await nearOf(path, context);
  return near === undefined
    ? error
    : new Problem(error.code, error.message, { errors: [withNear(first, near)], cause: error });
}

/** If an input is a folder, adds the names of its files to the fix. Returns other errors unchanged. */
export async function filesInFolder(error: unknown, request: Inputs, context: NearFilesContext): Promise<unknown> {
  if (!(error instanceof Problem)) return error;
  const inputs = inputsByField(request);
  const first = error.errors.find(({ code, field }) => code === 'IS_DIRECTORY' && inputs.has(field));
  const folder = inputs.get(first?.field ?? '')?.replace(/^\/+|(?<![/.])[/.]+$/g, '');
  const near = folder === undefined || folder === '' ? undefined : await nearOf(`${folder}/file`, context);
  if (near === undefined) return error;
  const errors = error.errors.map((one) => (one === first ? { ...one, fix: namesOf(near) } : one));
  return new Problem(error.code, error.message, { errors, cause: error });
}
