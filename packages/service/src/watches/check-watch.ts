import { isBucketPath, isGranted, parseRequestPath } from '@telecine/contract/domain/bucket-path.ts';
import { allows, type Caller, type Scope } from '@telecine/contract/domain/client.ts';
import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import {
  shownFolder,
  WATCH_LIMITS,
  type Watch,
  type WatchedFailure,
  type WatchRequest,
  type WatchSettings,
} from '@telecine/contract/domain/watch.ts';

/** The name of a file that stands for any file of a folder. */
const NAME = 'x';

/**
 * Reads the path of a folder, with or without a slash at its end. Returns it with one, and '' for the media root. Throws INVALID_REQUEST
 * about `field`.
 */
function folderPath(text: string, { root }: Caller, field: string, use: 'read' | 'write'): string {
  const path = parseRequestPath(`${text}${text.endsWith('/') ? '' : '/'}${NAME}`, root, use);
  if (typeof path !== 'string') throw invalidRequest([{ field, ...path }]);
  return path.slice(0, -NAME.length);
}

/** The scopes that a client lacks for a watch, also later: the watch acts with the rights that its client has then. */
const missingScopes = (client: Caller, { source }: Pick<WatchSettings, 'source'>): readonly Scope[] =>
  (['jobs:write', 'files:read', ...(source === 'keep' ? [] : (['files:write'] as const))] as const).filter(
    (scope) => !allows(client, scope),
  );

/**
 * Returns why a watch may not act for its client at present. undefined: it may. `caller` undefined: the client was revoked.
 */
export function whyStopped(
  watch: Pick<Watch, 'folder' | 'source'>,
  caller: Caller | undefined,
): WatchedFailure | undefined {
  if (caller === undefined)
    return { code: 'INVALID_CLIENT', message: 'The client of this watch was revoked.', fix: 'Delete the watch.' };
  const missing = missingScopes(caller, watch);
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

/** The client for which a watch acts. `isOther`: another client than the caller, which is an administrator. */
export interface Owner {
  readonly client: Caller;
  readonly isOther?: boolean;
}

/**
 * Throws INSUFFICIENT_SCOPE, or CLIENT_LACKS_SCOPE about another client than the caller, if the client may not make, resume or retry a watch that
 * moves or deletes its files. `toKeep`: how the client makes the watch keep them.
 */
export function requireScopes(
  { client, isOther = false }: Owner,
  settings: Pick<WatchSettings, 'source'>,
  toKeep = 'send "source": "keep"',
): void {
  const missing = missingScopes(client, settings);
  if (missing.length === 0) return;
  const which = settings.source === 'keep' ? 'A watch' : 'A watch that moves or deletes its files';
  const needs = `${which} needs the scope ${missing.join(', ')}`;
  const keeps = missing.join() === 'files:write' ? toKeep : undefined;
  // Not INSUFFICIENT_SCOPE, which is about the token of the caller.
  if (isOther)
    throw new Problem(
      'CLIENT_LACKS_SCOPE',
      `${needs}, which its client ${JSON.stringify(client.clientId)} does not have.`,
      {
        fix: `Give the client the scope first${keeps === undefined ? '' : `, or ${keeps}`}.`,
      },
    );
  throw new Problem('INSUFFICIENT_SCOPE', `${needs}.`, {
    scopes: missing,
    ...(keeps !== undefined && {
      fix: `${keeps[0]?.toUpperCase()}${keeps.slice(1)}, or ask the operator for the scope.`,
    }),
  });
}

/**
 * Checks what a client sets of a watch. Returns the settings with paths relative to the media root. `sent`: what the client has sent of them; only
 * this is checked, so that an older watch above the limits can be renamed. Throws INVALID_REQUEST, and the errors of `requireScopes`.
 */
export function checkSettings(
  owner: Owner,
  settings: WatchSettings,
  sent: { readonly [member in keyof WatchSettings]?: WatchSettings[member] | null | undefined } = settings,
): WatchSettings {
  const { client } = owner;
  requireScopes(owner, settings);
  const tooLong = sent.request ? limitErrors(sent.request) : [];
  const folder = 'folder' in sent ? folderPath(settings.folder, client, '/folder', 'read') : settings.folder;
  const source =
    typeof settings.source === 'string' || !('source' in sent)
      ? settings.source
      : { moveTo: folderPath(settings.source.moveTo, client, '/source/moveTo', 'write') };
  const checked: WatchSettings = { ...settings, folder, source };
  const isMoved = ['folder', 'subfolders', 'source'].some((member) => member in sent);
  const errors = [...tooLong, ...(isMoved ? sourceErrors(checked) : [])];
  if (errors.length > 0) throw invalidRequest(errors);
  return checked;
}

/**
 * Returns errors if the request of a watch is too large, or if the path of an output is too long. Everything else that a client sends with it
 * multiplies its size.
 */
function limitErrors(request: WatchRequest): readonly FieldError[] {
  const tooLong = (field: string, what: string, max: number): FieldError => ({
    ...{ field, code: 'TOO_LONG' },
    message: `${what}. At most ${max} are allowed.`,
  });
  const bytes = Buffer.byteLength(JSON.stringify(request));
  if (bytes > WATCH_LIMITS.requestBytes)
    return [tooLong('/request', `The request of the watch has ${bytes} bytes as JSON`, WATCH_LIMITS.requestBytes)];
  return requestedOutputs(request).flatMap(({ path, field: below }) => {
    const field = `/request${below}`;
    const pathBytes = Buffer.byteLength(path);
    if (pathBytes > MAX_PATH_BYTES) return [tooLong(field, `The path has ${pathBytes} bytes`, MAX_PATH_BYTES)];
    // {folder} has a slash at its end.
    const names = path.split(/\/|\{folder\}/).map((name) => Buffer.byteLength(name.replaceAll(/\{[a-z]+\}/g, '')));
    const longest = Math.max(...names);
    if (longest <= MAX_NAME_BYTES) return [];
    return [tooLong(field, `A name in the path has ${longest} bytes without its placeholders`, MAX_NAME_BYTES)];
  });
}

function sourceErrors({ folder, subfolders, source }: WatchSettings): readonly FieldError[] {
  if (source === 'keep') return [];
  if (isBucketPath(folder))
    return [
      {
        field: '/source',
        code: 'STORAGE_NOT_ALLOWED',
        message: 'Files in another bucket are only read: they cannot be moved or deleted.',
      },
    ];
  if (source === 'delete') return [];
  const { moveTo } = source;
  const field = '/source/moveTo';
  if (isBucketPath(moveTo))
    return [
      {
        field,
        code: 'STORAGE_NOT_ALLOWED',
        message: 'Files can only be moved inside the media root.',
      },
    ];
  const isInside = moveTo === folder || (subfolders && moveTo.startsWith(folder));
  if (!isInside) return [];
  return [
    {
      field,
      code: 'CIRCLE',
      message: `Files that are moved to ${JSON.stringify(shownFolder(moveTo))} would land in the watched folder again.`,
    },
  ];
}
