import type { Lane } from '../../domain/lane.ts';
import type { Plan } from '../../domain/plan.ts';

/** The most seconds that a light job decodes and discards before its frame. */
const MAX_START_SECONDS = 60;

/** Filters that make one frame out of each frame, so that the first frame of the output needs no later one of the input. */
const FRAMEWISE = new Set(
  (
    'scale crop pad format setsar setdar transpose hflip vflip rotate eq hue drawbox drawtext unsharp boxblur gblur ' +
    'colorspace zscale null'
  ).split(' '),
);

/**
 * Decides the lane of a job by its plan. A job is light if it makes one picture from one file, near the start of what it
 * reads: a thumbnail. The start of an input (`inputs[].parameters.ss`) costs nothing, because ffmpeg seeks there.
 */
export function laneOf({ inputs, output, passes, checks, span }: LanePlan): Lane {
  const [argv = [], ...otherPasses] = passes;
  if (inputs.length !== 1 || inputs[0]?.sequence !== undefined) return 'full';
  if (otherPasses.length > 0 || checks !== undefined) return 'full';
  if (output.muxer !== 'image2' || optionValue(argv, '-frames:v') !== '1') return 'full';
  if ((span.output.start ?? 0) > MAX_START_SECONDS) return 'full';
  if (argv.includes('-filter_complex') || !isFramewise(optionValue(argv, '-filter:v'))) return 'full';
  return 'light';
}

type LanePlan = Pick<Plan, 'inputs' | 'passes' | 'checks' | 'span'> & {
  readonly output: Pick<Plan['output'], 'muxer'>;
};

const optionValue = (argv: readonly string[], option: string): string | undefined => {
  const index = argv.indexOf(option);
  return index === -1 ? undefined : argv[index + 1];
};

/** Whether all filters of a canonical filtergraph are known as framewise. A separator in quotes makes it false. */
const isFramewise = (graph: string | undefined): boolean =>
  graph === undefined || graph.split(/[,;]/).every((filter) => FRAMEWISE.has(/^\w+/.exec(filter)?.[0] ?? ''));
