import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import {
  findSameName,
  MAX_ENTRIES,
  MIN_ENTRIES,
  patternOf,
  requestForFile,
  sizeOfEach,
} from '@telecine/contract/domain/each-file.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest } from '@telecine/contract/domain/problem.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import { literalStart, matchesInShell } from '@telecine/contract/domain/wildcard.ts';
import type { FileOperations } from './file-operations.ts';
import { parseFilePath } from './file-path.ts';
import { namesOf } from './near-files.ts';
import { nearOf } from './near-inputs.ts';

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
  if (found.length > room) throw invalidRequest([tooManyFiles(field, path, found.length, room)]);
  const same = findSameName(found);
  if (same !== undefined) throw invalidRequest([sameName(field, same)]);
  return found;
}

/** The maximum length of a pattern in a message, in characters. */
const MAX_SHOWN = 200;

const shown = (text: string): string => JSON.stringify(shorten(text, MAX_SHOWN));

async function noMatch(
  field: string,
  path: MediaPath,
  context: Pick<ExpandEachDeps, 'files' | 'caller'>,
): Promise<FieldError> {
  const near = await nearOf(path, context);
  return {
    field,
    code: 'NO_MATCH',
    message: `No file matches ${shown(path)}. Wildcards are "*", "?" and "[a-z]"${/[{}]/.test(path) ? '; braces are ordinary characters' : ''}; a folder ends with a slash.`,
    ...(near !== undefined && { fix: namesOf(near) }),
  };
}

function tooManyFiles(field: string, path: MediaPath, count: number, room: number): FieldError {
  const limit =
    room < REQUEST_LIMITS.batch
      ? `the other requests leave ${Math.max(0, room)} of the ${REQUEST_LIMITS.batch} jobs of a batch`
      : `a batch has at most ${REQUEST_LIMITS.batch} jobs`;
  return { field, code: 'TOO_MANY', message: `${shown(path)} matches ${count} files, and ${limit}.` };
}

const tooManyEntries = (field: string, each: string): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `The patterns of a batch may read ${MAX_ENTRIES} files, and ${shown(each)} would read more. Each pattern counts as at least ${MIN_ENTRIES}.`,
});

const tooLarge = (field: string, each: string, count: number): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `${shown(each)} matches ${count} files, and their requests would have more than ${REQUEST_LIMITS.bodyBytes} bytes together.`,
});

const sameName = (field: string, [one, other]: readonly [MediaPath, MediaPath]): FieldError => ({
  field,
  code: 'SAME_OUTPUT',
  message: `${JSON.stringify(one)} and ${JSON.stringify(other)} have the same "{name}", so their jobs would have the same output.`,
});
