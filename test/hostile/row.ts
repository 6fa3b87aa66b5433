import type { ConversionRequest, InputSpec, Parameters } from '../../src/domain/conversion.ts';
import type { Canaries } from './canaries.ts';

/**
 * What plain ffmpeg does with a row: reads, writes, connects to or loads canaries; never ends; floods the log; prints
 * information instead of converting; exceeds a resource limit; or reveals the time.
 */
export type Effect = 'reads' | 'writes' | 'connects' | 'loads' | 'hangs' | 'floods' | 'answers' | 'exhausts' | 'tells';

/** One way to make ffmpeg access something outside of the request. */
export interface HostileRow {
  readonly title: string;
  readonly effect: Effect;
  request(bait: Canaries): ConversionRequest;
  /**
   * The error code of the checks. Absent: the request is valid, and the file is rejected when it is opened, or a limit ends
   * the job.
   */
  readonly code?: string;
  /** The first recorded ffmpeg release with this feature. */
  readonly since?: '7.1' | '9.0';
  /** Why plain ffmpeg has no such effect in the tests, or is not run. */
  readonly inert?: string;
  /** The row that does the same in ffmpeg. Only the checks try this one, because it takes long. */
  readonly like?: string;
  /**
   * The title of the row that does the same in other words. A sandbox sees what ffmpeg does, not how it was requested, so it
   * is tried only with that row.
   */
  readonly spells?: string;
  /** Plain ffmpeg exits at this row, so nothing after it in the same command would run. */
  readonly fatal?: true;
  /** The argv for runs without checks. Default: that of a builder without checks (`unchecked-argv.ts`). */
  argv?(bait: Canaries, input: string): readonly string[];
  /** More files of the media root: name → content. */
  files?(bait: Canaries): Readonly<Record<string, string>>;
}

/** Whether only a limit ends the job of a row. */
export const isForLimits = ({ effect, code }: HostileRow): boolean =>
  code === undefined && (effect === 'hangs' || effect === 'exhausts');

/** For rows that make plain ffmpeg exit. */
export const FATAL = { fatal: true } as const;

type More = Pick<HostileRow, 'since' | 'inert' | 'like' | 'spells' | 'fatal' | 'argv'> & {
  readonly output?: string;
  readonly format?: string;
};

/** A row about options of the output. */
export const withOptions = (
  effect: Effect,
  code: string,
  title: string,
  parameters: Parameters | ((bait: Canaries) => Parameters),
  { output = 'out/a.mkv', format, ...more }: More = {},
): HostileRow => ({
  title,
  effect,
  code,
  ...more,
  request: (bait) => ({
    input: 'movie.mp4',
    output,
    ...(format === undefined ? {} : { format }),
    parameters: cheaply(typeof parameters === 'function' ? parameters(bait) : parameters),
  }),
});

/** A row about the options of an input. */
export const withInput = (
  effect: Effect,
  code: string,
  title: string,
  spec: (bait: Canaries) => InputSpec,
  more: Pick<HostileRow, 'since' | 'inert' | 'argv'> = {},
): HostileRow => ({
  title,
  effect,
  code,
  ...more,
  request: (bait) => ({ inputs: [spec(bait)], output: 'out/a.mkv', parameters: cheaply({}) }),
});

/** Enough frames for any effect, with fast encoders. */
const cheaply = (parameters: Parameters): Parameters => ({
  t: '0.2',
  ...('c' in parameters ? {} : { 'c:v': 'mpeg4', 'c:a': 'pcm_s16le' }),
  ...parameters,
});
