import { basename } from 'node:path';
import { ClientError } from '@telecine/client/client-error.ts';
import type { TelecineClient } from '@telecine/client/telecine-client.ts';
import { patternOf } from '@telecine/contract/domain/each-file.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { literalStart, matchesInShell } from '@telecine/contract/domain/wildcard.ts';
import { usageError } from '../../../session/command-failed.ts';
import { pagesOf } from '../../../session/pages.ts';
import { type FileLocation, serverPath } from '../file-names.ts';
import type { CommandInput } from '../inputs.ts';

/** Whether a location means several files on the service: a pattern such as `server:wavs/*.wav`, or a folder with a final slash. */
export const isServerPattern = ({ on, path }: FileLocation): boolean =>
  on === 'server' && !isUrl(path) && (path.endsWith('/') || /[*?]/.test(path) || basename(path).includes('['));

/**
 * Replaces each pattern by the matching files, ordered by name. A pattern has the syntax of `each` in a batch. Throws `ClientError`, and
 * `CommandFailed` if no file matches.
 */
export async function withServerFiles(
  inputs: readonly CommandInput[],
  client: Pick<TelecineClient, 'listFiles'>,
  signal: AbortSignal,
): Promise<readonly CommandInput[]> {
  const all: CommandInput[] = [];
  for (const input of inputs) {
    if (!isServerPattern(input.location)) {
      all.push(input);
      continue;
    }
    const paths = await matchingFiles(patternOf(input.location.path), client, signal);
    all.push(...paths.map((path) => ({ ...input, location: { on: 'server' as const, path } })));
  }
  return all;
}

async function matchingFiles(
  path: string,
  client: Pick<TelecineClient, 'listFiles'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const relative = path.replace(/^\/+/, '');
  const pattern = basename(relative);
  const folder = relative.slice(0, relative.length - pattern.length);
  // If a file has exactly this name, the wildcards are part of its name. The list fails in another bucket and without the scope for files;
  // then the job looks for the file.
  const named = await client.listFiles(relative, { signal, limit: 1 }).catch((error: unknown) => {
    if (/[*?]/.test(relative) || !(error instanceof ClientError && error.kind === 'rejected')) throw error;
    return undefined;
  });
  if (named === undefined) return [relative];
  if (named.files.some((file) => file.path === relative)) return [relative];
  if (/[*?]/.test(folder))
    throw usageError(
      'WILDCARD_IN_FOLDER',
      `${serverPath(path)} has a wildcard in its folder. Only the name of the file may have wildcards.`,
      'Name each folder: server:a/*.wav server:b/*.wav',
    );
  const isMatch = matchesInShell(pattern, signal);
  const found: string[] = [];
  const prefix = `${folder}${literalStart(pattern)}`;
  for await (const { files } of pagesOf((cursor) => client.listFiles(prefix, { signal, cursor })))
    for (const { type, path: file } of files) if (type === 'file' && (await isMatch(basename(file)))) found.push(file);
  if (found.length > 0) return found.toSorted();
  throw usageError(
    'NO_SUCH_FILE',
    `No file on the service matches ${serverPath(path)}.`,
    'Name a pattern that matches files, such as server:wavs/*.wav, or a folder: server:wavs/',
  );
}
