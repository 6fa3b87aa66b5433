import { allows } from '@telecine/contract/domain/client.ts';
import { sendValue } from '@telecine/contract/domain/edit.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { areOfOneKind } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { Problem, pointerToken } from '@telecine/contract/domain/problem.ts';
import { IMAGES, wildcardAdvice } from '@telecine/contract/domain/wildcard.ts';
import {
  type Inputs,
  type MissingInput,
  matchingFiles,
  type NearFilesContext,
  nearOf,
  sendExisting,
  sendInputs,
} from './existing-inputs.ts';
import { namesOf } from './near-files.ts';

/*
 * Adds the names of existing files to the fix for a missing input. Names only files of the caller's own media root,
 * and only if the caller may list files. A near file has a similar name, or is in the same or a similar folder.
 */

const CODE = 'INPUT_NOT_FOUND';

/** Whether the fix for this missing input already explains how to send a pattern of images. */
const isImagePattern = (path: string): boolean => wildcardAdvice(path)?.isSequence === true;

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
      const missing = { field, request: requests[index] ?? {} };
      result.push(path === undefined ? one : { ...one, ...(await fixOf(one.fix, path, missing, context)) });
    }
    named.push(job.warnings === undefined ? job : { ...job, warnings: result });
  }
  return named;
}

/**
 * Returns a fix for a missing input, and the files with similar names, if there are near files. If the path has a folder, the fix does not send a file
 * with the same name from another folder, which may be another video, such as `season2/e01.mp4` for `season1/e01.mp4`.
 */
async function fixOf(
  fix: Hint | undefined,
  path: string,
  missing: MissingInput,
  context: NearFilesContext,
): Promise<Pick<Warning, 'fix' | 'near'>> {
  const sent = await sendExisting(path, missing, context);
  if (sent !== undefined) return { fix: sent };
  const near = isImagePattern(path) ? undefined : await nearOf(fix, path, context);
  if (near === undefined) return {};
  const same = near.isSameName === true ? near.paths[0] : near.paths.find((other) => isSameName(other, path));
  if (same !== undefined && WITHOUT_FOLDER.test(path)) return { fix: sendValue(same), near: [same] };
  const shown =
    same === undefined
      ? near
      : { ...near, paths: [same], similar: near.similar.filter((one) => one === same), isSameName: true as const };
  return { fix: withAdvice(fix, namesOf(shown)), ...(shown.similar.length > 0 && { near: shown.similar }) };
}

/** Matches a file name without a folder, or an absolute path of a host. */
const WITHOUT_FOLDER = /^(?:(?:\.[\\/])?[^\\/]*$|[\\/~]|[a-z]:[\\/])/i;

/**
 * If a job of the caller failed because of a missing input, adds the names of near files to the fix, for a model.
 * Returns other jobs unchanged.
 */
export async function filesNearJob(job: Job, context: NearFilesContext): Promise<Job> {
  const { error } = job;
  // The files of other clients are in other media roots, so do nothing for their jobs, which an administrator can read.
  if (error?.code !== CODE || job.clientId !== context.caller.clientId) return job;
  const missing = [...inputsByField(job.request).values()].find((path) => path === error.about?.input);
  if (missing === undefined || isImagePattern(missing)) return job;
  const near = await nearOf(error.fix, missing, context);
  return near === undefined ? job : { ...job, error: { ...error, fix: withAdvice(error.fix, namesOf(near)) } };
}

/** If the input of a probe is missing, adds the names of near files to the problem. Returns other errors unchanged. */
export async function filesNearProbe(error: unknown, path: string, context: NearFilesContext): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== CODE) return error;
  const [first] = error.errors;
  if (first === undefined) return error;
  const own = wildcardAdvice(path) === undefined ? first.fix : 'Send one path at a time.';
  const near = await nearOf(own, path, context);
  if (near === undefined) return error;
  const errors = [{ ...first, fix: withAdvice(own, namesOf(near)) }];
  return new Problem(error.code, error.message, { errors, cause: error });
}

/**
 * If an input is a folder, adds the names of its files to the fix. Returns other errors unchanged.
 *
 * @param done What one call does with one file, such as "probed". undefined: a call can read several files.
 */
export async function filesInFolder(
  error: unknown,
  request: Inputs,
  context: NearFilesContext,
  done?: string,
): Promise<unknown> {
  if (!(error instanceof Problem) || !error.errors.some(({ code }) => code === 'IS_DIRECTORY')) return error;
  const inputs = inputsByField(request);
  const first = error.errors.find(({ code, field }) => code === 'IS_DIRECTORY' && inputs.has(field));
  const folder = inputs.get(first?.field ?? '')?.replace(/^\/+|(?<![/.])[/.]+$/g, '');
  const { caller, files } = context;
  if (first === undefined || folder === undefined || folder === '' || !allows(caller, 'files:read')) return error;
  // Ignore errors: the names only improve a reply.
  const near = await files.near(caller, `${folder}/file`).catch(() => undefined);
  if (near === undefined || near.folder.replace(/\/$/, '') !== folder) return error;
  const [end, ...otherEnds] = new Set(near.paths.map((path) => IMAGES.exec(path)?.[0]));
  const images = end === undefined || otherEnds.length > 0 ? undefined : `*${end}`;
  const isOfImages = request.preset !== undefined && images !== undefined;
  const pattern = isOfImages ? images : request.join === undefined ? undefined : '*';
  const matching = pattern === undefined ? [] : await matchingFiles(`${folder}/${pattern}`, request, context);
  const sent = isOfImages || areOfOneKind(matching) ? sendInputs(matching, { field: first.field, request }) : undefined;
  const advice = [
    done !== undefined && `One file is ${done} in each call.`,
    done === undefined &&
      images !== undefined &&
      `For a video of all its images, send "${folder}/${images}" and "pattern_type": "glob" in "parameters".`,
    `Files in "${folder}": ${near.paths.map((one) => JSON.stringify(one)).join(', ')}.`,
  ];
  const fix = sent ?? advice.filter((one) => one !== false).join(' ');
  const errors = error.errors.map((one) => (one === first ? { ...one, fix } : one));
  return new Problem(error.code, error.message, { errors, cause: error });
}

/** Whether two paths have the same file name. Both must contain a folder. */
const isSameName = (path: string, missing: string): boolean =>
  path.includes('/') &&
  missing.includes('/') &&
  path.slice(path.lastIndexOf('/')) === missing.slice(missing.lastIndexOf('/'));
