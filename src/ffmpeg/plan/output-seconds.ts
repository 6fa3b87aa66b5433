import type { PlannedOutput } from '../../domain/plan.ts';

type Trim = PlannedOutput['span']['output'];

/** The seconds that trim options allow. Undefined: all. */
export const lengthOf = ({ start = 0, duration, end }: Trim): number | undefined =>
  duration ?? (end === undefined ? undefined : Math.max(0, end - start));

type TimedOutput = Pick<PlannedOutput, 'span' | 'muxer'>;

/**
 * The most seconds of media that a job publishes, if its options alone say so: its outputs are trimmed, or pictures.
 * Undefined if that depends on its inputs.
 */
export function outputSeconds({ outputs }: { readonly outputs: readonly TimedOutput[] }): number | undefined {
  const seconds = outputs.map(secondsOfOutput);
  return seconds.every((one) => one !== undefined) ? seconds.reduce((sum, one) => sum + one, 0) : undefined;
}

function secondsOfOutput({ muxer, span }: TimedOutput): number | undefined {
  if (muxer === 'image2') return 0;
  const [input, ...others] = span.inputs;
  return (
    lengthOf(span.output) ?? span.joined ?? (input !== undefined && others.length === 0 ? lengthOf(input) : undefined)
  );
}
