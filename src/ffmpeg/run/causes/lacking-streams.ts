import type { Failure } from '../../../domain/failure.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { printChanged, withFilter } from '../graph-fixes.ts';
import { type ArgvGraph, type Kind, type MediaFacts, matchingStreams, optionValue, streamsOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** Filters whose number of inputs is an option, and what they take. `concat` counts parts. */
const COUNTED: Readonly<Record<string, { readonly kind: Kind; readonly option: string }>> = {
  amix: { kind: 'audio', option: 'inputs' },
  amerge: { kind: 'audio', option: 'inputs' },
  mix: { kind: 'video', option: 'inputs' },
  hstack: { kind: 'video', option: 'inputs' },
  vstack: { kind: 'video', option: 'inputs' },
  xstack: { kind: 'video', option: 'inputs' },
  concat: { kind: 'video', option: 'n' },
};

/** How many streams one part of a filter takes: several only for `concat` of pictures and sound, which is left to ffmpeg. */
function takes(
  filter: GraphFilter,
): { readonly kind: Kind; readonly option: string; readonly count: number } | undefined {
  const counted = Object.hasOwn(COUNTED, filter.name) ? COUNTED[filter.name] : undefined;
  if (counted === undefined) return undefined;
  const count = Number(optionValue(filter, counted.option) ?? '2');
  if (filter.name !== 'concat') return { ...counted, count };
  const [video, audio] = [optionValue(filter, 'v') ?? '1', optionValue(filter, 'a') ?? '0'];
  if (Number(video) + Number(audio) !== 1) return undefined;
  return { ...counted, kind: audio === '1' ? 'audio' : 'video', count };
}

/**
 * A filter with more inputs than there are labels before it and unused streams for the others: ffmpeg gives each input without a label a
 * stream that the graph does not use yet.
 */
export function lackingStreams(facts: MediaFacts): Failure | undefined {
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter_complex');
  if (graph === undefined || others.length > 0) return undefined;
  const found = graph.graph.chains.flatMap((chain) => {
    const [first] = chain;
    const wanted = first && takes(first);
    return first === undefined || wanted === undefined ? [] : [{ filter: first, ...wanted }];
  });
  const [only, ...more] = found.filter(({ filter, count }) => filter.inputs.length < count);
  if (only === undefined || more.length > 0) return undefined;
  const { filter, kind, option, count } = only;
  const free =
    facts.inputs.reduce((sum, _one, input) => sum + streamsOf(facts, input, kind).length, 0) - used(facts, graph, kind);
  const there = filter.inputs.length + Math.max(0, free);
  if (free < 0 || there >= count) return undefined;
  return failed(
    'INPUT_INVALID',
    `The filter "${filter.name}" takes ${count} inputs, and there ${there === 1 ? 'is' : 'are'} only ${there} ${kind} ${there === 1 ? 'stream' : 'streams'} for it.`,
    there < 2
      ? `Leave the filter out, or send ${count - there === 1 ? 'another file' : `${count - there} more files`} with ${kind} in "inputs".`
      : withFilter(facts, graph, filter, printChanged(filter, { [option]: there })),
  );
}

/** How many streams of a kind the labels of a graph use. */
const used = (facts: MediaFacts, { filters }: ArgvGraph, kind: Kind): number =>
  new Set(
    filters.flatMap(({ inputs }) =>
      inputs.flatMap((label) => {
        const [, number, specifier = ''] = /^(\d+)(?::(.*))?$/.exec(label) ?? [];
        const [stream] =
          number === undefined
            ? []
            : (matchingStreams(facts, Number(number), specifier) ?? []).filter(({ type }) => type === kind);
        return stream === undefined ? [] : [`${number}:${stream.index}`];
      }),
    ),
  ).size;
