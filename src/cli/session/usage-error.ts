import { EXIT } from '../exit-codes.ts';
import { CommandFailed } from './command-failed.ts';

/** The error for a command that cannot run as it was written. */
export const usageError = (code: string, message: string, fix: string): CommandFailed =>
  new CommandFailed(EXIT.refused, code, message, { fix });
