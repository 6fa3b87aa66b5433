import type { z } from 'zod';
import type { FieldError } from '../domain/problem.ts';
import { exampleOf, typeNames } from './schema-at.ts';

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A value as a sentence names it: `the number 23`, `an array`. */
function describe(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

/** The text that most probably was meant by a value that is none. */
function sendInstead(value: unknown): string | undefined {
  if (typeof value === 'number' || value === true) return `Send "${value}".`;
  if (value === false) return 'Send "false", which leaves an option out, or leave the field out.';
  if (value === null)
    return 'Leave the field out, or send "" for an option that takes no value ("null" for that word).';
  return undefined;
}

/** A value of a JSON type that its place does not take; the message shows what to send. */
export function wrongType(
  field: string,
  name: string,
  schema: z.core.$ZodType | undefined,
  value: unknown,
): FieldError {
  const allowed = typeNames(schema);
  const wanted = allowed.map(withArticle).join(' or ');
  const example = exampleOf(schema);
  const fix =
    (allowed.includes('string') ? sendInstead(value) : undefined) ??
    (example === undefined ? undefined : `Send for example ${JSON.stringify(example)}.`);
  const message = `${name} must be ${wanted}, not ${describe(value)}.${fix === undefined ? '' : ` ${fix}`}`;
  return { field, code: 'WRONG_TYPE', message, allowed, ...(fix === undefined ? {} : { fix }) };
}
