import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { printGraph } from '../../filtergraph/print.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { JoinTarget } from './join-graph.ts';

/**
 * Returns a source with the size and the rate of the joined film, if the client names none: a colour card fills the picture
 * then. Returns other inputs unchanged.
 */
export function sizedSource(input: ArgvInput, { picture }: JoinTarget, catalogue: Catalogue): ArgvInput {
  const { made } = input;
  const [chain, ...others] = made?.graph.chains ?? [];
  const [first, ...after] = chain ?? [];
  if (made === undefined || picture === undefined || first === undefined || made.kind === 'audio') return input;
  const sized = withOption(
    withOption(first, ['size', 's'], `${picture.width}x${picture.height}`, catalogue),
    ['rate', 'r'],
    picture.rate,
    catalogue,
  );
  const graph = { ...made.graph, chains: [[sized, ...after], ...others] };
  return { ...input, source: { ...input.source, logical: printGraph(graph) } };
}

/** A filter with an option that it has and the client did not set. `names`: the option and its alias. */
function withOption(
  filter: GraphFilter,
  names: readonly [string, string],
  value: string,
  catalogue: Catalogue,
): GraphFilter {
  const [name] = names;
  const known = componentOf(catalogue, 'filter', filter.name)?.options.some((option) => option.name === name);
  if (known !== true || filter.options.some(({ key }) => names.includes(key ?? ''))) return filter;
  return { ...filter, options: [...filter.options, { key: name, value }] };
}
