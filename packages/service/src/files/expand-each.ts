import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import {
  findSameName,
  MAX_ENTRIES,
  MIN_ENTRIES,
  narrowerPattern,
  patternOf,
  requestForFile,
  sizeOfEach,
} from '@telecine/contract/domain/each-file.ts';
import { type Edits, sendValue } from '@telecine/contract/domain/edit.ts';
import { baseName, extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import { IMAGES, literalStart, matchesInShell } from '@telecine/contract/domain/wildcard.ts';
import { nearOf } from './existing-inputs.ts';
import type { FileOperations } from './file-operations.ts';
import { parseFilePath } from './file-path.ts';
import { type NearFiles, namesOf } from './near-files.ts';

/** A request of a batch, as the client sent it. */
interface SentRequest {
  readonly each?: string;
  readonly request: ConversionRequest;
}

/**
 * A request for one file that `each` matches, or a request without `each`. `index`: the index of the request of the
 * client from which it comes.
 */
type Expanded<R extends SentRequest> = Omit<R, 'each'> & { readonly index: number; readonly file?: string };

const PAGE = 1000;

interface ExpandEachDeps {
  readonly files: Pick<FileOperations, 'list' | 'near'>;
  /** The caller, which must have the right to list files. */
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/**
 * Replaces each request that has `each` by one request for each matching file, in the order of the file names. Throws
 * INVALID_REQUEST, for example if a batch cannot have so many jobs. Throws the reason of an abort.
 */
export async function expandEach<R extends SentRequest>(
  requests: readonly R[],
  deps: ExpandEachDeps,
): Promise<readonly Expanded<R>[]> {
  const expanded: Expanded<R>[] = [];
  const left = { entries: MAX_ENTRIES, bytes: REQUEST_LIMITS.bodyBytes };
  for (const [index, { each, ...sent }] of requests.entries()) {
    if (each === undefined) {
      expanded.push({ ...sent, index });
      continue;
    }
    const field = `/requests/${index}/each`;
    const room = REQUEST_LIMITS.batch - expanded.length - (requests.length - index - 1);
    const files = await matchingFiles(each, field, { ...deps, left, room });
    const size = sizeOfEach(sent.request);
    for (const file of files) left.bytes -= size(file);
    if (left.bytes < 0) throw invalidRequest([tooLarge(field, each, files.length)]);
    for (const file of files) expanded.push({ ...sent, request: requestForFile(sent.request, file), index, file });
  }
  return expanded;
}

async function matchingFiles(
  each: string,
  field: string,
  { files, caller, signal, left, room }: ExpandEachDeps & { readonly left: { entries: number }; readonly room: number },
): Promise<readonly MediaPath[]> {
  const path = parseFilePath(patternOf(each), caller.root, field);
  const pattern = baseName(path);
  const folder = path.slice(0, path.length - pattern.length);
  const isMatch = matchesInShell(pattern, signal);
  const found: MediaPath[] = [];
  let isFolder = false;
  let after: string | undefined;
  do {
    if (left.entries <= 0) throw invalidRequest([tooManyEntries(field, each)]);
    const limit = Math.min(PAGE, left.entries);
    const prefix = `${folder}${literalStart(pattern)}`;
    const page = await files.list(caller, { prefix, limit, ...(after !== undefined && { after }) });
    for (const entry of page.entries) {
      if (entry.kind === 'folder') isFolder ||= entry.path === `${path}/`;
      else if (await isMatch(baseName(entry.path))) found.push(entry.path);
    }
    left.entries -= Math.max(page.entries.length, MIN_ENTRIES);
    after = page.nextAfter;
  } while (after !== undefined);
  // If `each` is the name of a folder, it means all files in the folder.
  if (found.length === 0 && isFolder) return matchingFiles(`${each}/`, field, { files, caller, signal, left, room });
  if (found.length === 0) throw invalidRequest([await noMatch(field, path, { files, caller })]);
  found.sort((a, b) => (a < b ? -1 : 1));
  if (found.length > room) throw invalidRequest([tooManyFiles(field, path, found, room)]);
  const same = findSameName(found);
  if (same !== undefined) throw invalidRequest([sameName(field, same)]);
  return found;
}

/** The maximum length of a pattern in a message, in characters. */
const MAX_SHOWN = 200;

const shown = (text: string): string => JSON.stringify(shorten(text, MAX_SHOWN));

/** Returns a fix if the folder contains only images of another type, such as JPEGs for the pattern `photos/*.png`. */
function onlyPattern(path: MediaPath, near: NearFiles | undefined): Edits | undefined {
  const folder = path.slice(0, path.length - baseName(path).length);
  if (!IMAGES.test(path) || folder === '') return undefined;
  const ends = new Set(near?.folder === folder ? near.paths.map((one) => IMAGES.exec(one)?.[0]) : []);
  const [end] = ends;
  return ends.size === 1 && end !== undefined ? sendValue(`${folder}*${end}`) : undefined;
}

async function noMatch(
  field: string,
  path: MediaPath,
  context: Pick<ExpandEachDeps, 'files' | 'caller'>,
): Promise<FieldError> {
  const code = 'NO_MATCH';
  const braces = alternatives(path);
  if (braces !== undefined)
    return {
      field,
      code,
      message: `No file matches ${shown(path)}. Braces are not wildcards. Allowed in the file name: "*", "?" and "[a-z]".`,
      fix: `Send a request for each: ${braces.map((one) => `"each": ${JSON.stringify(one)}`).join(', ')}.`,
    };
  const near = await nearOf(undefined, path, context);
  const names = near === undefined ? '' : ` ${namesOf(near)}`;
  const fix =
    onlyPattern(path, near) ?? `Send a pattern that matches files, such as "wavs/*.wav", or a folder: "wavs/".${names}`;
  return { field, code, message: `No file matches ${shown(path)}.`, fix };
}

/** The maximum number of patterns in a fix. */
const MAX_ALTERNATIVES = 8;

/** Returns the patterns that a shell makes of a pattern with braces, such as `*.{mp4,mov}`. undefined: no braces. */
function alternatives(path: string): readonly string[] | undefined {
  if (path.length > MAX_SHOWN) return undefined;
  const [, before = '', list = '', after = ''] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(path) ?? [];
  const parts = list.split(',').map((one) => one.trim());
  return parts.length < 2 || parts.length > MAX_ALTERNATIVES
    ? undefined
    : parts.map((one) => `${before}${one}${after}`);
}

function tooManyFiles(field: string, path: MediaPath, found: readonly MediaPath[], room: number): FieldError {
  const names = found.map(baseName);
  const folder = path.slice(0, path.length - baseName(path).length);
  const narrower = narrowerPattern(baseName(path), names, room);
  const limit =
    room < REQUEST_LIMITS.batch
      ? `the other requests leave ${Math.max(0, room)} of the ${REQUEST_LIMITS.batch} jobs of a batch`
      : `a batch has at most ${REQUEST_LIMITS.batch} jobs`;
  const example =
    narrower === undefined ? '' : `: ${JSON.stringify(folder + narrower.pattern)} matches ${narrower.count}`;
  return {
    field,
    code: 'TOO_MANY',
    message: `${shown(path)} matches ${found.length} files, and ${limit}.`,
    fix: `Convert the files in parts, with narrower patterns${example}.`,
  };
}

const tooManyEntries = (field: string, each: string): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `The patterns of a batch may read ${MAX_ENTRIES} files, and ${shown(each)} would read more. Each pattern counts as at least ${MIN_ENTRIES}.`,
  fix: 'Send fewer patterns, or patterns that begin with more of the names, such as "wavs/2026-11-*.wav".',
});

const tooLarge = (field: string, each: string, count: number): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `${shown(each)} matches ${count} files, and their requests would have more than ${REQUEST_LIMITS.bodyBytes} bytes together.`,
  fix: 'Convert the files in parts, with narrower patterns.',
});

function sameName(field: string, [one, other]: readonly [MediaPath, MediaPath]): FieldError {
  const named = extension(one) === '' ? other : one;
  const example = `${named.slice(0, named.length - baseName(named).length)}*${named.slice(named.lastIndexOf('.'))}`;
  return {
    field,
    code: 'SAME_OUTPUT',
    message: `${JSON.stringify(one)} and ${JSON.stringify(other)} have the same "{name}", so their jobs would have the same output.`,
    fix: `Send a request for each extension, such as "each": ${JSON.stringify(example)}, with different outputs.`,
  };
}
