import type { ConversionRequest, InputSpec, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Canaries } from './canaries.ts';

/**
 * What plain ffmpeg does with a row: reads, writes, connects to or loads canaries; never ends; floods the log; prints
 * information instead of converting; exceeds a resource limit; or reveals the time.
 */
export type Effect = 'reads' | 'writes' | 'connects' | 'loads' | 'hangs' | 'floods' | 'prints' | 'exhausts' | 'reveals';

/** One way to make ffmpeg access something outside of the request. */
export interface HostileRow {
  readonly title: string;
  readonly effect: Effect;
  request(canaries: Canaries): ConversionRequest;
  /**
   * The error code of the checks. Absent: the request is valid, and the file is rejected when it is opened, or a limit ends
   * the job.
   */
  readonly code?: string;
  /** The first recorded ffmpeg release with this feature. */
  readonly since?: '7.1' | '9.0';
  /** Why plain ffmpeg has no such effect in the tests, or is not run. */
  readonly noEffectReason?: string;
  /** The title of the row with the same effect in ffmpeg. Only the checks try this row, because it takes long. */
  readonly slowVariantOf?: string;
  /**
   * The title of the row that has the same effect and differs only in the request. A sandbox sees what ffmpeg does, not
   * how it was requested, so the sandbox is tried only with the other row.
   */
  readonly variantOf?: string;
  /** Plain ffmpeg exits at this row, so nothing after it in the same command would run. */
  readonly fatal?: true;
  /** The argv for runs without checks. Default: that of a builder without checks (`unchecked-argv.ts`). */
  argv?(canaries: Canaries, input: string): readonly string[];
  /** More files of the media root: name → content. */
  files?(canaries: Canaries): Readonly<Record<string, string>>;
}

/** Whether only a limit ends the job of a row. */
export const isEndedByLimit = ({ effect, code }: HostileRow): boolean =>
  code === undefined && (effect === 'hangs' || effect === 'exhausts');

/** For rows that make plain ffmpeg exit. */
export const FATAL = { fatal: true } as const;

type More = Pick<HostileRow, 'since' | 'noEffectReason' | 'slowVariantOf' | 'variantOf' | 'fatal' | 'argv'> & {
  readonly output?: string;
  readonly format?: string;
};

/** A row about options of the output. */
export const withOptions = (
  effect: Effect,
  code: string,
  title: string,
  parameters: Parameters | ((canaries: Canaries) => Parameters),
  { output = 'out/a.mkv', format, ...more }: More = {},
): HostileRow => ({
  title,
  effect,
  code,
  ...more,
  request: (canaries) => ({
    input: 'movie.mp4',
    output,
    ...(format === undefined ? {} : { format }),
    parameters: withFastEncoders(typeof parameters === 'function' ? parameters(canaries) : parameters),
  }),
});

/** A row about the options of an input. */
export const withInput = (
  effect: Effect,
  code: string,
  title: string,
  spec: (canaries: Canaries) => InputSpec,
  more: Pick<HostileRow, 'since' | 'noEffectReason' | 'argv'> = {},
): HostileRow => ({
  title,
  effect,
  code,
  ...more,
  request: (canaries) => ({ inputs: [spec(canaries)], output: 'out/a.mkv', parameters: withFastEncoders({}) }),
});

/** Adds fast encoders, and a duration that is long enough for any effect. */
const withFastEncoders = (parameters: Parameters): Parameters => ({
  t: '0.2',
  ...('c' in parameters ? {} : { 'c:v': 'mpeg4', 'c:a': 'pcm_s16le' }),
  ...parameters,
});
