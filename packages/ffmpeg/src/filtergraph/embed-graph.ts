import type { Catalogue } from '../catalogue/catalogue.ts';
import { changeFilters, type Graph, isGraphError, OF_SERVICE } from './graph.ts';
import { openEnds } from './open-ends.ts';
import { parseGraph } from './parse.ts';

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

const hasLabel = (labels: readonly string[] = []): boolean => labels.length > 0;

/** Links chains so that the last filter of one sends its frames to the first filter of the next. */
const inRow = (...parts: readonly Graph['chains'][]): Graph['chains'] =>
  parts.reduce((before, after) => [
    ...before.slice(0, -1),
    [...(before.at(-1) ?? []), ...(after[0] ?? [])],
    ...after.slice(1),
  ]);

/**
 * A graph with one input and one output, with filters before and behind it. undefined: only ffmpeg knows which ends of the graph are open.
 *
 * @param graph undefined: there are no filters yet.
 */
export function surroundGraph(
  graph: Graph | undefined,
  { before = [], behind = [] }: { readonly before?: Graph['chains']; readonly behind?: Graph['chains'] },
  catalogue: Catalogue,
): Graph | undefined {
  const chains = graph?.chains ?? [];
  const [first, last] = [chains[0]?.[0], chains.at(-1)?.at(-1)];
  const isPlain = !hasLabel(first?.inputs) && !hasLabel(last?.outputs);
  const ends = isPlain && chains.length > 1 ? openEnds(chains, catalogue) : { first, last };
  if (isPlain && ends?.first === first && ends?.last === last)
    return { ...graph, chains: inRow(before, chains, behind).filter(({ length }) => length > 0) };
  const outer = { input: `${OF_SERVICE}_in`, output: `${OF_SERVICE}_out` };
  const embedded = graph && embedGraph(graph, outer, `${OF_SERVICE}_`, catalogue);
  return (
    embedded && {
      ...graph,
      chains: [
        ...linkedChains(before, { output: outer.input }),
        ...embedded,
        ...linkedChains(behind, { input: outer.output }),
      ],
    }
  );
}

/** Chains with these labels before their first filter and behind their last one. */
export const linkedChains = (chains: Graph['chains'], { input, output }: Partial<OuterLabels>): Graph['chains'] => {
  const [first, last] = [chains[0]?.[0], chains.at(-1)?.at(-1)];
  return chains.map((chain) =>
    chain.map((filter) => ({
      ...filter,
      inputs: filter === first && input !== undefined ? [input] : filter.inputs,
      outputs: filter === last && output !== undefined ? [output] : filter.outputs,
    })),
  );
};

/** The chains of a text that the service writes itself. Each filter is marked as one of the service, so that no rule explains it to the client. */
export function serviceChains(...texts: readonly (string | undefined)[]): Graph['chains'] {
  const text = texts.filter(Boolean).join(',');
  if (text === '') return [];
  const graph = parseGraph(text);
  if (isGraphError(graph)) throw new TypeError(`The filters of the service are not a graph: ${graph.error}.`);
  return changeFilters(graph, (filter) => [{ ...filter, instance: OF_SERVICE }]).chains;
}
