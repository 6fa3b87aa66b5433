import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';

/** Explains a failure by one line of the ffmpeg log. */
export interface FailureRule {
  readonly shape: RegExp;
  /** Matches the component that logged the line, which `$component` shows: a demuxer. Default: any. */
  readonly component?: RegExp;
  /** Matches another line that must be in the log too. */
  readonly requires?: RegExp;
  /** The exit code that ffmpeg must have. Default: any. */
  readonly exitCode?: number;
  readonly code: FailureCode;
  /**
   * The message, with placeholders. `$1` (also in the fix): the first group of `shape`. This group matches a logical name, or a word or
   * expression of the client, never text of the media.
   *
   * `$input`, also in `about` of the failure: the group `input` of `shape`, else the input that an error line names. `$anInput`: the only input, or "An input". `$format`, `$codecs`: the format of the
   * output, and the codecs of its streams. `$filterReason`, `$encoderReason`, `$muxerReason`: a colon and what the filter, the encoder or
   * the muxer logged last before the line of the rule. `$limits`: the values of `limits`. A placeholder without a known text becomes empty.
   */
  readonly message: string;
  /** True if the service does not support the format of the input, so ffmpeg did not open it. */
  readonly isNotOpened?: boolean;
  /** True if videos that a filter compares or joins differ in size or rate. */
  readonly isUnlike?: true;
  /** True if an input is text that is not UTF-8. */
  readonly isNotUtf8?: boolean;
  /** The limits whose values `$limits` shows. */
  readonly limits?: readonly ('output' | 'pixels' | 'memory' | 'processes')[];
  readonly fix?: Hint;
}

/** The source of a pattern whose group is one word of ffmpeg or of the client: a codec, a filter, an option. */
export const WORD = String.raw`([\w.,:+-]{1,60})`;

/** Returns a function that makes rules with this code. */
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
