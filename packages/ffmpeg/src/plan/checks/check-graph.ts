import { hasEnough } from '@telecine/contract/domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { checkFilter } from '../../filtergraph/check-filter.ts';
import type { Graph } from '../../filtergraph/graph.ts';
import type { FindPlaces } from '../../filtergraph/graph-places.ts';
import { checkScalerFlags } from '../../filtergraph/known-words.ts';
import { ofPart, type ValueError } from '../../values/value-error.ts';
import type { FilterFiles } from './filter-files.ts';

/** Checks a graph. Returns it with a name for every filter option and logical names for files. */
export function checkGraph(
  graph: Graph,
  placesOf: FindPlaces,
  catalogue: Catalogue,
  files: FilterFiles,
  errors: ValueError[],
): Graph {
  const { scalerFlags } = graph;
  const flagsError = scalerFlags ? checkScalerFlags('sws_flags', scalerFlags, catalogue) : undefined;
  if (flagsError !== undefined) errors.push(ofPart(flagsError, scalerFlags ?? ''));
  const context = {
    catalogue,
    fileNamed: (path: string, byContent: boolean) => files.find(path, byContent),
    fontsIn: (path: string) => files.fontsIn(path),
    allFonts: () => files.allFonts(),
    placesOf,
  };
  const chains = graph.chains.map((chain) =>
    chain.map((filter) => (hasEnough(errors) ? filter : checkFilter(filter, context, errors))),
  );
  return { ...graph, chains };
}
