import type { ExitCode } from '../exit-codes.ts';

interface More {
  /** What to do about it. */
  readonly fix?: string | undefined;
  readonly cause?: unknown;
}

/** A command's end that is no success and needs no stack: what to say, for people and for programs. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: ExitCode;
  /** For programs: `UNREACHABLE`. */
  readonly code: string;
  readonly fix: string | undefined;

  constructor(exitCode: ExitCode, code: string, message: string, { fix, cause }: More = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.code = code;
    this.fix = fix;
  }
}
