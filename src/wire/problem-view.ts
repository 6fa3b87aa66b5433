import type { Problem } from '../domain/problem.ts';
import { PROBLEMS, type ProblemView } from './problem.ts';

/** The document for a problem. Its `cause` stays out: that is for the log alone. */
export function problemView(problem: Problem, requestId: string): ProblemView {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: `urn:problem-type:telecine:${problem.code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    requestId,
    errors: problem.errors.length === 0 ? undefined : (problem.errors as ProblemView['errors']),
  };
}
