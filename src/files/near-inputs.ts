import { allows, type Caller } from '../domain/client.ts';
import { addIn, type Edits, hasEdits, sendIn, sendMember, sendMembers, sendValue, withMore } from '../domain/edit.ts';
import { pathsInText } from '../domain/foreign-path.ts';
import { type Hint, withAdvice } from '../domain/hint.ts';
import type { Job } from '../domain/job.ts';
import { areOfOneKind, baseName, type MediaPath, relativeToRoot } from '../domain/media-path.ts';
import { FIRST_NUMBERS, parseNumberedName } from '../domain/numbered-name.ts';
import type { Warning } from '../domain/plan.ts';
import { Problem, pointerToken } from '../domain/problem.ts';
import { IMAGES, literalStart, matchesInShell, wildcardAdvice } from '../domain/wildcard.ts';
import type { FileOperations } from './file-operations.ts';
import type { NearFiles } from './near.ts';

/*
 * Names near files in the fix of a missing input: only files of the caller's own media root, and only if the caller may list files.
 */

interface NearFilesContext {
  /** The caller that reads the error. */
  readonly caller: Caller;
  readonly files: Pick<FileOperations, 'near' | 'list'>;
}

/** The parts of a request that name inputs. */
interface Inputs {
  readonly input?: string | undefined;
  readonly inputs?:
    | readonly (string | { readonly input?: string | undefined; readonly parameters?: object | undefined })[]
    | undefined;
  readonly preset?:
    | { readonly name?: unknown; readonly arguments?: Readonly<Record<string, unknown>> | undefined }
    | undefined;
  readonly join?: unknown;
  /** The other file of an analysis or a preview. */
  readonly reference?: string | undefined;
  readonly original?: string | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

const CODE = 'INPUT_NOT_FOUND';

/** Whether the fix of a missing input says how to read it as a pattern of images. */
const isImagePattern = (path: string): boolean => wildcardAdvice(path)?.isSequence === true;

/** The most missing inputs of a request for which folders are listed. */
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

/** Adds near files to the fixes of the first warnings about missing inputs of a batch. `requests`: one for each of `jobs`. */
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
 * The fix of a missing input, if there are near files. Does not send a file of the same name instead of a path with a folder, because
 * it may be another video: `season2/e01.mp4` for `season1/e01.mp4`.
 */
async function fixOf(
  fix: Hint | undefined,
  path: string,
  missing: MissingInput,
  context: NearFilesContext,
): Promise<{ readonly fix?: Hint }> {
  const sent =
    sendInputs(await matchingFiles(path, missing.request, context), missing) ??
    (await sendListed(path, missing, context)) ??
    (await sendSequence(path, missing, context));
  if (sent !== undefined) return { fix: sent };
  const near = isImagePattern(path) ? undefined : await nearOf(fix, path, context);
  if (near === undefined) return {};
  const same = near.isSameName === true ? near.paths[0] : near.paths.find((other) => isSameName(other, path));
  if (same !== undefined && WITHOUT_FOLDER.test(path)) return { fix: sendValue(same) };
  const shown = same === undefined ? near : { ...near, paths: [same], isSameName: true as const };
  return { fix: withAdvice(fix, namesOf(shown)) };
}

/** The name of a file alone, or a path of a host. */
const WITHOUT_FOLDER = /^(?:(?:\.[\\/])?[^\\/]*$|[\\/~]|[a-z]:[\\/])/i;

/** The recipe that reads one image sequence. */
const OF_SEQUENCE = 'pictures-to-video';

/** The most files that a fix sends as inputs. */
const MAX_MATCHING = 50;
/** The most entries of a folder that are compared. */
const MAX_LISTED = 1000;

/** The fix that sends several files as inputs. undefined without files, and for an argument of a recipe, which is one file. */
function sendInputs(files: readonly string[], { field, request: { inputs } }: MissingInput): Edits | undefined {
  if (files.length === 0 || !field.startsWith('/input')) return undefined;
  const [own] = inputs ?? [];
  return sendIn('request', 'inputs', typeof own === 'object' ? files.map((input) => ({ ...own, input })) : files);
}

/** The files that a wildcard matches, for a request with a recipe or `join`. Empty for other requests, and if there are too many. */
async function matchingFiles(
  path: string,
  { inputs = [], preset, join }: Inputs,
  context: NearFilesContext,
): Promise<readonly string[]> {
  const readsSeveral = preset !== undefined && preset.name !== OF_SEQUENCE;
  const isWanted = (readsSeveral || join !== undefined) && inputs.length <= 1;
  if (!isWanted || wildcardAdvice(path) === undefined) return [];
  const relative = relativeToRoot(path);
  const pattern = baseName(relative as MediaPath);
  const folder = relative.slice(0, relative.length - pattern.length);
  const isMatch = matchesInShell(pattern, AbortSignal.timeout(1000));
  const matching: string[] = [];
  try {
    for (const one of (await listed(`${folder}${literalStart(pattern)}`, context)) ?? [])
      if (await isMatch(baseName(one))) matching.push(one);
  } catch {
    // The match took too long.
    return [];
  }
  return matching.length <= MAX_MATCHING ? matching.sort() : [];
}

/** A missing input of a request: the JSON Pointer of its path. */
interface MissingInput {
  readonly field: string;
  readonly request: Inputs;
}

/** The fix for an input that names several files, such as `a.wav|b.wav`. undefined for other texts, and if a file is missing. */
async function sendListed(
  path: string,
  { field, request: { inputs, preset, join, parameters = {} } }: MissingInput,
  context: NearFilesContext,
): Promise<Edits | undefined> {
  // An input with options, and an argument of a recipe, must be one file.
  if (!/^\/(?:input|inputs\/\d+)$/.test(field)) return undefined;
  const paths = pathsInText(path) ?? [];
  if (paths.length === 0 || paths.length > MAX_LISTED_PATHS) return undefined;
  for (const one of paths) if (!(await listed(one, context))?.some((found) => found === one)) return undefined;
  const at = Number(/^\/inputs\/(\d+)/.exec(field)?.[1]);
  const all = (inputs ?? [path]).flatMap((one, index): readonly unknown[] =>
    inputs === undefined || index === at ? paths : [one],
  );
  // Several inputs of a filtergraph or of maps are not joined.
  const isOpen = preset === undefined && join === undefined;
  const isArranged = parameters['filter_complex'] !== undefined || parameters['map'] !== undefined;
  const isCopy = ['c', 'codec'].some((name) => parameters[name] === 'copy');
  const sent = sendIn('request', 'inputs', all);
  return isOpen && !isArranged
    ? withMore(sent, { do: 'send', name: 'join', value: isCopy ? 'copy' : 'encode', in: 'request' })
    : sent;
}

/** The most paths in one text that are checked. */
const MAX_LISTED_PATHS = 10;

/** The files whose paths begin with `start`. undefined if there are too many, or if the caller may not list files. */
async function listed(start: string, { caller, files }: NearFilesContext): Promise<readonly MediaPath[] | undefined> {
  if (!allows(caller, 'files:read')) return undefined;
  const prefix = relativeToRoot(start);
  // The list only improves a reply, which a fault of the storage must not fail.
  const page = await files.list(caller, { prefix, limit: MAX_LISTED }).catch(() => undefined);
  if (page === undefined || page.nextAfter !== undefined) return undefined;
  return page.entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
}

/**
 * The fix for an image sequence without files: the pattern of the existing images, and their first number if ffmpeg would not find
 * it. undefined if there are no images, or several sequences.
 */
async function sendSequence(
  path: string,
  { field, request: { inputs } }: MissingInput,
  context: NearFilesContext,
): Promise<Edits | undefined> {
  const base = baseName(path as MediaPath);
  const name = parseNumberedName(base);
  if (name === undefined) return undefined;
  const folder = relativeToRoot(path).slice(0, -base.length);
  const own = (await listed(`${folder}${name.before}`, context)) ?? [];
  const numbers = own.flatMap((one) => name.read(baseName(one)) ?? []);
  const found =
    numbers.length > 0
      ? { pattern: path, first: Math.min(...numbers) }
      : (onlySequence(own) ?? onlySequence(await nearImages(path, folder, context)));
  if (found === undefined) return undefined;
  const { pattern, first } = found;
  if (first < FIRST_NUMBERS) return pattern === path ? undefined : sendValue(pattern);
  const start_number = String(first);
  const why = 'that is the first existing number';
  if (inputs === undefined)
    return pattern === path
      ? { ...addIn('parameters', 'start_number', start_number), why }
      : withMore(sendMember('input', pattern), {
          do: 'send',
          name: 'start_number',
          value: start_number,
          in: 'parameters',
        });
  const sent = inputs[Number(/^\/inputs\/(\d+)/.exec(field)?.[1])];
  const element = { input: pattern, parameters: { ...(typeof sent === 'object' && sent.parameters), start_number } };
  return typeof sent === 'string' ? sendValue(element) : sendMembers(element);
}

/** The files in the folder if it has images, or in the near folder. */
async function nearImages(path: string, folder: string, context: NearFilesContext): Promise<readonly string[]> {
  const own = (await listed(folder, context)) ?? [];
  if (own.some((one) => IMAGES.test(one))) return own;
  const near = await nearOf(undefined, path, context);
  return near === undefined ? [] : ((await listed(near.folder, context)) ?? []);
}

/** The only image sequence among `paths`: its pattern and first number. undefined if names differ in more than a number. */
function onlySequence(paths: readonly string[]): { readonly pattern: string; readonly first: number } | undefined {
  const images = paths.filter((one) => IMAGES.test(one) && !one.includes('%'));
  const numbered = images.flatMap((one) => {
    const digits = [...one.matchAll(/\d{1,15}/g)].at(-1);
    return digits === undefined ? [] : [{ before: one.slice(0, digits.index), digits: digits[0], path: one }];
  });
  const names = new Set(
    numbered.map(({ before, digits, path }) => `${before}%d${path.slice(before.length + digits.length)}`),
  );
  const widths = new Set(numbered.map(({ digits }) => digits.length));
  const isPadded = numbered.some(({ digits }) => /^0\d/.test(digits));
  const [name = ''] = names;
  if (numbered.length < images.length || names.size !== 1 || images.length < 2) return undefined;
  if (isPadded && widths.size > 1) return undefined;
  return {
    pattern: isPadded ? name.replace('%d', `%0${[...widths][0]}d`) : name,
    first: Math.min(...numbered.map(({ digits }) => Number(digits))),
  };
}

/** Adds near files to the fix of the caller's job that failed because of a missing input, for a model. Returns other jobs unchanged. */
export async function filesNearJob(job: Job, context: NearFilesContext): Promise<Job> {
  const { error } = job;
  // An administrator reads jobs of others, whose files are in other media roots.
  if (error?.code !== CODE || job.clientId !== context.caller.clientId) return job;
  const missing = [...inputsByField(job.request).values()].find((path) => path === error.about?.input);
  if (missing === undefined || isImagePattern(missing)) return job;
  const near = await nearOf(error.fix, missing, context);
  return near === undefined ? job : { ...job, error: { ...error, fix: withAdvice(error.fix, namesOf(near)) } };
}

/** Adds near files to the problem of a probe whose input is missing. Returns other errors unchanged. */
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
 * Adds the files of a folder to the fix of the error about an input that is a folder. Returns other errors unchanged.
 *
 * @param done What a call does with one file, such as "probed". Absent if a call can read several files.
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
  // The names only improve a reply, which a fault of the storage must not fail.
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

/** Finds near files. undefined if there are none, if the caller may not list files, or if the fix sends files. */
export async function nearOf(
  fix: Hint | undefined,
  path: string,
  { caller, files }: NearFilesContext,
): Promise<NearFiles | undefined> {
  const isSent = hasEdits(fix) && fix.edits.some((edit) => edit.do !== 'remove');
  if (isSent || !allows(caller, 'files:read')) return undefined;
  // The names only improve a reply, which a fault of the storage must not fail.
  return files.near(caller, path).catch(() => undefined);
}

/** Whether two paths with folders have the same file name. */
const isSameName = (path: string, missing: string): boolean =>
  path.includes('/') &&
  missing.includes('/') &&
  path.slice(path.lastIndexOf('/')) === missing.slice(missing.lastIndexOf('/'));

/** Names near files in a sentence. */
export function namesOf(near: NearFiles): string {
  if (near.isSameName === true) return `The file of that name is ${JSON.stringify(near.paths[0])}.`;
  const names = near.paths.map((one) => JSON.stringify(one)).join(', ');
  return `Files in ${near.folder === '' ? 'the media root' : JSON.stringify(near.folder)}: ${names}.`;
}
