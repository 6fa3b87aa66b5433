import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Graph } from './graph.ts';
import { openEnds } from './open-ends.ts';

/** The labels that connect a graph to the larger graph around it. */
interface OuterLabels {
  readonly input: string;
  readonly output: string;
}

/**
 * The chains of a graph with one input and one output, as a part of a larger graph. The open ends get the outer labels; inner labels get a
 * prefix. undefined: only ffmpeg knows which ends are open.
 */
export function embedGraph(
  { chains }: Graph,
  { input, output }: OuterLabels,
  prefix: string,
  catalogue: Catalogue,
): Graph['chains'] | undefined {
  const filters = chains.flat();
  const produced = new Set(filters.flatMap(({ outputs }) => outputs));
  const used = new Set(filters.flatMap(({ inputs }) => inputs));
  const inner = (outside: string, isConnected: ReadonlySet<string>) => (label: string) =>
    isConnected.has(label) ? `${prefix}${label}` : outside;
  const relabelled = chains.map((chain) =>
    chain.map((filter) => ({
      ...filter,
      inputs: filter.inputs.map(inner(input, produced)),
      outputs: filter.outputs.map(inner(output, used)),
    })),
  );
  const ends = openEnds(relabelled, catalogue);
  if (ends === undefined) return undefined;
  return relabelled.map((chain) =>
    chain.map((filter) => ({
      ...filter,
      inputs: filter === ends.first ? [...filter.inputs, input] : filter.inputs,
      outputs: filter === ends.last ? [...filter.outputs, output] : filter.outputs,
    })),
  );
}
