import { type FieldError, pointerToken } from '../domain/problem.ts';
import { badEncoding, controlCharacter } from '../domain/text-validation.ts';

/** Names that mean an object's own machinery in JavaScript and no ffmpeg option anywhere. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** No body of the service has a tenth of these, so that what has them is told so before it costs time. */
const MOST_ENTRIES = 1000;
const MOST_VALUES = 5000;
const DEEPEST = 32;

const MAX_ERRORS = 20;

/** Bytes of JSON from which there may be too much in it. */
const LARGE = 4096;

/**
 * Text of a JSON document in which there could be odd text. JSON writes NUL and lone surrogates only as `\u`
 * escapes.
 */
const SUSPICIOUS = /\\u|__proto__|constructor|prototype/;

/** Whether `screen` could find something in a document of this text: the usual document is spared the walk. */
export const isSuspicious = (text: string): boolean => text.length > LARGE || SUSPICIOUS.test(text);

/** A list or object still to be walked; where it lies is told by its chain, for only a fault needs the pointer. */
interface Branch {
  readonly value: object;
  readonly key: string;
  readonly above: Branch | undefined;
  readonly depth: number;
}

/**
 * What JSON can hold and no part of the service should ever meet: keys that reach for a prototype, lone
 * surrogates, NUL, and more values or deeper nesting than any body has. Walks with a stack of its own: a document
 * may be nested a million deep.
 */
export function screen(document: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  const waiting: Branch[] = [];
  let values = 0;

  const look = (value: unknown, key: string, above: Branch | undefined): void => {
    if (typeof value === 'object' && value !== null)
      waiting.push({ value, key, above, depth: (above?.depth ?? 0) + 1 });
    else if (typeof value === 'string') {
      const odd = oddText(value, 'The text');
      if (odd !== undefined) errors.push({ field: pointer(above, key), ...odd });
    }
  };

  look(document, '', undefined);
  for (let branch = waiting.pop(); branch !== undefined && errors.length < MAX_ERRORS; branch = waiting.pop()) {
    const { value, depth } = branch;
    if (depth > DEEPEST) return [...errors, tooDeep(branch)];
    // A list is measured before its keys are made.
    const keys = Array.isArray(value) && value.length > MOST_ENTRIES ? undefined : Object.keys(value);
    values += keys?.length ?? 0;
    if (keys === undefined || keys.length > MOST_ENTRIES) errors.push(tooManyEntries(pointer(branch)));
    else if (values > MOST_VALUES) return [...errors, TOO_MANY_VALUES];
    else
      for (const key of keys) {
        if (errors.length >= MAX_ERRORS) break;
        const odd = Array.isArray(value) ? undefined : oddName(key);
        if (odd !== undefined) errors.push({ field: pointer(branch, key), ...odd });
        // What stands under a refused name is not looked at: reading __proto__ of an array would climb.
        if (!FORBIDDEN.has(key)) look(Reflect.get(value, key), key, branch);
      }
  }
  return errors;
}

/** Of the value `key` of `branch`, or of `branch` itself. */
function pointer(branch: Branch | undefined, key?: string): string {
  let path = key === undefined || branch === undefined ? '' : `/${pointerToken(key.toWellFormed())}`;
  for (let at = branch; at?.above !== undefined; at = at.above) path = `/${pointerToken(at.key.toWellFormed())}${path}`;
  return path;
}

const tooManyEntries = (field: string): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `This holds more than ${MOST_ENTRIES} values, and no list or object of a request is so long.`,
  fix: 'Send fewer.',
});

const TOO_MANY_VALUES: FieldError = {
  field: '',
  code: 'TOO_MANY',
  message: `The body holds more than ${MOST_VALUES} values.`,
  fix: 'Send it as several requests.',
};

const tooDeep = (branch: Branch): FieldError => ({
  field: pointer(branch),
  code: 'TOO_DEEP',
  message: `The body is nested more than ${DEEPEST} deep.`,
  fix: 'No field of a request is nested so deep; send it flat.',
});

type Odd = Omit<FieldError, 'field'>;

function oddName(key: string): Odd | undefined {
  if (FORBIDDEN.has(key))
    return { code: 'FORBIDDEN_NAME', message: `"${key}" is no name that may be used here.`, fix: 'Leave it out.' };
  return oddText(key, 'The name');
}

function oddText(text: string, what: string): Odd | undefined {
  if (!text.isWellFormed()) return badEncoding(what);
  return text.includes('\0') ? controlCharacter(what) : undefined;
}
