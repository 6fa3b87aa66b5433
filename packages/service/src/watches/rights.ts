import { isBucketPath, isGranted } from '@telecine/contract/domain/bucket-path.ts';
import { allows, type Caller, type Scope } from '@telecine/contract/domain/client.ts';
import type { Watch, WatchedFailure, WatchSettings } from '@telecine/contract/domain/watch.ts';

/** The scopes that a watch needs, also later: it acts with the rights that its client has then. */
export const scopesFor = ({ source }: Pick<WatchSettings, 'source'>): readonly Scope[] => [
  'jobs:write',
  'files:read',
  ...(source === 'keep' ? [] : (['files:write'] as const)),
];

/**
 * Returns why a watch may not act for its client at present. undefined: it may. `caller` undefined: the client was revoked.
 */
export function whyStopped(
  watch: Pick<Watch, 'folder' | 'source'>,
  caller: Caller | undefined,
): WatchedFailure | undefined {
  if (caller === undefined)
    return { code: 'INVALID_CLIENT', message: 'The client of this watch was revoked.', fix: 'Delete the watch.' };
  const missing = scopesFor(watch).filter((scope) => !allows(caller, scope));
  if (missing.length > 0)
    return {
      code: 'INSUFFICIENT_SCOPE',
      message: `The client of this watch does not have the scope ${missing.map((scope) => `"${scope}"`).join(' and ')}.`,
      fix: 'Ask the operator for the scope, or delete the watch.',
    };
  if (isBucketPath(watch.folder) && !isGranted(caller.root.grants, `${watch.folder}x`, 'read'))
    return {
      code: 'STORAGE_NOT_ALLOWED',
      message: `The client of this watch may not read ${JSON.stringify(watch.folder)}.`,
      fix: 'Ask the operator for access to the bucket, or delete the watch.',
    };
  return undefined;
}
