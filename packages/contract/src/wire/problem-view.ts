import { type FieldError, MAX_FIELD_ERRORS, type Problem, type TextSpan } from '../domain/problem.ts';
import { fixPatch } from './fix-patch.ts';
import { httpHint } from './hint-text.ts';
import { valueAt } from './json-pointer.ts';
import { PROBLEMS, type ProblemView } from './problem.ts';

/** Limits of a problem document. Names and pointers in a request can be a megabyte long, so the reply cuts them. */
const MAX_POINTER_LENGTH = 300;
const MAX_TEXT_LENGTH = 1000;

/** The problem document without `cause`, which is for the log. `body`: the JSON of the request, to make patches. */
export function problemView(problem: Problem, requestId: string, body?: unknown): ProblemView {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: `urn:problem-type:telecine:${problem.code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: cut(problemDetail(problem), MAX_TEXT_LENGTH),
    code: problem.code,
    requestId,
    quota: problem.quota,
    errors:
      problem.errors.length === 0
        ? undefined
        : problem.errors.slice(0, MAX_FIELD_ERRORS).map((error) => fieldView(error, body)),
  };
}

/** The message and the fix of a problem as one text. */
const problemDetail = ({ message, fix }: Problem): string =>
  fix === undefined ? message : `${message} ${httpHint(fix)}`;

/** An error as clients see it. `body`: the JSON that its field leads into, to make patches. */
export function fieldView(
  { field, code, message, at, allowed, fix }: FieldError,
  body: unknown,
): NonNullable<ProblemView['errors']>[number] {
  const text = fix === undefined ? undefined : httpHint(fix);
  // A patch contains the values of its fix, which may repeat a megabyte of the body.
  const patched = text !== undefined && text.length <= 2 * MAX_TEXT_LENGTH ? fix : undefined;
  const apply = fixPatch(body, { field, code, message, fix: patched });
  return {
    field: cut(field, MAX_POINTER_LENGTH),
    code,
    message: cut(message, MAX_TEXT_LENGTH),
    ...(at !== undefined && isIn(at, textAt(body, field)) && { at }),
    ...(allowed === undefined ? {} : { allowed }),
    ...(text === undefined ? {} : { fix: cut(text, MAX_TEXT_LENGTH) }),
    // Omit a patch as long as the value that it replaces, because it would double the reply.
    ...(apply === undefined || JSON.stringify(apply).length > MAX_TEXT_LENGTH ? {} : { apply }),
  };
}

/**
 * The text that a pointer leads to, or the only text in a list. undefined: there is no such text, for example if a preset set the value.
 */
function textAt(body: unknown, field: string): string | undefined {
  const value = valueAt(body, field);
  const [only, ...others] = Array.isArray(value) ? value : [value];
  return typeof only === 'string' && others.length === 0 ? only : undefined;
}

const isIn = ({ offset, length }: TextSpan, text = ''): boolean => text !== '' && offset + length <= text.length;

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
