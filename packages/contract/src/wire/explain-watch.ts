import { type Edits, leaveOut, sendMember, sendValue } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import type { FieldError } from '../domain/problem.ts';
import { isMembers, type Members, memberAt } from '../domain/structured-values.ts';
import { WEEKDAYS } from '../domain/watch.ts';

/* The fixes for errors in the members that only a watch has. */

/** What `explainWatch` knows of the schema that rejected a value. */
interface Known {
  /** The members of the watch. */
  readonly watch: readonly string[];
  /** The members of its `request`. */
  readonly request: readonly string[];
}

/** Whether the members are those of a watch, of a change of one, or of a tool that makes watches. */
export const isWatch = (known: readonly string[]): boolean => known.includes('patterns') && known.includes('request');

/** Words for `folder`. */
const FOLDER = /^(?:(?:input|source|watch(?:ed)?|in|src)_?)?(?:path|folder|dir|directory|input|inputs|prefix)$/i;

/** Returns an error of a watch with the fix that the members of a watch need. Returns errors about its request unchanged. */
export function explainWatch(error: FieldError, root: unknown, known: Known): FieldError {
  const path = error.field.split('/').slice(1);
  const own = fixOf(error, path, root, known);
  if (own === undefined) return error;
  const message = own.message ?? error.message;
  return { ...error, message, fix: own.fix };
}

interface Own {
  readonly fix: Hint;
  readonly message?: string;
}

function fixOf(error: FieldError, path: readonly string[], root: unknown, known: Known): Own | undefined {
  const [name = '', second = ''] = path;
  const value = memberAt(root, path);
  if (error.code === 'UNKNOWN_FIELD' && path.length === 1 && isMembers(root))
    return unknownField(name, value, root, known);
  if (error.code === 'UNKNOWN_FIELD' && error.field === '/request/each')
    return {
      message: 'Unknown field "each" in "request".',
      fix: leaveOut(undefined, '"folder" and "patterns" choose the files'),
    };
  if (error.field === '/source') {
    const moveTo = movedTo(value);
    return moveTo === undefined ? undefined : { fix: sendValue({ moveTo }) };
  }
  if (name === 'patterns' && error.code === 'INVALID_FORMAT' && typeof value === 'string') {
    const pattern = value.slice(value.lastIndexOf('/') + 1);
    const message = `${JSON.stringify(value)} is not a pattern of file names, which have no slash.`;
    return { message, fix: pattern === '' ? leaveOut() : sendValue(pattern) };
  }
  if (name !== 'activeHours' || typeof value !== 'string') return undefined;
  const meant = path.includes('days') ? meantDay(value) : meantClock(value, path.at(-1) ?? '');
  return meant === undefined || second === '' ? undefined : { fix: sendValue(meant) };
}

function unknownField(name: string, value: unknown, root: Members, known: Known): Own | undefined {
  const isChange = !known.watch.includes('folder');
  if (isChange && (name === 'folder' || name === 'existing'))
    return {
      message: `${JSON.stringify(name)} of a watch cannot be changed.`,
      fix: 'Leave it out. For another folder, make another watch, and delete this one.',
    };
  if (!isChange && root['folder'] === undefined && FOLDER.test(name) && typeof value === 'string')
    return { fix: sendMember('folder', value) };
  if (!known.request.includes(name)) return undefined;
  return {
    message: `Unknown field ${JSON.stringify(name)}: it is a member of "request".`,
    fix: intoRequest(root, known),
  };
}

/** The fix that moves all members of a conversion that were sent beside `request` into `request`. The errors about these members share the fix. */
function intoRequest(root: Members, { watch, request }: Known): Edits {
  const sent = root['request'];
  const moved = Object.entries(root).filter(([name]) => !watch.includes(name) && request.includes(name));
  const named = moved.map(([name, value]): [string, unknown] => [
    name,
    name === 'preset' && typeof value === 'string' ? { name: value } : value,
  ]);
  return sendMember('request', { ...Object.fromEntries(named), ...(isMembers(sent) && sent) });
}

/** The folder that a wrong `source` means. */
function movedTo(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^(?:move|moved|archive|done)$/i.test(value)) return 'done/';
  return value.includes('/') && !value.includes('://') ? value : undefined;
}

const meantDay = (value: string): string | undefined =>
  WEEKDAYS.find((day) => value.length >= 3 && value.slice(0, 3).toLowerCase() === day);

/** Reads `24:00`, `6:00` and `22` as times of a day. */
function meantClock(value: string, end: string): string | undefined {
  const [, hour = '', minute = '00'] = /^(\d{1,2})(?::(\d\d))?$/.exec(value.trim()) ?? [];
  if (hour === '24' && minute === '00' && end === 'to') return '00:00';
  return hour !== '' && Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : undefined;
}
