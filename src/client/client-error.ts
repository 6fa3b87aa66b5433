import type { ProblemView } from '../wire/problem.ts';

/**
 * Why a call did not succeed. `refused`: the service answered with an error, `problem` where it gave one. `unreachable`:
 * no answer, or only a part of one. `unexpected`: what answered is no Telecine.
 */
export type ClientErrorKind = 'refused' | 'unreachable' | 'unexpected';

interface Details {
  readonly status?: number | undefined;
  readonly problem?: ProblemView | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** What each call of the client rejects with, except for the reason of a signal that was aborted. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly kind: ClientErrorKind;
  /** HTTP status of the answer, where there was one. */
  readonly status: number | undefined;
  /** The service's own words, field by field. */
  readonly problem: ProblemView | undefined;
  /** When the service asks to come again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ClientErrorKind, message: string, { status, problem, retryAfterSeconds, cause }: Details = {}) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
