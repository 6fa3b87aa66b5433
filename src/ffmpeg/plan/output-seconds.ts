import type { Plan } from '../../domain/plan.ts';

type Trim = Plan['span']['output'];

/** The length that trim options allow. */
const lengthOf = ({ start = 0, duration, end }: Trim): number | undefined =>
  duration ?? (end === undefined ? undefined : Math.max(0, end - start));

/**
 * The most seconds of media that a job publishes, if its options alone say so: it is trimmed, or makes pictures. Undefined
 * if that depends on its inputs.
 */
export function outputSeconds({
  output,
  span,
}: Pick<Plan, 'span'> & { output: Pick<Plan['output'], 'muxer'> }): number | undefined {
  if (output.muxer === 'image2') return 0;
  const [input, ...others] = span.inputs;
  return lengthOf(span.output) ?? (input !== undefined && others.length === 0 ? lengthOf(input) : undefined);
}
