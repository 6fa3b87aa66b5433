import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';

/** A rule that converts a log line of ffmpeg to a failure. */
export interface FailureRule {
  readonly shape: RegExp;
  /** Matches another line that the log must contain too. */
  readonly requires?: RegExp;
  readonly code: FailureCode;
  /**
   * The message, with placeholders. `$1` (also in the fix): the first group of `shape`, which is a logical name, or a word or expression of
   * the client. It is never text of the media.
   *
   * `$input`: the input that an error line names, or ''. `$format`, `$codecs`: the format of the output, and the codecs of its streams.
   * `$reason`: a colon and the reason that the filter or encoder logged, or ''. `$limits`: the values of `limits`, or ''.
   */
  readonly message: string;
  /** True if the service does not support the format of the input. */
  readonly isNotOpened?: boolean;
  /** The limits of the job whose values the message contains. */
  readonly limits?: readonly ('output' | 'pixels' | 'memory' | 'processes')[];
  readonly fix?: Hint;
}

/** Returns a function that creates rules with this code. `requires` matches another line that the log must contain too. */
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
