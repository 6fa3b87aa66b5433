import type { Hint } from '../domain/hint.ts';
import { type FieldError, Problem, type ProblemCode } from '../domain/problem.ts';

/** The result of a task as a worker stores it. A `Problem` loses its cause, which is only for the worker's log. */
type TaskResult =
  | { readonly value: unknown }
  | {
      readonly problem: {
        readonly code: ProblemCode;
        readonly detail: string;
        readonly errors: readonly FieldError[];
        readonly fix?: Hint;
        readonly retryAfterSeconds?: number;
      };
    };

export const encodeValue = (value: unknown): string => JSON.stringify({ value } satisfies TaskResult);

export function encodeProblem({ code, message, errors, fix, retryAfterSeconds }: Problem): string {
  const problem = {
    ...{ code, detail: message, errors },
    ...(fix !== undefined && { fix }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
  return JSON.stringify({ problem } satisfies TaskResult);
}

/** Returns the value of a result. Throws its problem. */
export function decodeResult(text: string): unknown {
  const result = JSON.parse(text) as TaskResult;
  if ('value' in result) return result.value;
  const { code, detail, ...more } = result.problem;
  throw new Problem(code, detail, more);
}
