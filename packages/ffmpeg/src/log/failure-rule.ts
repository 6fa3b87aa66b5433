import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';

/** Maps a log line of ffmpeg to a failure. */
export interface FailureRule {
  readonly shape: RegExp;
  /** Another line that the log must contain too. */
  readonly requires?: RegExp;
  readonly code: FailureCode;
  /**
   * `$1`: the first group of `shape`, in the fix too: a logical name, a word or an expression of the client, never text of
   * the media. `$input`: the input that an error line of the log names, or ''. `$format`, `$codecs`: the format of the
   * output and the codecs of its streams. `$reason`: the reason in the words of the filter or encoder, after a colon, or
   * ''. `$limits`: the values of `limits`, or ''.
   */
  readonly message: string;
  /** Whether the service does not open the format of the input. */
  readonly isNotOpened?: boolean;
  /** The limits of the job that the message names. */
  readonly limits?: readonly ('output' | 'pixels' | 'memory' | 'processes')[];
  readonly fix?: Hint;
}

/** Returns a function that creates rules with a code. `requires`: another line that the log must contain too. */
const rulesOf =
  (code: FailureCode) =>
  (shape: RegExp, message: string, fix: Hint, requires?: RegExp): FailureRule => ({
    shape,
    code,
    message,
    fix,
    ...(requires && { requires }),
  });

export const ffmpegFailed = rulesOf('FFMPEG_FAILED');
export const inputInvalid = rulesOf('INPUT_INVALID');
export const unsupported = rulesOf('UNSUPPORTED');
