import type { FieldError, TextSpan } from '@telecine/contract/domain/problem.ts';
import type { ExpressionError } from '../expression/expression.ts';

/** An error without its field, which the caller adds. */
export type ValueError = Omit<FieldError, 'field'>;

/** Adds the position of the wrong part to an error. `at`: undefined if it is unknown. */
export const atPlace = (error: ValueError, at: TextSpan | undefined): ValueError =>
  at === undefined ? error : { ...error, at };

/** Quotes a value of the request for a message, as JSON and at most 64 characters. */
export const quoted = (value: string): string =>
  value.length <= 64
    ? JSON.stringify(value)
    : `${JSON.stringify(value.slice(0, 64).replace(/[\ud800-\udbff]$/, '')).slice(0, -1)}…"`;

/** The error about one part of a value: its suggestion replaces only this part. */
export function ofPart(error: ValueError, part: string): ValueError {
  const { nearest } = error;
  if (nearest === undefined) return error;
  return { ...error, nearest: 'bound' in nearest ? { ...nearest, part } : { ...nearest, is: 'word' } };
}

export const badExpression = (shown: string, value: string, { error }: ExpressionError): ValueError => ({
  code: 'BAD_EXPRESSION',
  message: `The expression ${quoted(value)} of "${shown}" ${error}.`,
});

interface Allowed {
  /** Descriptions of allowed ranges and forms, such as `0 to 51`. An error lists them before the names. */
  readonly shapes?: readonly string[];
  readonly names?: Iterable<string>;
}

/** The error `BAD_VALUE`: which forms and names are allowed instead of `value`. */
export const badValue = (message: string, value: string, { shapes = [], names }: Allowed = {}): ValueError => ({
  code: 'BAD_VALUE',
  message,
  ...(shapes.length > 0 && { allowed: shapes }),
  ...(names !== undefined && { nearest: { given: value, names: [...names], is: 'value' } }),
});
