import { invalidRequest, type Problem } from '@telecine/contract/domain/problem.ts';
import { literalStart, matchesInShell } from '@telecine/contract/domain/wildcard.ts';
import { FILE_CURSOR, fileSearchText } from '@telecine/contract/wire/files.ts';
import { readNameCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { z } from 'zod';
import type { FileOperations } from '../../files/file-operations.ts';
import type { FileEntry } from '../../files/ports.ts';
import { UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { type HasTool, toolsOf } from '../tool-names.ts';

/**
 * Splits a prefix into its folder and a pattern for names: `wavs/` and `*.wav`. undefined: the name has no star or
 * question mark.
 */
function patternIn(prefix: string): { readonly folder: string; readonly pattern: string } | undefined {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const pattern = prefix.slice(folder.length);
  return /[*?]/.test(pattern) ? { folder, pattern } : undefined;
}

/**
 * The maximum number of entries of a folder that are read for one page of matches. The next page continues after them.
 */
const MAX_READ = 5000;

/** Returns a page of a folder. If the prefix ends in a pattern, returns only entries with matching names. */
async function listPage(
  { prefix, limit, after }: { readonly prefix: string; readonly limit: number; readonly after?: string },
  { deps: { files }, call: { caller }, signal }: ToolContext,
): ReturnType<FileOperations['list']> {
  const { folder, pattern } = patternIn(prefix) ?? {};
  if (pattern === undefined) return files.list(caller, { prefix, limit, ...(after !== undefined && { after }) });
  const isMatch = matchesInShell(pattern, signal);
  const found: FileEntry[] = [];
  let last = after;
  for (let read = 0; read < MAX_READ; ) {
    const page = await files.list(caller, {
      prefix: `${folder}${literalStart(pattern)}`,
      limit: 1000,
      ...(last !== undefined && { after: last }),
    });
    for (const entry of page.entries) {
      const name = entry.path.slice(entry.path.replace(/\/$/, '').lastIndexOf('/') + 1);
      if (!(await isMatch(name.replace(/\/$/, '')))) continue;
      if (found.length === limit) return { entries: found, ...(last !== undefined && { nextAfter: last }) };
      found.push(entry);
      last = name;
    }
    if (page.nextAfter === undefined) return { entries: found };
    last = page.nextAfter;
    read += page.entries.length;
  }
  return { entries: found, ...(last !== undefined && { nextAfter: last }) };
}

/** Returns the next call if the list is empty. */
function emptyHint(prefix: string, has: HasTool): string {
  if (/^(?:\.?\/)*$/.test(prefix))
    return `The media root is empty. ${has('upload') ? 'Call file_links with {"action": "share", "path": "in", "files": 1} for an upload first.' : 'Upload a file first.'}`;
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const wanted = folder === prefix ? '' : folder;
  return `Nothing begins with or matches ${JSON.stringify(prefix)}: call list_files with ${JSON.stringify({ prefix: wanted })}.`;
}

/**
 * Rejects a star in the name of a folder: real folder names rarely contain one. (For other prefixes without files, the
 * reply has a hint.)
 */
function rejectWildcard(prefix: string, { addIssue }: z.core.$RefinementCtx<string>): void {
  if (!prefix.slice(0, prefix.lastIndexOf('/') + 1).includes('*')) return;
  const message = `${JSON.stringify(prefix)} has a wildcard in a folder, and one folder is listed at a time. Send each folder in a call of its own, such as "movies/".`;
  addIssue({ code: 'custom', message, params: { code: 'WILDCARD' } });
}

const listOf = (entries: readonly FileEntry[], nextAfter: string | undefined) => ({
  files: entries.map((one) =>
    one.kind === 'folder'
      ? { path: one.path }
      : { path: one.path, sizeBytes: one.sizeBytes, modifiedAt: one.modifiedAt.toISOString() },
  ),
  ...(nextAfter !== undefined && { nextCursor: writeCursor(nextAfter) }),
});

/** A search takes no pattern for names. */
function patternInSearch(prefix: string): Problem {
  const message = `${JSON.stringify(prefix)} has a wildcard, and a search has none. The words are in "q".`;
  return invalidRequest([{ field: '/prefix', code: 'WILDCARD', message }]);
}

const NOTHING_FOUND =
  'No path has all these words, with the last one in its name: call list_files with fewer words, or without "prefix". A "*" is a character of a name in "q".';

const NOT_LOOKED_AT =
  'Not all names were looked at yet: call list_files again with "nextCursor" as "cursor", and the same "q" and "prefix".';

/** Returns a page of a search. */
async function searchPage(
  { q, ...page }: { readonly q: string; readonly prefix: string; readonly limit: number; readonly after?: string },
  { deps, call, signal }: ToolContext,
) {
  if (patternIn(page.prefix) !== undefined) throw patternInSearch(page.prefix);
  const { entries, nextAfter } = await deps.files.search(call.caller, { ...page, q }, signal);
  const isEmpty = entries.length === 0;
  return {
    ...listOf(entries, nextAfter),
    ...(isEmpty && nextAfter !== undefined && { next: NOT_LOOKED_AT }),
    ...(isEmpty && nextAfter === undefined && page.after === undefined && { next: NOTHING_FOUND }),
    note: UNTRUSTED_NOTE,
  };
}

export const listFilesTool = defineTool({
  name: 'list_files',
  title: 'List files',
  description: (has) =>
    'Lists the files and folders of one folder of your media root, by name, one page at a time: path (a folder ends ' +
    'with a slash), size and time of the last change. Use it to find inputs.' +
    ' With "q", it searches all folders below instead.' +
    (has('probe_media') ? ' For what is in a file, call probe_media.' : ''),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    prefix: z.string().max(4096).superRefine(rejectWildcard).default('').meta({
      description:
        'The beginning of the paths: "movies/" lists that folder, "movies/a" its entries that begin with "a", "movies/*.mp4" those that match. Default: the media root.',
    }),
    q: fileSearchText.exactOptional().meta({
      description:
        'Words of a path, the last one of the name, in upper or lower case: "holiday mp4". "prefix" then is where to search.',
    }),
    limit: z.int().min(1).max(100).default(50),
    cursor: z.string().max(FILE_CURSOR).exactOptional().meta({ description: 'The "nextCursor" of the previous page.' }),
  }),
  run: async ({ prefix, q, limit, cursor }, context) => {
    const page = { prefix, limit, ...(cursor !== undefined && { after: readNameCursor(cursor) }) };
    if (q !== undefined) return { structured: await searchPage({ ...page, q }, context) };
    const { entries, nextAfter } = await listPage(page, context);
    const isEmpty = entries.length === 0 && cursor === undefined && nextAfter === undefined;
    return {
      structured: {
        ...listOf(entries, nextAfter),
        ...(isEmpty && { next: emptyHint(prefix, toolsOf(context.call.caller)) }),
        note: UNTRUSTED_NOTE,
      },
    };
  },
});
