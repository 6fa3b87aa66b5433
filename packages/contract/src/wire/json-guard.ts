import { type FieldError, pointerToken } from '../domain/problem.ts';
import { badEncoding, controlCharacter } from '../domain/text-validation.ts';

/** Names that have a special meaning in JavaScript objects. None of them is an ffmpeg option. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Limits far above every valid body. Larger bodies are rejected before they take time. */
const MAX_ENTRIES = 1000;
export const MAX_VALUES = 5000;
export const MAX_DEPTH = 32;

const MAX_ERRORS = 20;

/** Shorter documents are not checked against the limits, because they take little time in any case. */
const LONG_TEXT = 4096;

/** Matches each document that may have a forbidden name or invalid text: in JSON, NUL and lone surrogates appear only as `\u` escapes. */
const SUSPICIOUS = /\\u|__proto__|constructor|prototype/;

/** Whether `jsonGuardErrors` must check the document `text`. Most documents are short and harmless, and need no check. */
export const needsJsonGuard = (text: string): boolean => text.length > LONG_TEXT || SUSPICIOUS.test(text);

/** The maximum number of open brackets. For less nesting, `jsonGuardErrors` reports the error and its field. */
const MAX_OPEN = 1000;

const [QUOTE, BACKSLASH, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = [...'"\\,[]{}'].map((one) => one.charCodeAt(0));

/**
 * The error for a document that must not be parsed. Parsing half a million brackets or values takes many times as long as parsing other
 * bodies of the same size, and so does the search for a syntax error. undefined: the document may be parsed.
 */
export function tooMuchToParse(text: string): FieldError | undefined {
  if (text.length <= LONG_TEXT) return undefined;
  let open = 0;
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === LIST || code === OBJECT) open += 1;
    else if (code === LIST_END || code === OBJECT_END) open -= 1;
    else if (code === COMMA) commas += 1;
    else if (code === QUOTE) i = endOfString(text, i);
    if (open > MAX_OPEN) return TOO_DEEP;
    if (commas > MAX_VALUES) return TOO_MANY_VALUES;
  }
  return undefined;
}

/** The index of the quote that ends the string. `start`: where the string begins. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether the number of backslashes before `at` is odd. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
  return (at - from) % 2 === 1;
}

/** A list or object that has not been visited yet. An error builds the JSON Pointer from the chain of `above`. */
interface Branch {
  readonly value: object;
  readonly key: string;
  readonly above: Branch | undefined;
  readonly depth: number;
}

/**
 * Finds content that is valid JSON but must not be processed: keys that reach a prototype, lone surrogates, NUL, and more values or deeper
 * nesting than any valid body has. It does not recurse, because a document can have a million levels.
 */
export function jsonGuardErrors(document: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  const waiting: Branch[] = [];
  let values = 0;

  const visit = (value: unknown, key: string, above: Branch | undefined): void => {
    if (typeof value === 'object' && value !== null)
      waiting.push({ value, key, above, depth: (above?.depth ?? 0) + 1 });
    else if (typeof value === 'string') {
      const error = textError(value, 'The string');
      if (error !== undefined) errors.push({ field: pointer(above, key), ...error });
    }
  };

  visit(document, '', undefined);
  for (let branch = waiting.pop(); branch !== undefined && errors.length < MAX_ERRORS; branch = waiting.pop()) {
    const { value, depth } = branch;
    if (depth > MAX_DEPTH) return [...errors, { ...TOO_DEEP, field: pointer(branch) }];
    // Check the length of a list first. Object.keys would create a string for each element.
    const keys = Array.isArray(value) && value.length > MAX_ENTRIES ? undefined : Object.keys(value);
    values += keys?.length ?? 0;
    if (keys === undefined || keys.length > MAX_ENTRIES) errors.push(tooManyEntries(pointer(branch)));
    else if (values > MAX_VALUES) return [...errors, TOO_MANY_VALUES];
    else
      for (const key of keys) {
        if (errors.length >= MAX_ERRORS) break;
        const error = Array.isArray(value) ? undefined : nameError(key);
        if (error !== undefined) errors.push({ field: pointer(branch, key), ...error });
        // Do not visit values under a forbidden name: reading __proto__ of an array would return its prototype.
        if (!FORBIDDEN.has(key)) visit(Reflect.get(value, key), key, branch);
      }
  }
  return errors;
}

/** The JSON Pointer of the member `key` of `branch`. Without `key`: of `branch` itself. */
function pointer(branch: Branch | undefined, key?: string): string {
  let path = key === undefined || branch === undefined ? '' : `/${pointerToken(key.toWellFormed())}`;
  for (let at = branch; at?.above !== undefined; at = at.above) path = `/${pointerToken(at.key.toWellFormed())}${path}`;
  return path;
}

const tooManyEntries = (field: string): FieldError => ({
  field,
  code: 'TOO_MANY',
  message: `The list or object has more than ${MAX_ENTRIES} values.`,
});

export const TOO_MANY_VALUES: FieldError = {
  field: '',
  code: 'TOO_MANY',
  message: `The body has more than ${MAX_VALUES} values.`,
};

export const TOO_DEEP: FieldError = {
  field: '',
  code: 'TOO_DEEP',
  message: `The body is nested more than ${MAX_DEPTH} levels deep.`,
};

type GuardError = Omit<FieldError, 'field'>;

function nameError(key: string): GuardError | undefined {
  if (FORBIDDEN.has(key)) return { code: 'FORBIDDEN_NAME', message: `The name "${key}" is not allowed.` };
  return textError(key, 'The name');
}

function textError(text: string, what: string): GuardError | undefined {
  if (!text.isWellFormed()) return badEncoding(what);
  return text.includes('\0') ? controlCharacter(what) : undefined;
}
