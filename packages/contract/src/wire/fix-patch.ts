import { type Edit, hasChoice, hasEdits, type Place } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { pointerToken } from '../domain/problem.ts';
import { type Members, stringOf } from '../domain/structured-values.ts';
import { keysOf, parentOf, pointerOf, valueAt } from './json-pointer.ts';
import type { PatchOperation } from './problem.ts';

/** The parts of an error or warning that say what to send instead. */
export interface Fixable {
  readonly field?: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly fix?: Hint | undefined;
}

/**
 * The JSON Patch (RFC 6902) that applies a fix to `body`. A program can apply it without a question. undefined: the fix leaves a choice, is
 * a text, or would replace another field that the client sent. The patch may replace other options.
 */
export function fixPatch(body: unknown, one: Fixable): readonly PatchOperation[] | undefined {
  const { field = '', fix } = one;
  if (!hasEdits(fix)) return undefined;
  const keys = keysOf(field);
  if (hasChoice(fix) || keys.length === 0 || !isObject(valueAt(body, parentOf(field)))) return undefined;
  const at: Field = { body, field, keys, edits: fix.edits };
  const parts = fix.edits.map((edit) => opsOf(edit, at));
  if (parts.includes(undefined)) return undefined;
  return mergeOperations([...removalOfField(at), ...parts.flatMap((one) => one ?? [])]);
}

/** Removes repeated operations. If one operation adds an object and another adds a member to this object, they become one operation. */
function mergeOperations(ops: readonly PatchOperation[]): readonly PatchOperation[] {
  const all = new Map<string, PatchOperation>();
  for (const one of ops) {
    const object = all.get(`add ${parentOf(one.path)}`);
    const key = `${one.op} ${one.path}`;
    if (object?.op === 'add' && one.op === 'add')
      all.set(`add ${object.path}`, {
        ...object,
        value: { ...(object.value as Members), [lastKey(one.path)]: one.value },
      });
    else if (!all.has(key)) all.set(key, one);
  }
  return [...all.values()];
}

/** The field of a body that edits refer to. */
interface Field {
  readonly body: unknown;
  readonly field: string;
  readonly keys: readonly string[];
  readonly edits: readonly Edit[];
}

/** The operation that removes the field. None if the members that replace the field contain it. */
function removalOfField(at: Field): readonly PatchOperation[] {
  const { body, field, edits } = at;
  const sent = edits.flatMap((edit) =>
    edit.do === 'send' && edit.name !== undefined ? [targetOf(edit.name, edit.in, at)] : [],
  );
  const isCovered = sent.some((target) => target === field || field.startsWith(`${target}/`));
  return sent.length === 0 || isCovered || valueAt(body, field) === undefined ? [] : [{ op: 'remove', path: field }];
}

/** The operations for one edit. undefined: the edit cannot be applied. */
function opsOf(edit: Edit, at: Field): readonly PatchOperation[] | undefined {
  const { body, field, keys } = at;
  const before = valueAt(body, field);
  switch (edit.do) {
    case 'remove': {
      const path = edit.name === undefined ? field : `${parentOf(field)}/${pointerToken(edit.name)}`;
      return valueAt(body, path) === undefined ? undefined : [{ op: 'remove', path }];
    }
    case 'rename': {
      const path = `${parentOf(field)}/${pointerToken(edit.to)}`;
      // Keep a value that the client sent under the right name.
      if (before === undefined || valueAt(body, path) !== undefined) return undefined;
      return [
        { op: 'remove', path: field },
        { op: 'add', path, value: before },
      ];
    }
    case 'replace': {
      const [start = '', end, ...others] = stringOf(before).split(wholeWord(edit.part));
      // If the word occurs several times, it is unknown which one is wrong.
      if (end === undefined || others.length > 0) return undefined;
      return [{ op: 'replace', path: field, value: `${start}${edit.by}${end}` }];
    }
    case 'send':
      if (edit.name !== undefined) return memberOps(edit.name, edit, at);
      // The value of an option must be a text or a list of texts.
      if (before === undefined || (keys.at(-2) === 'parameters' && !isOptionValue(edit.value))) return undefined;
      return [{ op: 'replace', path: field, value: edit.value }];
    case 'add':
      return memberOps(edit.name, edit, at);
  }
}

/** The operations that send a member. undefined: the client sent another value for this member. */
function memberOps(
  name: string,
  { value, in: place }: { readonly value: unknown; readonly in?: Place },
  at: Field,
): readonly PatchOperation[] | undefined {
  const { body, field, keys, edits } = at;
  const path = targetOf(name, place, at);
  if (path === undefined) return undefined;
  const before = valueAt(body, path);
  if (path === field || field.startsWith(`${path}/`))
    return [{ op: before === undefined ? 'add' : 'replace', path, value }];
  const isSetWithField = edits.some((edit) => edit.do === 'send' && edit.name === keys.at(-1));
  const isOwnOption = place === undefined && keys.at(-2) === 'parameters';
  if (before !== undefined && !isOwnOption && !isSetWithField && !holdsAll(value, before)) return undefined;
  const container = parentOf(path);
  return [
    ...(isObject(valueAt(body, container)) ? [] : [{ op: 'add' as const, path: container, value: {} }]),
    { op: 'add', path, value },
  ];
}

/** The path of a new member. undefined: the path is unclear, for an element of a list or for request fields next to options. */
function targetOf(
  name: string,
  place: Place | undefined,
  { field, keys }: Pick<Field, 'field' | 'keys'>,
): string | undefined {
  const token = pointerToken(name);
  // Arguments of a recipe have no stream specifier such as "c:v". The warning is about an option that the argument sets.
  if (place === undefined && keys.at(-2) === 'arguments' && /^\w+:[vas]$/.test(name))
    return targetOf(name, 'parameters', { field, keys });
  if (place === 'request') return `${requestOf(field)}/${token}`;
  if (place === 'parameters') return `${requestOf(field)}/parameters/${token}`;
  if (place !== undefined) {
    if ('output' in place) return `${requestOf(field)}${place.output}/parameters/${token}`;
    const end = field.lastIndexOf(`/${pointerToken(place.beside)}/`);
    return end < 0 ? `${parentOf(field)}/${token}` : `${field.slice(0, end)}/${token}`;
  }
  const above = keys.lastIndexOf(name);
  if (above >= 0) return pointerOf(keys.slice(0, above + 1));
  if (/^\d+$/.test(keys.at(-1) ?? '')) return undefined;
  return keys.at(-2) === 'parameters' && OF_REQUEST.has(name) ? undefined : `${parentOf(field)}/${token}`;
}

/** The pointer to the request of a field: `/requests/1` for `/requests/1/inputs/0/parameters/t`. */
function requestOf(field: string): string {
  const at = field.search(/\/(?:preset|inputs?|outputs?|parameters|cut|join)(?:\/|$)/);
  return at < 0 ? parentOf(field) : field.slice(0, at);
}

/** Members of the request. In a fix, these names do not mean options. */
const OF_REQUEST: ReadonlySet<string> = new Set(['input', 'inputs', 'output', 'outputs', 'join', 'parameters']);

const isOptionValue = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);

/**
 * Whether a value contains another: the members of an object with their values, the elements of a list, or the same filters at the start.
 */
function holdsAll(value: unknown, before: unknown): boolean {
  if (Array.isArray(value)) return [before].flat().every((one) => JSON.stringify(value).includes(JSON.stringify(one)));
  if (isObject(value) && before === true) return true;
  if (isObject(value) && isObject(before))
    return Object.entries(before).every(([key, one]) => Object.hasOwn(value, key) && holdsAll(value[key], one));
  if (isObject(before) || Array.isArray(before)) return false;
  return stringOf(value) === stringOf(before) || stringOf(value).startsWith(`${stringOf(before)},`);
}

/** Matches a whole word: `1` matches in `TP=1`, but not in `I=-16`. */
const wholeWord = (word: string): RegExp => new RegExp(`(?<![\\w.])${word.replaceAll(/\W/g, '\\$&')}(?![\\w.])`);

const lastKey = (pointer: string): string => keysOf(pointer).at(-1) ?? '';

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
