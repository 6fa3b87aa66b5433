import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Graph, walkOf } from '../../filtergraph/graph.ts';
import { type ArgvOption, mapsOf, sentName } from '../request/argv-option.ts';
import { mediaOf } from './graph-kinds.ts';
import { producedMedia } from './graph-labels.ts';

const KINDS = { v: 'video', a: 'audio' } as const;

/**
 * The error for `vf` or `af` on a stream that a `filter_complex` outputs: only the complex graph can filter this stream. undefined: there
 * is no such conflict, or the request has several graphs.
 */
export function graphBeside(options: readonly ArgvOption[], catalogue: Catalogue): FieldError | undefined {
  const [complex, ...others] = options.filter(({ name }) => name.name === 'filter_complex');
  const [graph] = complex?.checkedGraphs ?? [];
  if (complex === undefined || graph === undefined || others.length > 0 || complex.graphs?.length !== 1)
    return undefined;
  for (const simple of options) {
    const letter = simple.name.name === 'filter' ? mediaOf(simple) : undefined;
    if (letter === undefined || /\d/.test(simple.name.specifier ?? '')) continue;
    const maps = mapsOf(options);
    const isFiltered = endsOf(graph, KINDS[letter], catalogue).some(
      (label) => label === undefined || maps.length === 0 || maps.includes(`[${label}]`),
    );
    if (!isFiltered) continue;
    const name = sentName(simple);
    return {
      field: simple.field,
      code: 'CONFLICT',
      message: `"${name}" cannot filter the ${KINDS[letter]} that "filter_complex" makes. Its filters belong at the end of "filter_complex".`,
    };
  }
  return undefined;
}

/** The labels of the outputs that no filter of the graph reads. undefined in the list: an output without a label. */
function endsOf(graph: Graph, kind: 'video' | 'audio', catalogue: Catalogue): readonly (string | undefined)[] {
  const { taken } = walkOf(graph);
  return graph.chains.flatMap((chain): readonly (string | undefined)[] => {
    const last = chain.at(-1);
    if (last === undefined) return [];
    if (last.outputs.length === 0) return producedMedia(last, 0, catalogue) === kind ? [undefined] : [];
    return last.outputs.filter((label, pad) => !taken.has(label) && producedMedia(last, pad, catalogue) === kind);
  });
}
