import { EXIT, type ExitCode } from '../exit-codes.ts';

interface More {
  readonly fix?: string | undefined;
  readonly cause?: unknown;
}

/** An error that ends a command with a message and an exit code, without a stack trace. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly fix: string | undefined;

  constructor(exitCode: ExitCode, code: string, message: string, { fix, cause }: More = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.code = code;
    this.fix = fix;
  }
}

/** Creates the error for a command whose arguments are wrong. */
export const usageError = (code: string, message: string, fix: string | undefined, cause?: unknown): CommandFailed =>
  new CommandFailed(EXIT.refused, code, message, { fix, cause });
