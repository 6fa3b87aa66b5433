import { pointerKey, type TextSpan } from '@telecine/contract/domain/problem.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { ProblemView } from '@telecine/contract/wire/problem.ts';
import textWidth from 'fast-string-truncated-width';
import type { ExitStatus } from '../exit-status.ts';
import { fixWords } from './fix-words.ts';

/** How many characters of a value are shown before and after the wrong part. */
const AROUND = 30;

/** How many characters of the wrong part are shown at most. */
const MAX_PART = 40;

/** Returns two lines: the wrong part of a value with the text around it, and carets below the wrong part. */
export function excerpt(value: string, { offset, length }: TextSpan): readonly [line: string, carets: string] {
  const from = Math.max(0, offset - AROUND);
  const end = offset + Math.min(length, MAX_PART);
  const to = Math.min(value.length, end + AROUND);
  const before = `${from === 0 ? '' : '…'}${shown(value, from, offset)}`;
  const part = shown(value, offset, end);
  const carets = '^'.repeat(Math.max(1, widthOf(part)));
  return [
    `${before}${part}${shown(value, end, to)}${to === value.length ? '' : '…'}`,
    `${' '.repeat(widthOf(before))}${carets}`,
  ];
}

/** Returns a part of the text. A character that is cut in half becomes a replacement character. */
const shown = (text: string, from: number, to: number): string => plainText(text.slice(from, to).toWellFormed());

/** The width of a text in terminal columns. Chinese and Japanese characters use two columns. */
const widthOf = (text: string): number => textWidth(text).width;

type FieldErrorView = NonNullable<ProblemView['errors']>[number];

/** Formats the error of a failed command as lines for people. */
export function explain({
  message,
  fix,
  problem,
  errors = problem?.errors ?? [],
  parameters,
}: ExitStatus): readonly string[] {
  // If there is only one field error, its message is enough. The detail of the problem repeats it.
  const first = errors.length === 1 ? (errors[0]?.message ?? message) : message;
  const lines = [`error: ${first}`];
  for (const error of errors) {
    if (errors.length > 1) lines.push(`  ${nameOf(error.field)}${error.message}`);
    const more = placeOf(error, parameters).map((line) => `  ${line}`);
    if (error.allowed !== undefined) more.push(`Allowed: ${error.allowed.join(', ')}.`);
    if (error.fix !== undefined) more.push(fixWords(error.fix));
    lines.push(...more.map((line) => (errors.length > 1 ? `    ${line}` : line)));
  }
  if (fix !== undefined) lines.push(...fixWords(fix).split('\n'));
  return lines.map(plainText);
}

/**
 * Shows where in the value of an option the error is, as two lines. Empty if the position is unknown, or if the value contains `{0}`, which
 * the command has replaced.
 */
function placeOf({ field, at }: FieldErrorView, parameters: ExitStatus['parameters'] = {}): readonly string[] {
  const value = parameters[optionOf(field) ?? ''];
  const isSent = typeof value === 'string' && !/\{\d+\}/.test(value);
  return at !== undefined && isSent ? excerpt(value, at) : [];
}

/**
 * Formats the option at `field` as on the command line, such as `-p crf: `. Returns '' for other fields, because their messages contain the
 * name.
 */
function nameOf(field: string): string {
  const name = optionOf(field);
  return name === undefined ? '' : `-p ${name}: `;
}

function optionOf(field: string): string | undefined {
  const [, name] = /^(?:\/request)?\/parameters\/([^/]+)/.exec(field) ?? [];
  return name === undefined ? undefined : pointerKey(name);
}

/** Formats the error of a failed command as JSON for programs. `message` and `fix` come from the first error. */
export const explainAsJson = (status: ExitStatus): string => JSON.stringify(errorView(status));

export const errorView = ({
  code,
  message,
  problem,
  errors = problem?.errors,
  fix = errors?.[0]?.fix,
}: ExitStatus) => ({
  error: { code, message, fix, problem },
});
