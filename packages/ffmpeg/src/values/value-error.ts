import { closestMatch, sortByCloseness } from '@telecine/contract/domain/closest-match.ts';
import { hasChoice, hasEdits, leaveOut, replacePart, sendValue } from '@telecine/contract/domain/edit.ts';
import type { FieldError, TextSpan } from '@telecine/contract/domain/problem.ts';
import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { meantValues, valueAdvice } from '@telecine/contract/domain/synonyms/value-words.ts';
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

/** The name that differs from `value` only in case, spaces, `-` or `_`; otherwise a closely similar name. */
export const nearestName = (value: string, names: readonly string[]): string | undefined =>
  bareNames(names).get(bareSpelling(value)) ?? closestMatch(value, names);

/** Maps each bare spelling to its first name. Cached: a request can have many unknown names, and ffmpeg has thousands of options. */
const bareNames = rememberEach(
  (names: readonly string[]): ReadonlyMap<string, string> =>
    new Map(names.toReversed().map((name) => [bareSpelling(name), name])),
);

const bareSpelling = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '');

/**
 * Returns the error with the value that the client probably means, if a table of common mistakes has one that `check` accepts.
 *
 * @param options The names under which the table may have the option: `b:a`, `b` or `scale=flags`.
 * @param check Checks another value of the option.
 */
export function withMeantValue(
  options: readonly string[],
  value: string,
  error: ValueError,
  check: (value: string) => ValueError | undefined,
): ValueError {
  const meant = options
    .flatMap((option) => meantValues(option, value))
    .find((one) => one === null || (one !== value && check(one) === undefined));
  if (meant === undefined) {
    const advice = options.map((option) => valueAdvice(option, value)).find((one) => one !== undefined);
    return advice === undefined ? error : { ...error, fix: advice };
  }
  return { ...error, fix: meant === null ? leaveOut() : sendValue(meant) };
}
