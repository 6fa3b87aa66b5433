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

/** The text that most probably was meant by what was sent as an option's value. */
function optionText(value: unknown): string {
  if (value === true) return 'Send "true".';
  if (value === false) return 'Send "false", which leaves an option out, or leave the field out.';
  if (value === null)
    return 'Leave the field out, or send "" for an option that takes no value ("null" for that word).';
  return 'Send the value as text, such as "23".';
}

/** What to send in place of `value`, as far as the place tells. */
function sendInstead(allowed: readonly string[], example: unknown, value: unknown): string | undefined {
  const isOption = allowed.includes('string') && (allowed.includes('array') || example === undefined);
  if (allowed.includes('string') && typeof value === 'number') return `Send "${value}".`;
  if (isOption) return optionText(value);
  if (example !== undefined) return `Send for example ${JSON.stringify(example)}.`;
  return allowed.includes('object') ? 'Send a JSON object: {"name": "value", …}.' : undefined;
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
  const fix = sendInstead(allowed, exampleOf(schema), value);
  const message = `${name} must be ${wanted}, not ${describe(value)}.${fix === undefined ? '' : ` ${fix}`}`;
  return { field, code: 'WRONG_TYPE', message, allowed, ...(fix === undefined ? {} : { fix }) };
}
