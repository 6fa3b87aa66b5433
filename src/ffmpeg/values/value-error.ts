import { closestMatch, sortByCloseness } from '../../domain/closest-match.ts';
import type { FieldError } from '../../domain/problem.ts';
import type { ExpressionError } from '../expression/expression.ts';

/** What is wrong with a value; whoever knows where it stood adds the field. */
export type ValueError = Omit<FieldError, 'field'>;

/** Names that one refusal lists. */
const SHOWN = 20;

/** What a caller sent, cut for a message. */
export const quoted = (value: string): string =>
  value.length <= 64 ? `"${value}"` : `"${value.slice(0, 64).replace(/[\ud800-\udbff]$/, '')}…"`;

export const sendInstead = (value: string): string => `Send "${value}".`;

/** The value that a error says to send; undefined: it says something else, or nothing. */
export const suggestedValue = ({ fix }: ValueError): string | undefined =>
  typeof fix === 'string' ? /^Send "(.*)"\.$/s.exec(fix)?.[1] : undefined;

/** What is wrong with a value that ffmpeg would evaluate; what to send instead is the caller's to add. */
export const badExpression = (shown: string, value: string, { error }: ExpressionError): ValueError => ({
  code: 'BAD_EXPRESSION',
  message: `The value of "${shown}", ${quoted(value)}, ${error}.`,
});

/** What is allowed where a value is none of it. */
export interface Allowed {
  /** Ranges and shapes in words, shown before the names. */
  readonly shapes?: readonly string[];
  readonly names?: Iterable<string>;
  /** What was probably meant; left out: the nearest name, where one is near. */
  readonly fix?: string | undefined;
}

/** `BAD_VALUE` with what is allowed: shapes, then at most 20 names, those nearest in spelling to `value` first. */
export function badValue(message: string, value: string, { shapes = [], names = [], fix }: Allowed): ValueError {
  const all = [...names];
  const meant = fix ?? nearestName(value, all);
  const allowed = [...shapes, ...(all.length <= SHOWN ? all : sortByCloseness(value, all).slice(0, SHOWN))];
  return {
    code: 'BAD_VALUE',
    message,
    ...(allowed.length === 0 ? {} : { allowed }),
    ...(meant === undefined ? {} : { fix: sendInstead(meant) }),
  };
}

/** Spelt otherwise only by case, blanks, `-` or `_`: no doubt what is meant. Else the nearest. */
export function nearestName(value: string, names: readonly string[]): string | undefined {
  const bare = bareSpelling(value);
  return names.find((name) => bareSpelling(name) === bare) ?? closestMatch(value, names);
}

const bareSpelling = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '');
