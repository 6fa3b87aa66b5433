import { ClientError } from '../client/client-error.ts';
import { ConfigError } from '../config/read-settings.ts';
import type { ProblemView } from '../wire/problem.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CommandFailed } from './session/command-failed.ts';

/** How a failed command ends. */
export interface ExitStatus {
  readonly exitCode: ExitCode;
  /** Stable, for programs. */
  readonly code: string;
  readonly message: string;
  readonly fix?: string | undefined;
  /** The problem document of the service, if it sent one. */
  readonly problem?: ProblemView | undefined;
}

/** The exit status of an error. undefined: a bug of this program, which needs its stack trace. */
export function exitStatusOf(error: unknown): ExitStatus | undefined {
  if (error instanceof CommandFailed) return error;
  if (error instanceof ConfigError) return { exitCode: EXIT.refused, code: 'BAD_SETTING', message: error.message };
  if (error instanceof ClientError) return exitStatusOfCall(error);
  const { code, path, message } = (error ?? {}) as { code?: unknown; path?: unknown; message?: unknown };
  // An error of a local file. Node's message names the file and the reason.
  if (typeof code === 'string' && typeof path === 'string')
    return { exitCode: EXIT.failed, code: 'LOCAL_FILE', message: String(message) };
  return undefined;
}

function exitStatusOfCall({ kind, status = 0, problem, message, retryAfterSeconds }: ClientError): ExitStatus {
  if (kind !== 'rejected') {
    const code = kind === 'unreachable' ? 'UNREACHABLE' : 'UNEXPECTED_ANSWER';
    const fix = 'Check that the service is running, and its address (--url or TELECINE_URL).';
    return { exitCode: EXIT.unreachable, code, message, fix };
  }
  const code = problem?.code ?? `HTTP_${status}`;
  const exitCode = exitCodeOf(status);
  const later = retryAfterSeconds === undefined ? undefined : `Try again in ${Math.ceil(retryAfterSeconds)} s.`;
  return { exitCode, code, message, problem, ...(exitCode === EXIT.unreachable && { fix: later }) };
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.unauthorised;
  // The probed file is the reason.
  if (status === 422) return EXIT.failed;
  if (status === 429 || status >= 500) return status === 501 ? EXIT.refused : EXIT.unreachable;
  return EXIT.refused;
}
