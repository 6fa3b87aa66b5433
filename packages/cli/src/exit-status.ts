import { ClientError } from '@telecine/client/client-error.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { httpHint } from '@telecine/contract/wire/hint-text.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import type { ProblemView } from '@telecine/contract/wire/problem.ts';
import { ConfigError } from '@telecine/service/config/read-settings.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CommandFailed } from './session/command-failed.ts';
import type { CommandParameters } from './session/parameters.ts';

/** The exit code and the error of a failed command. */
export interface ExitStatus {
  readonly exitCode: ExitCode;
  /** A stable error code for programs. */
  readonly code: string;
  readonly message: string;
  readonly fix?: string | undefined;
  /** The problem document of the service, if it sent one. */
  readonly problem?: ProblemView | undefined;
  /** What is wrong in the request. Default: the errors of `problem`. */
  readonly errors?: NonNullable<ProblemView['errors']>;
  /** The options of the request as the user wrote them. */
  readonly parameters?: CommandParameters | undefined;
}

/** Returns the exit status for an error. undefined: the error is a bug of this program, so its stack trace is needed. */
export function exitStatusOf(error: unknown): ExitStatus | undefined {
  if (error instanceof CommandFailed) return error;
  if (error instanceof ConfigError) return { exitCode: EXIT.refused, code: 'BAD_SETTING', message: error.message };
  if (error instanceof ClientError) return exitStatusOfCall(error);
  if (error instanceof Problem) return exitStatusOfProblem(error);
  const { code, path, message } = (error ?? {}) as { code?: unknown; path?: unknown; message?: unknown };
  // A system error of Node has a code and a path. Its message already contains the path and the reason.
  if (typeof code === 'string' && typeof path === 'string')
    return { exitCode: EXIT.failed, code: 'LOCAL_FILE', message: String(message) };
  return undefined;
}

/** Returns the exit status for a request that this program has rejected itself. */
function exitStatusOfProblem(problem: Problem): ExitStatus {
  const { code, message, fix } = problem;
  const errors = problem.errors.map(({ fix: hint, ...error }) => ({ ...error, fix: hint && httpHint(hint) }));
  const [first = { code, fix: fix && httpHint(fix) }] = errors;
  return { exitCode: EXIT.refused, code: first.code, message, errors, ...(errors.length === 0 && { fix: first.fix }) };
}

function exitStatusOfCall(error: ClientError): ExitStatus {
  const { kind, status = 0, problem, message, retryAfterSeconds } = error;
  if (kind === 'changed') return { exitCode: EXIT.failed, code: 'FILE_CHANGED', message };
  if (kind !== 'rejected') {
    const code = kind === 'unreachable' ? 'UNREACHABLE' : 'UNEXPECTED_ANSWER';
    const fix = 'Check that the service is running, and its address (--url or TELECINE_URL).';
    return { exitCode: EXIT.unreachable, code, message, fix };
  }
  const code = error.code === 'HTTP_ERROR' ? `HTTP_${status}` : error.code;
  const exitCode = exitCodeOf(status);
  const later = retryAfterSeconds === undefined ? undefined : `Try again in ${Math.ceil(retryAfterSeconds)} s.`;
  const parameters = error instanceof RejectedOptions ? error.parameters : undefined;
  return { exitCode, code, message, problem, parameters, ...(exitCode === EXIT.unreachable && { fix: later }) };
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.unauthorised;
  // The service returns 422 if it cannot read the probed file. The file is at fault, not the command.
  if (status === 422) return EXIT.failed;
  if (status === 429 || status >= 500) return status === 501 ? EXIT.refused : EXIT.unreachable;
  return EXIT.refused;
}

/** Returns the exit code of a command that waited for a job. */
export const exitCodeOfJob = ({ status }: Pick<JobView, 'status'>): ExitCode =>
  status === 'COMPLETED' ? EXIT.done : status === 'CANCELLED' ? EXIT.cancelled : EXIT.failed;

/** A rejected request with the options as the user wrote them. A message can then point at the wrong part of a value. */
export class RejectedOptions extends ClientError {
  readonly parameters: CommandParameters;

  constructor(error: ClientError, parameters: CommandParameters) {
    const { kind, message, status, problem, retryAfterSeconds, cause } = error;
    super(kind, message, { status, problem, retryAfterSeconds, cause });
    this.parameters = parameters;
  }
}
