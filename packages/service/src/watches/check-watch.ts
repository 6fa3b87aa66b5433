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

/** What of a watch decides which rights its client needs. */
type WatchRights = Pick<Watch, 'clientId' | 'folder' | 'source'>;

const missingScopes = (client: Caller, { source }: WatchRights): readonly Scope[] =>
  (['jobs:write', 'files:read', ...(source === 'keep' ? [] : (['files:write'] as const))] as const).filter(
    (scope) => !allows(client, scope),
  );

/** Returns why a watch may not act for its client at present. undefined: it may. `client` undefined: it was revoked. */
export function whyStopped(watch: WatchRights, client: Caller | undefined): WatchedFailure | undefined {
  const { folder, source } = watch;
  const clientId = JSON.stringify(watch.clientId);
  if (client === undefined)
    return {
      ...{ code: 'CLIENT_REVOKED', message: `The client ${clientId} of this watch was revoked.` },
      fix: 'Pause or delete the watch.',
    };
  const scopes = missingScopes(client, watch);
  const which = source === 'keep' ? 'A watch' : 'A watch that moves or deletes its files';
  const keep = scopes.join() === 'files:write' ? ', or give the watch "source": "keep"' : '';
  if (scopes.length > 0)
    return {
      code: 'INSUFFICIENT_SCOPE',
      message: `${which} needs the scope ${scopes.join(', ')}, which its client ${clientId} does not have.`,
      fix: `Let the operator give it to the client${keep}.`,
    };
  if (!isBucketPath(folder) || isGranted(client.root.grants, `${folder}x`, 'read')) return undefined;
  return {
    code: 'STORAGE_NOT_ALLOWED',
    message: `The client ${clientId} of this watch does not have access to ${JSON.stringify(folder)}.`,
    fix: 'Ask the operator for it, or delete the watch.',
  };
}

/**
 * Returns the client of a watch if it may make, change, resume or retry it. Otherwise, throws CLIENT_REVOKED or INSUFFICIENT_SCOPE. A caller that is
 * another client, an administrator, gets CLIENT_LACKS_SCOPE: its token is not to blame.
 */
export function requireRights(caller: Caller, watch: WatchRights, client: Caller | undefined): Caller {
  const { code, message = '', fix = '' } = whyStopped(watch, client) ?? {};
  if (client === undefined) throw new Problem('CLIENT_REVOKED', message, { fix });
  if (code !== 'INSUFFICIENT_SCOPE') return client;
  if (client !== caller) throw new Problem('CLIENT_LACKS_SCOPE', message, { fix });
  throw new Problem(code, message, { scopes: missingScopes(client, watch), fix });
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

/**
 * Checks settings of a watch. `sent`: those that a client has sent now, if not all. The others were checked when they were sent. Returns the settings
 * with paths relative to the media root. Throws INVALID_REQUEST.
 */
export function checkSettings<S extends WatchSettings>(client: Caller, settings: S, sent: object = settings): S {
  const isSent = (...names: readonly (keyof WatchSettings)[]) => names.some((name) => name in sent);
  const { subfolders, request } = settings;
  const folder = isSent('folder') ? folderPath(settings.folder, client, '/folder', 'read') : settings.folder;
  let { source } = settings;
  if (typeof source !== 'string' && isSent('source'))
    source = { moveTo: folderPath(source.moveTo, client, '/source/moveTo', 'write') };
  const errors: FieldError[] = [];
  const reject = (field: string, code: string, message: string) => errors.push({ field, code, message });
  const bytes = isSent('request') ? Buffer.byteLength(JSON.stringify(request)) : 0;
  const { requestBytes } = WATCH_LIMITS;
  if (bytes > requestBytes)
    reject('/request', 'TOO_LONG', `The request has ${bytes} bytes as JSON. At most ${requestBytes} are allowed.`);
  const moveTo = typeof source === 'string' ? undefined : source.moveTo;
  if (source !== 'keep' && isBucketPath(folder))
    reject('/source', 'STORAGE_NOT_ALLOWED', 'Files in another bucket are only read: they cannot be moved or deleted.');
  else if (moveTo !== undefined && isBucketPath(moveTo))
    reject('/source/moveTo', 'STORAGE_NOT_ALLOWED', 'Files can only be moved inside the media root.');
  else if (moveTo !== undefined && (moveTo === folder || (subfolders && moveTo.startsWith(folder))))
    reject(
      '/source/moveTo',
      'CIRCLE',
      `Files that are moved to ${JSON.stringify(shownFolder(moveTo))} would land in the watched folder again.`,
    );
  if (errors.length > 0) throw invalidRequest(errors);
  return { ...settings, folder, source };
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
