import { isDeepStrictEqual } from 'node:util';
import { isBucketPath, isGranted, parseRequestPath } from '@telecine/contract/domain/bucket-path.ts';
import { allows, type Caller, type Scope } from '@telecine/contract/domain/client.ts';
import { type FieldError, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import {
  changeSettings,
  shownFolder,
  WATCH_LIMITS,
  type Watch,
  type WatchedFailure,
  type WatchSettings,
} from '@telecine/contract/domain/watch.ts';
import type { WatchChange } from '@telecine/contract/wire/watch.ts';

/** The scopes that a client lacks for a watch, also later: the watch acts with the rights that its client has then. */
const missingScopes = (client: Caller, { source }: Pick<WatchSettings, 'source'>): readonly Scope[] =>
  (['jobs:write', 'files:read', ...(source === 'keep' ? [] : (['files:write'] as const))] as const).filter(
    (scope) => !allows(client, scope),
  );

/** Returns why a watch may not act for its client at present. undefined: it may. `caller` undefined: the client was revoked. */
export function whyStopped(
  { folder, source }: Pick<Watch, 'folder' | 'source'>,
  caller: Caller | undefined,
): WatchedFailure | undefined {
  if (caller === undefined)
    return { code: 'INVALID_CLIENT', message: 'The client of this watch was revoked.', fix: 'Delete the watch.' };
  const missing = missingScopes(caller, { source }).map((scope) => `the scope "${scope}"`);
  const mayRead = !isBucketPath(folder) || isGranted(caller.root.grants, `${folder}x`, 'read');
  if (missing.length === 0 && mayRead) return undefined;
  const lacks = missing.length > 0 ? missing.join(' and ') : `access to ${JSON.stringify(folder)}`;
  return {
    code: missing.length > 0 ? 'INSUFFICIENT_SCOPE' : 'STORAGE_NOT_ALLOWED',
    message: `The client of this watch does not have ${lacks}.`,
    fix: 'Ask the operator for it, or delete the watch.',
  };
}

/** The client for which a watch acts. `isOther`: another client than the caller, which is an administrator. */
export interface Owner {
  readonly client: Caller;
  readonly isOther?: boolean;
}

/**
 * Throws INSUFFICIENT_SCOPE, or CLIENT_LACKS_SCOPE about another client than the caller, whose token is not to blame, if the client may not make,
 * resume or retry a watch.
 */
export function requireScopes({ client, isOther = false }: Owner, { source }: Pick<WatchSettings, 'source'>): void {
  const scopes = missingScopes(client, { source });
  if (scopes.length === 0) return;
  const which = source === 'keep' ? 'A watch' : 'A watch that moves or deletes its files';
  const needs = `${which} needs the scope ${scopes.join(', ')}`;
  const keep = scopes.join() === 'files:write' ? ', or give the watch "source": "keep"' : '';
  if (!isOther)
    throw new Problem('INSUFFICIENT_SCOPE', `${needs}.`, { scopes, fix: `Ask the operator for it${keep}.` });
  const lacks = `${needs}, which its client ${JSON.stringify(client.clientId)} does not have.`;
  throw new Problem('CLIENT_LACKS_SCOPE', lacks, { fix: `Give the client the scope first${keep}.` });
}

/**
 * Reads the path of a folder, with or without a slash at its end. Returns it with one, and '' for the media root. Throws INVALID_REQUEST
 * about `field`.
 */
function folderPath(text: string, { root }: Caller, field: string, use: 'read' | 'write'): string {
  // A name that stands for any file of the folder.
  const name = 'x';
  const path = parseRequestPath(`${text}${text.endsWith('/') ? '' : '/'}${name}`, root, use);
  if (typeof path !== 'string') throw invalidRequest([{ field, ...path }]);
  return path.slice(0, -name.length);
}

/** Checks the settings of a watch. Returns them with paths relative to the media root. Throws INVALID_REQUEST, and the errors of `requireScopes`. */
export function checkSettings<S extends WatchSettings>(owner: Owner, settings: S): S {
  const { client } = owner;
  requireScopes(owner, settings);
  const folder = folderPath(settings.folder, client, '/folder', 'read');
  const { source, subfolders, request } = settings;
  const moveTo = typeof source === 'string' ? undefined : folderPath(source.moveTo, client, '/source/moveTo', 'write');
  const errors: FieldError[] = [];
  const reject = (field: string, code: string, message: string) => errors.push({ field, code, message });
  const bytes = Buffer.byteLength(JSON.stringify(request));
  const { requestBytes } = WATCH_LIMITS;
  if (bytes > requestBytes)
    reject('/request', 'TOO_LONG', `The request has ${bytes} bytes as JSON. At most ${requestBytes} are allowed.`);
  if (source !== 'keep' && isBucketPath(folder))
    reject('/source', 'STORAGE_NOT_ALLOWED', 'Files in another bucket are only read: they cannot be moved or deleted.');
  else if (moveTo !== undefined && isBucketPath(moveTo))
    reject('/source/moveTo', 'STORAGE_NOT_ALLOWED', 'Files can only be moved inside the media root.');
  else if (moveTo !== undefined && (moveTo === folder || (subfolders && moveTo.startsWith(folder))))
    errors.push({
      ...{ field: '/source/moveTo', code: 'CIRCLE' },
      message: `Files that are moved to ${JSON.stringify(shownFolder(moveTo))} would land in the watched folder again.`,
    });
  if (errors.length > 0) throw invalidRequest(errors);
  return { ...settings, folder, ...(moveTo !== undefined && { source: { moveTo } }) };
}

/** Whether a change can let a watch take files that it has not looked at before. */
const matchesMore = (before: WatchSettings, after: WatchSettings): boolean =>
  (after.subfolders && !before.subfolders) ||
  !isDeepStrictEqual([before.patterns, before.exclude], [after.patterns, after.exclude]);

/** Returns a watch with a change by a client. null removes a setting. */
export function changedWatch(watch: Watch, change: WatchChange, at: string): Watch {
  const { waitingFor: _, stopped: __, firstScanAt, ...changed } = changeSettings(watch, change);
  return {
    // What the watch waits for or why it stopped may end by this. The next round writes it again if not.
    ...changed,
    changedAt: at,
    // Sending the same value again must not reset the time: sources from before it would no longer be moved or deleted.
    ...(!isDeepStrictEqual(watch.source, changed.source) && { sourceSince: at }),
    // With `"existing": "ignore"`, files that match after a change, and are there already, are not converted either.
    ...(firstScanAt !== undefined && !matchesMore(watch, changed) && { firstScanAt }),
  };
}
