import { sendOption } from '@telecine/contract/domain/edit.ts';
import { hasEnough } from '@telecine/contract/domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { checkFilter } from '../../filtergraph/check-filter.ts';
import type { CheckedFilter } from '../../filtergraph/filter-context.ts';
import { type Graph, printGraph } from '../../filtergraph/graph.ts';
import type { FindPlaces } from '../../filtergraph/graph-places.ts';
import { checkScalerFlags } from '../../filtergraph/known-words.ts';
import { suggestedValue, type ValueError } from '../../values/value-error.ts';
import type { FilterFiles } from './filter-files.ts';
import { MAX_SUGGESTION } from './suggested-graph.ts';

/**
 * Checks a graph. Returns it with a name for every filter option and logical names for files. `sent`: the name of the client's option, and
 * a function that finds the positions of filters in its text.
 */
export function checkGraph(
  graph: Graph,
  sent: { readonly name: string; readonly placesOf?: FindPlaces | undefined },
  catalogue: Catalogue,
  files: FilterFiles,
  errors: ValueError[],
): Graph {
  const { scalerFlags } = graph;
  const flagsError = scalerFlags ? checkScalerFlags('sws_flags', scalerFlags, catalogue) : undefined;
  if (flagsError !== undefined) errors.push(flagsError);
  const context = {
    catalogue,
    fileNamed: (path: string, byContent: boolean) => files.find(path, byContent),
    fontsIn: (path: string) => files.fontsIn(path),
    allFonts: () => files.allFonts(),
    placesOf: sent.placesOf,
    isAudio: /^(?:af|filter:a(?::.*)?)$/.test(sent.name),
  };
  const chains = graph.chains.map((chain) =>
    chain.map(
      (filter): CheckedFilter => (hasEnough(errors) ? { checked: filter } : checkFilter(filter, context, errors)),
    ),
  );
  const suggestion = errors.length === 0 ? undefined : suggestGraph(graph, chains, flagsError);
  if (suggestion !== undefined) {
    // The fix names the option, so that no reader takes the whole graph for a part of a graph: `fps=fps=30`.
    const fix = sendOption(sent.name, suggestion);
    for (const [index, error] of errors.entries()) errors[index] = { ...error, fix };
  }
  return { ...graph, chains: chains.map((chain) => chain.map(({ checked }) => checked)) };
}

/** The whole graph with every error corrected. undefined: one of the errors has no known correction. */
function suggestGraph(
  graph: Graph,
  filters: readonly (readonly CheckedFilter[])[],
  flagsError: ValueError | undefined,
): string | undefined {
  const chains = filters.map((chain) => chain.flatMap(({ meant }) => meant ?? []));
  const scalerFlags = flagsError === undefined ? graph.scalerFlags : suggestedValue(flagsError);
  const isPartial = filters.some((chain) => chain.some(({ meant }) => meant === undefined));
  if (isPartial || (flagsError !== undefined && scalerFlags === undefined)) return undefined;
  const text = printGraph({ ...(scalerFlags !== undefined && { scalerFlags }), chains });
  return text.length <= MAX_SUGGESTION ? text : undefined;
}
