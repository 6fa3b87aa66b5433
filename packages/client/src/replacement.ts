import { KEEP_REPLACED, REPLACED_ENTRY } from '@telecine/contract/wire/endpoints.ts';
import type { UploadOptions } from './options.ts';

/** The header fields that say what an upload does with an existing file. */
export const replacementHeaders = ({
  replace = false,
  keepReplaced = false,
}: Pick<UploadOptions, 'replace' | 'keepReplaced'>): Readonly<Record<string, string>> => ({
  ...(replace ? {} : { 'if-none-match': '*' }),
  ...(keepReplaced && { [KEEP_REPLACED]: 'true' }),
});

/** Calls `onReplaced` with the entry that a reply names. */
export function reportReplaced(headers: Headers, { onReplaced }: Pick<UploadOptions, 'onReplaced'>): void {
  const entryId = headers.get(REPLACED_ENTRY);
  if (entryId !== null) onReplaced?.(entryId);
}
