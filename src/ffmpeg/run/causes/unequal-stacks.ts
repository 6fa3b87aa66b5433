import type { Failure } from '../../../domain/failure.ts';
import { printLabel } from '../../filtergraph/print.ts';
import { RESIZING } from '../filter-effects.ts';
import { replacingFix } from '../graph-fixes.ts';
import { type MediaFacts, pictureSize, sourceOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** `hstack` of pictures with other heights, or `vstack` with other widths. */
export function unequalStacks(facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const side = filter.name === 'hstack' ? 'height' : filter.name === 'vstack' ? 'width' : undefined;
      if (side === undefined) continue;
      const pads = filter.inputs.map((label, pad) => {
        const source = sourceOf(facts, graph, filter, pad, RESIZING);
        return { label, length: source && pictureSize(facts, source)?.[side] };
      });
      const [first, ...others] = pads;
      const wrong = others.filter(({ length }) => length !== undefined && length !== first?.length);
      const [one, ...more] = wrong;
      if (first?.length === undefined || one === undefined) continue;
      const even = side === 'height' ? `scale=-2:${first.length}` : `scale=${first.length}:-2`;
      const fix = replacingFix(facts, graph, `${printLabel(one.label)}${even}[even];`, one.label, 'even', filter);
      return failed(
        'FFMPEG_FAILED',
        `The filter ${filter.name} needs pictures of the same ${side}: [${first.label}] has ${first.length}, [${one.label}] ${one.length}.`,
        more.length === 0 && fix !== undefined ? fix : `Send each of the others through "${even}" before the filter.`,
      );
    }
  return undefined;
}
