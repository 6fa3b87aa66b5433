import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Pads } from '../../catalogue/component.ts';
import { componentOf } from '../../catalogue/components.ts';
import { type Graph, walkOf } from '../../filtergraph/graph.ts';
import type { PadKind } from '../../filtergraph/pad-kinds.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** The kind of streams that `vf` or `af` filters. */
export function mediaOf({ name }: ArgvOption): 'v' | 'a' | undefined {
  const letter = name.specifier?.charAt(0).toLowerCase();
  return letter === 'v' || letter === 'a' ? letter : undefined;
}

/** The error for an audio filter in `vf`, or a video filter in `af`. */
export function checkKind(option: ArgvOption, graph: Graph, catalogue: Catalogue): ValueError | undefined {
  const letter = mediaOf(option);
  if (letter === undefined) return undefined;
  const [kind, other] = letter === 'a' ? (['audio', 'video'] as const) : (['video', 'audio'] as const);
  // Skip a chain that ends in a sink, because its result is not in the output.
  const filters = graph.chains.filter((chain) => !/^a?nullsink$/.test(chain.at(-1)?.name ?? '')).flat();
  for (const { name } of filters) {
    const { inputs, outputs } = componentOf(catalogue, 'filter', name) ?? {};
    const takesOther = areAll(inputs, other);
    if (!takesOther && !(areAll(inputs, kind) && areAll(outputs, other))) continue;
    const converts = areAll(outputs, takesOther ? kind : other);
    return {
      code: 'WRONG_KIND',
      message: converts
        ? `The filter "${name}" makes ${takesOther ? kind : other} of ${takesOther ? other : kind}, but "${sentName(option)}" filters ${kind}. "filter_complex" can have this filter, with a label for its output.`
        : `The filter "${name}" is for ${other}, but "${sentName(option)}" filters ${kind}. Filters for ${other} belong in "${letter === 'a' ? 'vf' : 'af'}".`,
    };
  }
  return undefined;
}

const areAll = (pads: Pads | undefined, kind: PadKind): boolean =>
  pads !== undefined && pads !== 'dynamic' && pads.length > 0 && pads.every(({ media }) => media === kind);

/** The kind of a filter's first output. undefined: options of the filter determine it, or there is no output. */
export function firstOutputKind(name: string, catalogue: Catalogue): string | undefined {
  const pads = componentOf(catalogue, 'filter', name)?.outputs;
  return pads === undefined || pads === 'dynamic' ? undefined : pads[0]?.media;
}

export const producedLabels = (graphs: readonly Graph[]): ReadonlySet<string> =>
  new Set(graphs.flatMap((graph) => [...walkOf(graph).producers.keys()]));
