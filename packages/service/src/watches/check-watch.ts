import { isBucketPath, parseRequestPath } from '@telecine/contract/domain/bucket-path.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { type FieldError, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { Watch, WatchSettings } from '@telecine/contract/domain/watch.ts';
import { shownFolder } from '@telecine/contract/domain/watch.ts';
import { changesRoute, findCircle, type WatchedRoute } from './circles.ts';
import { limitErrors } from './request-limits.ts';
import { scopesFor } from './rights.ts';

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

/** Makes the path of an output template relative to the media root, as far as its fixed part tells. */
const templateReader =
  ({ root }: Caller) =>
  (template: string): string => {
    const variable = template.indexOf('{');
    const fixed = variable < 0 ? template : template.slice(0, variable);
    const folder = fixed.slice(0, fixed.lastIndexOf('/') + 1);
    const path = parseRequestPath(`${folder}${NAME}`, root, 'write');
    return typeof path === 'string' ? path.slice(0, -NAME.length) + template.slice(folder.length) : template;
  };

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
  const missing = scopesFor(settings).filter((scope) => !allows(client, scope));
  if (missing.length === 0) return;
  const needs =
    settings.source === 'keep'
      ? `A watch needs the scope ${missing.join(', ')}`
      : `A watch that moves or deletes its files needs the scope ${missing.join(', ')}`;
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

interface CheckedWatch {
  /** Absent: a new watch. */
  readonly watchId?: string;
  /**
   * What the client has sent of the settings. Default: all. Only this is checked, so that an older watch above the limits or in a circle can be
   * renamed.
   */
  readonly sent?: { readonly [member in keyof WatchSettings]?: WatchSettings[member] | null | undefined };
}

/**
 * Checks what a client sets of a watch. Returns the settings with paths relative to the media root. `others`: the other watches of the client.
 * Throws INVALID_REQUEST, and the errors of `requireScopes`.
 */
export function checkSettings(
  owner: Owner,
  settings: WatchSettings,
  others: readonly Watch[],
  { watchId, sent = settings }: CheckedWatch = {},
): WatchSettings {
  const { client } = owner;
  requireScopes(owner, settings);
  const tooLong = sent.request ? limitErrors(sent.request) : [];
  if (tooLong.length > 0) throw invalidRequest(tooLong);
  const isSent = (...members: readonly (keyof WatchSettings)[]): boolean => members.some((member) => member in sent);
  const folder = isSent('folder') ? folderPath(settings.folder, client, '/folder', 'read') : settings.folder;
  const source =
    typeof settings.source === 'string' || !isSent('source')
      ? settings.source
      : { moveTo: folderPath(settings.source.moveTo, client, '/source/moveTo', 'write') };
  const checked: WatchSettings = { ...settings, folder, source };
  const own = [
    ...(isSent('activeHours', 'timeZone') ? zoneErrors(checked) : []),
    ...(isSent('folder', 'subfolders', 'source') ? sourceErrors(checked) : []),
  ];
  const circles = changesRoute(sent) ? circleErrors(client, checked, others, watchId) : [];
  const errors = [...own, ...circles.filter(({ field }) => own.every((one) => one.field !== field))];
  if (errors.length > 0) throw invalidRequest(errors);
  return checked;
}

/** Without a zone, "at night" would be at noon for half of the world. */
const zoneErrors = ({ activeHours, timeZone }: WatchSettings): readonly FieldError[] =>
  activeHours === undefined || timeZone !== undefined
    ? []
    : [
        {
          field: '/timeZone',
          code: 'MISSING',
          message: '"activeHours" need a "timeZone", such as "Europe/Berlin": there is no default.',
        },
      ];

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

const nameOf = ({ name, folder }: WatchedRoute): string =>
  name === undefined ? `the watch of ${JSON.stringify(shownFolder(folder))}` : `the watch ${JSON.stringify(name)}`;

/** Throws INVALID_REQUEST if files would go in a circle through a watch and the others of its client. */
export function checkCircles(caller: Caller, watch: Watch, others: readonly Watch[]): void {
  const errors = circleErrors(caller, watch, others, watch.watchId);
  if (errors.length > 0) throw invalidRequest(errors);
}

function circleErrors(
  caller: Caller,
  settings: WatchSettings,
  others: readonly Watch[],
  watchId: string | undefined,
): readonly FieldError[] {
  const watch: WatchedRoute = { ...settings, ...(watchId !== undefined && { watchId }) };
  const circle = findCircle(watch, others, templateReader(caller));
  if (circle === undefined) return [];
  const [, ...through] = circle.through;
  const folder = JSON.stringify(shownFolder(settings.folder));
  const files = circle.field === '/source/moveTo' ? 'moved files' : 'outputs';
  const message =
    through.length === 0
      ? `The outputs land in ${folder}, which this watch itself scans: each would be converted again.`
      : `The ${files} come back to ${folder} through ${through.map(nameOf).join(', then ')}: they would be converted again and again.`;
  return [
    {
      field: circle.field,
      code: 'CIRCLE',
      message,
    },
  ];
}
