import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import {
  addIn,
  type Edits,
  hasEdits,
  sendIn,
  sendMember,
  sendMembers,
  sendValue,
  withMore,
} from '@telecine/contract/domain/edit.ts';
import { pathsInText } from '@telecine/contract/domain/foreign-path.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { baseName, type MediaPath, relativeToRoot } from '@telecine/contract/domain/media-path.ts';
import { FIRST_NUMBERS, parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import { IMAGES, literalStart, matchesInShell, wildcardAdvice } from '@telecine/contract/domain/wildcard.ts';
import type { FileOperations } from './file-operations.ts';
import type { NearFiles } from './near-files.ts';

/*
 * Fixes that send existing files instead of a missing input. They send only files of the caller's own media root, and
 * only if the caller may list files.
 */

export interface NearFilesContext {
  /** The client whose files are named: the caller, or the client for whose job an administrator asks. */
  readonly caller: Caller;
  readonly files: Pick<FileOperations, 'near' | 'list'>;
}

export interface Inputs {
  readonly input?: string | undefined;
  readonly inputs?:
    | readonly (string | { readonly input?: string | undefined; readonly parameters?: object | undefined })[]
    | undefined;
  readonly preset?:
    | { readonly name?: unknown; readonly arguments?: Readonly<Record<string, unknown>> | undefined }
    | undefined;
  readonly join?: unknown;
  /** The file with which an analysis or a preview compares the input. */
  readonly reference?: string | undefined;
  readonly original?: string | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** A missing input of a request. `field`: the JSON Pointer to its path. */
export interface MissingInput {
  readonly field: string;
  readonly request: Inputs;
}

/**
 * Returns a fix that sends existing files instead of a missing input: the files that a wildcard matches, the files that
 * one text lists, or an image sequence.
 */
export const sendExisting = async (
  path: string,
  missing: MissingInput,
  context: NearFilesContext,
): Promise<Edits | undefined> =>
  sendInputs(await matchingFiles(path, missing.request, context), missing) ??
  (await sendListed(path, missing, context)) ??
  (await sendSequence(path, missing, context));

/** The recipe whose input is one image sequence. */
const OF_SEQUENCE = 'pictures-to-video';

/** The maximum number of files that a fix sends as inputs. */
const MAX_MATCHING = 50;
/** The maximum number of entries of a folder that are read to find existing files. */
const MAX_LISTED = 1000;

/**
 * Returns a fix that sends several files as inputs. undefined: `files` is empty, or the missing input is an argument of
 * a recipe, which must be one file.
 */
export function sendInputs(files: readonly string[], { field, request: { inputs } }: MissingInput): Edits | undefined {
  if (files.length === 0 || !field.startsWith('/input')) return undefined;
  const [own] = inputs ?? [];
  return sendIn('request', 'inputs', typeof own === 'object' ? files.map((input) => ({ ...own, input })) : files);
}

/**
 * Returns the files that a wildcard matches. Returns none if too many match, or if the request cannot read several
 * files: only requests with a recipe or `join` can.
 */
export async function matchingFiles(
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
    // The match took too long, so the fix names no files.
    return [];
  }
  return matching.length <= MAX_MATCHING ? matching.sort() : [];
}

/**
 * Returns a fix for an input that lists several files in one text, such as `a.wav|b.wav`. undefined: the text is not
 * such a list, or one of the files is missing.
 */
async function sendListed(
  path: string,
  { field, request: { inputs, preset, join, parameters = {} } }: MissingInput,
  context: NearFilesContext,
): Promise<Edits | undefined> {
  // A list of files cannot replace an input with options or an argument of a recipe.
  if (!/^\/(?:input|inputs\/\d+)$/.test(field)) return undefined;
  const paths = pathsInText(path) ?? [];
  if (paths.length === 0 || paths.length > MAX_LISTED_PATHS) return undefined;
  for (const one of paths) if (!(await listed(one, context))?.some((found) => found === one)) return undefined;
  const at = Number(/^\/inputs\/(\d+)/.exec(field)?.[1]);
  const all = (inputs ?? [path]).flatMap((one, index): readonly unknown[] =>
    inputs === undefined || index === at ? paths : [one],
  );
  // If a filtergraph or `map` says how to use several inputs, do not join them.
  const isOpen = preset === undefined && join === undefined;
  const isArranged = parameters['filter_complex'] !== undefined || parameters['map'] !== undefined;
  const isCopy = ['c', 'codec'].some((name) => parameters[name] === 'copy');
  const sent = sendIn('request', 'inputs', all);
  return isOpen && !isArranged
    ? withMore(sent, { do: 'send', name: 'join', value: isCopy ? 'copy' : 'encode', in: 'request' })
    : sent;
}

/** The maximum number of paths in one text that are looked up. */
const MAX_LISTED_PATHS = 10;

/** Returns the files whose paths begin with `start`. undefined: there are too many, or the caller may not list them. */
async function listed(start: string, { caller, files }: NearFilesContext): Promise<readonly MediaPath[] | undefined> {
  if (!allows(caller, 'files:read')) return undefined;
  const prefix = relativeToRoot(start);
  // Ignore errors: the list only improves a reply.
  const page = await files.list(caller, { prefix, limit: MAX_LISTED }).catch(() => undefined);
  if (page === undefined || page.nextAfter !== undefined) return undefined;
  return page.entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
}

/**
 * Returns a fix for an image sequence that finds no files. The fix sends the pattern of the existing images and, if
 * ffmpeg would not find it, their first number. undefined: there are no images, or several sequences.
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

/**
 * Returns the files in the folder of the sequence, if it contains images, and otherwise those of a folder with a
 * similar name or path.
 */
async function nearImages(path: string, folder: string, context: NearFilesContext): Promise<readonly string[]> {
  const own = (await listed(folder, context)) ?? [];
  if (own.some((one) => IMAGES.test(one))) return own;
  const near = await nearOf(undefined, path, context);
  return near === undefined ? [] : ((await listed(near.folder, context)) ?? []);
}

/**
 * Returns the pattern and the first number of the only image sequence among `paths`. undefined: the names differ in
 * more than one number.
 */
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

/**
 * Finds files near a missing file. undefined: there are none, the caller may not list files, or the fix already sends
 * files.
 */
export async function nearOf(
  fix: Hint | undefined,
  path: string,
  { caller, files }: NearFilesContext,
): Promise<NearFiles | undefined> {
  const isSent = hasEdits(fix) && fix.edits.some((edit) => edit.do !== 'remove');
  if (isSent || !allows(caller, 'files:read')) return undefined;
  // Ignore errors: the names only improve a reply.
  return files.near(caller, path).catch(() => undefined);
}
