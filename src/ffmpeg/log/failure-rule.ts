import type { FailureCode } from '../../domain/failure.ts';
import type { Hint } from '../../domain/hint.ts';

/** Maps a log line of ffmpeg to a failure. */
export interface FailureRule {
  readonly shape: RegExp;
  /** Another line that the log must contain too. */
  readonly requires?: RegExp;
  readonly code: FailureCode;
  /**
   * `$1` is replaced by the first group of `shape`, in the fix too: a logical name, a word or an expression of the client,
   * never text of the media. `$input` is replaced by the input that an error line of the log names, or by '' if no line
   * names one. `$format` and `$codecs` are replaced by the format of the output and the codecs of its streams, `$reason` by
   * what the filter or encoder itself says, after a colon, or by ''. `$limits` is replaced by the values of `limits`, or by ''.
   */
  readonly message: string;
  /** Whether the service does not open the format of the input. */
  readonly isNotOpened?: boolean;
  /** The limits of the job that the message names. */
  readonly limits?: readonly ('output' | 'pixels' | 'memory' | 'processes')[];
  readonly fix?: Hint;
}

/** Creates a row of the tables of causes. `requires`: another line that the log must contain too. */
export const rule = (
  shape: RegExp,
  code: FailureRule['code'],
  message: string,
  fix: Hint,
  requires?: RegExp,
): FailureRule => ({
  shape,
  code,
  message,
  fix,
  ...(requires && { requires }),
});
