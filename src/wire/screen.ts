import type { FieldError } from '../domain/problem.ts';
import { pointerToken } from '../domain/problem.ts';

/** Names that mean an object's own machinery in JavaScript and no ffmpeg option anywhere. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

const MAX_ERRORS = 20;

/**
 * Text of a JSON document in which `screen` could find something. JSON writes NUL and lone surrogates only as
 * `\u` escapes, so that the usual document is spared the walk.
 */
export const SUSPICIOUS = /\\u|__proto__|constructor|prototype/;

/**
 * What JSON can hold and no part of the service should ever meet: keys that reach for a prototype, lone
 * surrogates, NUL. Walks with a stack of its own: a document may be nested a million deep.
 */
export function screen(document: unknown): readonly FieldError[] {
  const errors: FieldError[] = [];
  const waiting: [value: unknown, field: string][] = [[document, '']];
  for (let next = waiting.pop(); next !== undefined && errors.length < MAX_ERRORS; next = waiting.pop()) {
    const [value, field] = next;
    if (typeof value === 'string') errors.push(...oddText(value, field, 'The text'));
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      const at = `${field}/${pointerToken(key.toWellFormed())}`;
      if (FORBIDDEN.has(key))
        errors.push({
          field: at,
          code: 'FORBIDDEN_NAME',
          message: `"${key}" is no name that may be used here.`,
          fix: 'Leave it out.',
        });
      else if (!Array.isArray(value)) errors.push(...oddText(key, at, 'The name'));
      // What stands under a refused name is not looked at: reading __proto__ of an array would climb.
      if (!FORBIDDEN.has(key)) waiting.push([Reflect.get(value, key), at]);
    }
  }
  return errors;
}

function oddText(text: string, field: string, what: string): readonly FieldError[] {
  if (!text.isWellFormed())
    return [
      {
        field,
        code: 'BAD_ENCODING',
        message: `${what} holds a lone surrogate, which is no valid Unicode text.`,
        fix: 'Send the whole pair (\\ud83d\\ude00), or the character itself as UTF-8.',
      },
    ];
  if (text.includes('\0'))
    return [{ field, code: 'CONTROL_CHARACTER', message: `${what} holds a NUL character.`, fix: 'Leave it out.' }];
  return [];
}
