import type { ConversionRequest, InputSpec, Parameters } from '../../src/domain/conversion.ts';
import type { Canaries } from './canaries.ts';

/**
 * What plain ffmpeg does when it is given a row: reads, writes, connects, loads what lies in the bait; never ends; fills
 * the log; answers about itself and converts nothing; takes more of the machine than it may; or tells the hour.
 */
export type Effect = 'reads' | 'writes' | 'connects' | 'loads' | 'hangs' | 'floods' | 'answers' | 'exhausts' | 'tells';

/** One way to make ffmpeg reach what is not the request's own. */
export interface HostileRow {
  readonly title: string;
  readonly effect: Effect;
  request(bait: Canaries): ConversionRequest;
  /**
   * The code with which the checks refuse it. Absent: there is nothing wrong with the request; it is the file that is
   * refused when it is opened, or the limits that end it.
   */
  readonly code?: string;
  /** The oldest recorded ffmpeg that has what is tried; older ones need not know it. */
  readonly since?: '7.1' | '9.0';
  /** Why plain ffmpeg, as the tests have it, does nothing of the kind, or is not let try. */
  readonly inert?: string;
  /** What of the other rows runs in ffmpeg as this one does, so that only the checks try this one: it takes its time. */
  readonly like?: string;
  /**
   * The title of the row that does the same once it runs. A sandbox sees what ffmpeg does and not how it was told, so it
   * is tried with that one alone.
   */
  readonly spells?: string;
  /** Plain ffmpeg gives up at it: what stood behind it in the same command would not be tried. */
  readonly fatal?: true;
  /** For the two runs that no check comes before; left out: what a simple-minded builder makes of the request. */
  argv?(bait: Canaries, input: string): readonly string[];
  /** Files that lie beside the input, by name. */
  files?(bait: Canaries): Readonly<Record<string, string>>;
}

/** Whether it is the limits alone that end a row. */
export const isForLimits = ({ effect, code }: HostileRow): boolean =>
  code === undefined && (effect === 'hangs' || effect === 'exhausts');

/** For rows at which plain ffmpeg gives up. */
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

/** Enough frames for any effect, by encoders that are quickly there. */
const cheaply = (parameters: Parameters): Parameters => ({
  t: '0.2',
  ...('c' in parameters ? {} : { 'c:v': 'mpeg4', 'c:a': 'pcm_s16le' }),
  ...parameters,
});
