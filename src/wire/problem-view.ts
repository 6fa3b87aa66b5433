import type { FieldError, Problem } from '../domain/problem.ts';
import { httpHint } from './hint-text.ts';
import { PROBLEMS, type ProblemView } from './problem.ts';

/** What a request got wrong is told to it, not sent back to it: names and pointers in it may be a megabyte long. */
const MOST_ERRORS = 50;
const LONGEST_POINTER = 300;
const LONGEST_TEXT = 1000;

/** The document for a problem. Its `cause` stays out: that is for the log alone. */
export function problemView(problem: Problem, requestId: string): ProblemView {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: `urn:problem-type:telecine:${problem.code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: cut(problemDetail(problem), LONGEST_TEXT),
    code: problem.code,
    requestId,
    errors: problem.errors.length === 0 ? undefined : problem.errors.slice(0, MOST_ERRORS).map(fieldView),
  };
}

/** What is wrong and what to do about it, as one text. */
export const problemDetail = ({ message, fix }: Problem): string =>
  fix === undefined ? message : `${message} ${httpHint(fix)}`;

const fieldView = ({ field, code, message, allowed, fix }: FieldError): NonNullable<ProblemView['errors']>[number] => ({
  field: cut(field, LONGEST_POINTER),
  code,
  message: cut(message, LONGEST_TEXT),
  ...(allowed === undefined ? {} : { allowed: [...allowed] }),
  ...(fix === undefined ? {} : { fix: cut(httpHint(fix), LONGEST_TEXT) }),
});

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
