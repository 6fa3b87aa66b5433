import { ClientError } from '../client/client-error.ts';
import { ConfigError } from '../config/read-settings.ts';
import type { ProblemView } from '../wire/problem.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CommandFailed } from './session/command-failed.ts';

/** How a command ends that did not succeed. */
export interface ExitStatus {
  readonly exitCode: ExitCode;
  /** For programs. */
  readonly code: string;
  readonly message: string;
  readonly fix?: string | undefined;
  /** The service's own words, where it has said any. */
  readonly problem?: ProblemView | undefined;
}

/** undefined: a fault of the program, whose stack is needed. */
export function exitStatusOf(error: unknown): ExitStatus | undefined {
  if (error instanceof CommandFailed) return error;
  if (error instanceof ConfigError) return { exitCode: EXIT.refused, code: 'BAD_SETTING', message: error.message };
  if (error instanceof ClientError) return endingOfCall(error);
  const { code, path, message } = (error ?? {}) as { code?: unknown; path?: unknown; message?: unknown };
  // Of a local file: Node's message names it and says what happened.
  if (typeof code === 'string' && typeof path === 'string')
    return { exitCode: EXIT.failed, code: 'LOCAL_FILE', message: String(message) };
  return undefined;
}

function endingOfCall({ kind, status = 0, problem, message, retryAfterSeconds }: ClientError): ExitStatus {
  if (kind !== 'rejected') {
    const code = kind === 'unreachable' ? 'UNREACHABLE' : 'UNEXPECTED_ANSWER';
    const fix = 'Is the service running there? Its address is set by --url or TELECINE_URL.';
    return { exitCode: EXIT.unreachable, code, message, fix };
  }
  const code = problem?.code ?? `HTTP_${status}`;
  const exitCode = exitCodeOf(status);
  const later = retryAfterSeconds === undefined ? undefined : `Try again in ${Math.ceil(retryAfterSeconds)} s.`;
  return { exitCode, code, message, problem, ...(exitCode === EXIT.unreachable && { fix: later }) };
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.unauthorised;
  // The file that a probe looked into is the reason.
  if (status === 422) return EXIT.failed;
  if (status === 429 || status >= 500) return status === 501 ? EXIT.refused : EXIT.unreachable;
  return EXIT.refused;
}
