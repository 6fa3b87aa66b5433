import { channelsOf } from '../values/media-formats.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import { withFilter } from './graph-fixes.ts';
import { type MediaFacts, optionValue, sourceOf, withField } from './media-facts.ts';

/** Filters that arrange channels. What stands behind `amerge` then makes use of all of them. */
const ARRANGING = /^(?:pan|aformat|channelmap|channelsplit|join|amix|aresample|headphone|sofalizer|surround)$/;

/** `amerge` of stereo sounds puts their channels side by side; people who want to hear both at once mean `amix`. */
export function mergedChannels(facts: MediaFacts, { outputStreams }: ForeseenPass): readonly RunWarning[] {
  return facts.graphs.flatMap((graph) => {
    if (graph.filters.some(({ name }) => ARRANGING.test(name))) return [];
    return graph.filters.flatMap((filter) => {
      const count = Number(optionValue(filter, 'inputs') ?? 2);
      if (filter.name !== 'amerge' || !(count >= 2 && count <= 32)) return [];
      const counts = Array.from({ length: count }, (_, pad) =>
        channelsOf(sourceOf(facts, graph, filter, pad, ARRANGING)?.stream.channels ?? ''),
      );
      const total = counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
      const result = outputStreams.find(
        ({ type, channels }) => type === 'audio' && !/^(?:mono|stereo)$/.test(channels ?? ''),
      );
      const isChosen = facts.argv.some((word) => /^-(?:ac|ch_layout)(?::|$)/.test(word));
      if (counts.includes(undefined) || counts.filter((one) => Number(one) > 1).length < 2 || !result || isChosen)
        return [];
      return [
        withField(facts, graph.key, {
          code: 'EXTRA_CHANNELS',
          message: `The filter amerge puts channels side by side: ${counts.join(' + ')} make ${total}. To hear the sounds together, mix them.`,
          fix: withFilter(facts, graph, filter, `amix=inputs=${count}:duration=shortest`),
        }),
      ];
    });
  });
}
