import { allows, type Caller } from '../domain/client.ts';
import type { Hint } from '../domain/hint.ts';
import type { Job } from '../domain/job.ts';
import { baseName, type MediaPath } from '../domain/media-path.ts';
import { parseNumberedName } from '../domain/numbered-name.ts';
import type { Warning } from '../domain/plan.ts';
import { Problem, pointerToken } from '../domain/problem.ts';
import { FIRST_NUMBERS } from '../domain/sequence-limits.ts';
import { literalStart, matchesInShell } from '../domain/wildcard.ts';
import { PICTURES, wildcardAdvice } from '../domain/wildcard-input.ts';
import type { FileOperations, NearFiles } from './operations.ts';

/*
 * Names files near a missing input in the fix of its error: only files of the caller's own media root, and only for a
 * caller that may list them.
 */

/** The caller who reads the error, and the files. */
export interface NearFilesContext {
  readonly caller: Caller;
  readonly files: Pick<FileOperations, 'near' | 'list'>;
}

/** The inputs of a request, as far as they matter here. */
interface Inputs {
  readonly input?: string | undefined;
  readonly inputs?: readonly (string | { readonly input?: string | undefined })[] | undefined;
  readonly preset?:
    | { readonly name?: unknown; readonly arguments?: Readonly<Record<string, unknown>> | undefined }
    | undefined;
  readonly join?: unknown;
  /** The other file of an analysis or a preview. */
  readonly reference?: string | undefined;
  readonly original?: string | undefined;
}

const CODE = 'INPUT_NOT_FOUND';

/** The most missing inputs of one request whose folders are listed. */
const MAX_INPUTS = 3;

/** The inputs by the JSON Pointers of errors about them. */
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

/** Adds near files to the fixes of the first warnings about missing inputs. */
export async function withNearFiles(
  warnings: readonly Warning[],
  request: Inputs,
  context: NearFilesContext,
): Promise<readonly Warning[]> {
  const [{ warnings: found = warnings } = {}] = await withNearFilesOfBatch([{ warnings }], [request], context);
  return found;
}

/** What has warnings about a request. */
interface Warned {
  readonly warnings?: readonly Warning[];
}

/** Adds near files to the warnings about the first missing inputs of a batch. Each of `jobs` has its request in `requests`. */
export async function withNearFilesOfBatch<T extends Warned>(
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
      const matching = path === undefined ? undefined : await sendMatching(path, requests[index] ?? {}, context);
      const sent = matching ?? (path === undefined ? undefined : await sendFirstNumber(path, context));
      if (sent !== undefined) {
        result.push({ ...one, fix: sent });
        continue;
      }
      const near = path === undefined ? undefined : await nearOf(one.fix, path, context);
      const same =
        path === undefined
          ? undefined
          : near?.isSameName === true
            ? near.paths[0]
            : (near?.paths.find((other) => isSameName(other, path)) ?? sequenceNear(path, near?.paths ?? []));
      result.push(
        near === undefined
          ? one
          : { ...one, fix: same === undefined ? `${one.fix ?? ''}${namesOf(near)}` : `Send ${JSON.stringify(same)}.` },
      );
    }
    named.push(job.warnings === undefined ? job : { ...job, warnings: result });
  }
  return named;
}

/** The most files that a fix sends as inputs. */
const MAX_MATCHING = 50;
/** The most entries of a folder that are compared. */
const MAX_LISTED = 1000;

/**
 * The fix that sends the files which a wildcard matches, for a request that reads several files: one with a recipe, or one that joins
 * them. undefined for other requests and paths, and if no file matches.
 */
async function sendMatching(
  path: string,
  { inputs = [], preset, join }: Inputs,
  { caller, files }: NearFilesContext,
): Promise<string | undefined> {
  const isWanted = (preset !== undefined || join !== undefined) && inputs.length <= 1;
  if (!isWanted || wildcardAdvice(path) === undefined || !allows(caller, 'files:read')) return undefined;
  const relative = path.replace(/^(?:\.?\/)+/, '');
  const pattern = baseName(relative as MediaPath);
  const folder = relative.slice(0, relative.length - pattern.length);
  const isMatch = matchesInShell(pattern, AbortSignal.timeout(1000));
  const matching: string[] = [];
  try {
    const { entries, nextAfter } = await files.list(caller, {
      prefix: `${folder}${literalStart(pattern)}`,
      limit: MAX_LISTED,
    });
    if (nextAfter !== undefined) return undefined;
    for (const { kind, path: one } of entries)
      if (kind === 'file' && (await isMatch(baseName(one)))) matching.push(one);
  } catch {
    // The list is a help: a fault of the storage must not fail the reply that it is for.
    return undefined;
  }
  const send = `Send "inputs": ${JSON.stringify(matching.sort())}.`;
  return matching.length > 0 && matching.length <= MAX_MATCHING ? send : undefined;
}

/** The fix for a sequence of pictures whose numbers begin later than ffmpeg looks for. undefined for others. */
async function sendFirstNumber(path: string, { caller, files }: NearFilesContext): Promise<string | undefined> {
  const name = parseNumberedName(baseName(path as MediaPath));
  if (name === undefined || !allows(caller, 'files:read')) return undefined;
  const prefix = `${path.replace(/^(?:\.?\/)+/, '').slice(0, -baseName(path as MediaPath).length)}${name.before}`;
  // The list is a help: a fault of the storage must not fail the reply that it is for.
  const page = await files.list(caller, { prefix, limit: MAX_LISTED }).catch(() => undefined);
  if (page === undefined || page.nextAfter !== undefined) return undefined;
  const numbers = page.entries.flatMap(({ path: one }) => name.read(baseName(one as MediaPath)) ?? []);
  const first = Math.min(...numbers);
  return first >= FIRST_NUMBERS && Number.isFinite(first)
    ? `Send "start_number": "${first}" in "parameters", the first number that is there.`
    : undefined;
}

/**
 * Adds near files to the fix of a job of the caller that failed for want of an input, for a model. Returns any other job as it
 * is. Views of REST do not use it: a finished job is the same at each reading.
 */
export async function filesNearJob(job: Job, context: NearFilesContext): Promise<Job> {
  const { error } = job;
  // An administrator reads jobs of others, whose files are in other media roots.
  if (error?.code !== CODE || job.clientId !== context.caller.clientId) return job;
  const missing = [...inputsByField(job.request).values()].find((path) => error.message.includes(`"${path}"`));
  if (missing === undefined) return job;
  const names = await namesNear(error.fix, missing, context);
  return names === '' ? job : { ...job, error: { ...error, fix: withNames(error.fix, names) } };
}

/** Adds near files to the problem of a probe whose input is missing. Returns any other error as it is. */
export async function filesNearProbe(error: unknown, path: string, context: NearFilesContext): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== CODE) return error;
  const [first] = error.errors;
  const own = wildcardAdvice(path) === undefined ? first?.fix : 'Send one path at a time.';
  const names = first === undefined ? '' : await namesNear(own, path, context);
  if (first === undefined || names === '') return error;
  return new Problem(error.code, error.message, {
    errors: [{ ...first, fix: withNames(own, names) }],
    cause: error,
  });
}

/**
 * The path of the pictures that are there, for a sequence that finds none: they have one name but for a number. undefined for other
 * paths, and if they begin with a later number than is looked for.
 */
function sequenceNear(path: string, near: readonly string[]): string | undefined {
  if (parseNumberedName(baseName(path as MediaPath)) === undefined) return undefined;
  const pictures = near.filter((one) => PICTURES.test(one) && !one.includes('%'));
  const numbered = pictures.flatMap((one) => {
    const digits = [...one.matchAll(/\d+/g)].at(-1);
    return digits === undefined ? [] : [{ path: one, digits: digits[0], at: digits.index }];
  });
  const patterns = new Set(
    numbered.map(({ path: one, digits, at }) => {
      const counter = /^0\d/.test(digits) ? `%0${digits.length}d` : '%d';
      return `${one.slice(0, at)}${counter}${one.slice(at + digits.length)}`;
    }),
  );
  const [pattern = ''] = patterns;
  const first = Math.min(...numbered.map(({ digits }) => Number(digits)));
  const isOne = numbered.length === pictures.length && patterns.size === 1;
  return isOne && pictures.length > 1 && pattern !== path && first < FIRST_NUMBERS ? pattern : undefined;
}

/**
 * Adds the files in a folder to the fix of the error about an input that is one. Returns any other error as it is.
 *
 * @param done What a call does with one file, such as "probed". Absent if it can read several.
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
  // Names are a help: a fault of the storage must not fail the reply that they are for.
  const near = await files.near(caller, `${folder}/file`).catch(() => undefined);
  if (near === undefined || near.folder.replace(/\/$/, '') !== folder) return error;
  const names = near.paths.map((one) => JSON.stringify(one)).join(', ');
  const ends = new Set(near.paths.map((path) => PICTURES.exec(path)?.[0]));
  const [end] = ends;
  const all = `For a film of all its pictures, send "${folder}/*${end}" and "pattern_type": "glob" in "parameters". `;
  const isWhole = request.preset !== undefined && ends.size === 1 && end !== undefined;
  const pattern = isWhole ? `*${end}` : request.join === undefined ? undefined : '*';
  const wanted = pattern === undefined ? undefined : await sendMatching(`${folder}/${pattern}`, request, context);
  const film = ends.size === 1 && end !== undefined ? all : '';
  const fix =
    wanted ?? `${done === undefined ? film : `One file is ${done} in each call. `}Files in "${folder}": ${names}.`;
  const errors = error.errors.map((one) => (one === first ? { ...one, fix } : one));
  return new Problem(error.code, error.message, { errors, cause: error });
}

const withNames = (fix: Hint = '', names: string): Hint => (typeof fix === 'string' ? fix + names : [...fix, names]);

/** A sentence with near files, or '' if there are none, the caller may not list files, or the fix names the file itself. */
export async function namesNear(fix: Hint | undefined, path: string, context: NearFilesContext): Promise<string> {
  const near = await nearOf(fix, path, context);
  return near === undefined ? '' : namesOf(near);
}

async function nearOf(
  fix: Hint | undefined,
  path: string,
  { caller, files }: NearFilesContext,
): Promise<NearFiles | undefined> {
  if ((typeof fix === 'string' && /^Send ["{]/.test(fix)) || !allows(caller, 'files:read')) return undefined;
  // Names are a help: a fault of the storage must not fail the reply that they are for.
  return files.near(caller, path).catch(() => undefined);
}

/** Whether a file of a folder with nearly the name of the missing one has the name of the missing file. */
const isSameName = (path: string, missing: string): boolean =>
  path.includes('/') &&
  missing.includes('/') &&
  path.slice(path.lastIndexOf('/')) === missing.slice(missing.lastIndexOf('/'));

function namesOf(near: NearFiles): string {
  if (near.isSameName === true) return ` The file of that name is ${JSON.stringify(near.paths[0])}.`;
  const names = near.paths.map((one) => JSON.stringify(one)).join(', ');
  return ` Files in ${near.folder === '' ? 'the media root' : JSON.stringify(near.folder)}: ${names}.`;
}
