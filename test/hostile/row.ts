import type { ConversionRequest, InputSpec, Parameters } from '../../src/domain/conversion.ts';
import type { Bait } from './bait.ts';

/**
 * What plain ffmpeg does when it is given a row: reads, writes, connects, loads what lies in the bait; never ends; fills
 * the log; answers about itself and converts nothing; or takes more of the machine than it may.
 */
export type Effect = 'reads' | 'writes' | 'connects' | 'loads' | 'hangs' | 'floods' | 'answers' | 'exhausts';

/** One way to make ffmpeg reach what is not the request's own. */
export interface HostileRow {
  readonly title: string;
  readonly effect: Effect;
  request(bait: Bait): ConversionRequest;
  /**
   * The code with which the checks refuse it. Absent: there is nothing wrong with the request; it is the file that is
   * refused when it is opened, or the limits that end it.
   */
  readonly code?: string;
  /** The oldest recorded ffmpeg that has what is tried; older ones need not know it. */
  readonly since?: '7.1' | '9.0';
  /** Set where the refusal has another reason than the harm that the row would do: what holds it. */
  readonly luck?: string;
  /** Why plain ffmpeg, as the tests have it, does nothing of the kind, or is not let try. */
  readonly inert?: string;
  /** What of the other rows runs in ffmpeg as this one does, so that only the checks try this one: it takes its time. */
  readonly like?: string;
  /** For the two runs that no check comes before; left out: what a simple-minded builder makes of the request. */
  argv?(bait: Bait, input: string): readonly string[];
  /** Files that lie beside the input, by name. */
  files?(bait: Bait): Readonly<Record<string, string>>;
}

type More = Pick<HostileRow, 'since' | 'luck' | 'inert' | 'like' | 'argv'> & {
  readonly output?: string;
  readonly format?: string;
  readonly inputs?: (bait: Bait) => readonly (string | InputSpec)[];
};

/** A row about options of the output. */
export const withOptions = (
  effect: Effect,
  code: string,
  title: string,
  parameters: Parameters | ((bait: Bait) => Parameters),
  { output = 'out/a.mkv', format, inputs, ...more }: More = {},
): HostileRow => ({
  title,
  effect,
  code,
  ...more,
  request: (bait) => ({
    ...(inputs === undefined ? { input: 'movie.mp4' } : { inputs: inputs(bait) }),
    output,
    ...(format === undefined ? {} : { format }),
    parameters: { ...FEW, ...(typeof parameters === 'function' ? parameters(bait) : parameters) },
  }),
});

/** A row about the options of an input. */
export const withInput = (
  effect: Effect,
  code: string,
  title: string,
  spec: (bait: Bait) => InputSpec,
  more: Pick<HostileRow, 'since' | 'luck' | 'inert' | 'argv'> = {},
): HostileRow => ({
  title,
  effect,
  code,
  ...more,
  request: (bait) => ({ inputs: [spec(bait)], output: 'out/a.mkv', parameters: FEW }),
});

/** Enough frames for any effect. */
const FEW: Parameters = { t: '0.2' };
