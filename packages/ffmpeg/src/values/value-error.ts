import { nearestName } from '@telecine/contract/domain/aliases.ts';
import { sortByCloseness } from '@telecine/contract/domain/closest-match.ts';
import { hasChoice, hasEdits, replacePart, sendValue } from '@telecine/contract/domain/edit.ts';
import type { FieldError, TextSpan } from '@telecine/contract/domain/problem.ts';
import type { ExpressionError } from '../expression/expression.ts';

/** An error without its field, which the caller adds. */
export type ValueError = Omit<FieldError, 'field'>;

/** Adds the position of the wrong part to an error. `at`: undefined if it is unknown. */
export const atPlace = (error: ValueError, at: TextSpan | undefined): ValueError =>
  at === undefined ? error : { ...error, at };

/** The maximum number of names in an error. */
const MAX_NAMES = 20;

/** Quotes a value of the request for a message, as JSON and at most 64 characters. */
export const quoted = (value: string): string =>
  value.length <= 64
    ? JSON.stringify(value)
    : `${JSON.stringify(value.slice(0, 64).replace(/[\ud800-\udbff]$/, '')).slice(0, -1)}…"`;

/** The text that a fix puts in the place of a value or a part of it. undefined: the fix does something else. */
export function suggestedValue({ fix }: Pick<FieldError, 'fix'>): string | undefined {
  const [edit, ...others] = hasEdits(fix) && !hasChoice(fix) ? fix.edits : [];
  if (others.length > 0) return undefined;
  if (edit?.do === 'replace') return edit.by;
  return edit?.do === 'send' && edit.name === undefined && typeof edit.value === 'string' ? edit.value : undefined;
}

/** The error with a fix that replaces only this part of the value. */
export function ofPart(error: ValueError, part: string): ValueError {
  const meant = suggestedValue(error);
  return meant === undefined ? error : { ...error, fix: replacePart(part, meant) };
}

/** An error about an expression, without a fix. */
export const badExpression = (shown: string, value: string, { error }: ExpressionError): ValueError => ({
  code: 'BAD_EXPRESSION',
  message: `The expression ${quoted(value)} of "${shown}" ${error}.`,
});

interface Allowed {
  /** Descriptions of allowed ranges and forms, such as `0 to 51`. An error lists them before the names. */
  readonly shapes?: readonly string[];
  readonly names?: Iterable<string>;
  /** The value that the client probably meant. Default: the closest name, if one is close. */
  readonly fix?: string | undefined;
}

/** The error `BAD_VALUE`. Its `allowed` has the shapes, then at most 20 names, the closest to `value` first. */
export function badValue(message: string, value: string, { shapes = [], names = [], fix }: Allowed): ValueError {
  const all = [...names];
  const meant = fix ?? nearestName(value, all);
  const allowed = [...shapes, ...(all.length <= MAX_NAMES ? all : sortByCloseness(value, all).slice(0, MAX_NAMES))];
  return {
    code: 'BAD_VALUE',
    message,
    ...(allowed.length === 0 ? {} : { allowed }),
    ...(meant === undefined ? {} : { fix: sendValue(meant) }),
  };
}
