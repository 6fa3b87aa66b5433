import { sendOption } from '../../../domain/edit.ts';
import { changeFilters } from '../../filtergraph/change-filters.ts';
import { type Graph, isGraphError } from '../../filtergraph/graph.ts';
import { walkOf } from '../../filtergraph/graph-walk.ts';
import { printGraph } from '../../filtergraph/print.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** The error for a `paletteuse` that gets the palette first: `[palette][film]paletteuse`. */
export function paletteOrder(option: ArgvOption, graph: Graph): ValueError | undefined {
  const { filters, names } = walkOf(graph);
  if (!names.has('paletteuse')) return undefined;
  const palettes = new Set(filters.flatMap(({ name, outputs }) => (name === 'palettegen' ? outputs : [])));
  const isPalette = (label: string | undefined): boolean => label !== undefined && palettes.has(label);
  const swapped = filters.find(
    ({ name, inputs: [film, palette, ...others] }) =>
      name === 'paletteuse' && others.length === 0 && palette !== undefined && isPalette(film) && !isPalette(palette),
  );
  if (swapped === undefined) return undefined;
  const [written = graph, ...others] = option.graphs ?? [];
  const shown = others.length > 0 || isGraphError(written) ? graph : written;
  const meant = changeFilters(shown, (one) => [
    one.at === swapped.at ? { ...one, inputs: swapped.inputs.toReversed() } : one,
  ]);
  return {
    code: 'WRONG_ORDER',
    message: `The filter "paletteuse" takes the film first and the palette second, not "${swapped.inputs.map((label) => `[${label}]`).join('')}".`,
    fix: sendOption(sentName(option), printGraph(meant)),
  };
}
