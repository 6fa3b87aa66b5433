import type { GraphFilter } from '../../filtergraph/graph.ts';
import { printChanged, withFilter } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type Kind, type MediaFacts, optionValue } from '../facts/media-facts.ts';
import { invalidInput, type MediaFailure } from './media-failure.ts';

/** Filters with an option for the number of their inputs, and the kind of those inputs. For `concat`, the option counts segments. */
const COUNTED: Readonly<Record<string, { readonly kind: Kind; readonly option: string }>> = {
  amix: { kind: 'audio', option: 'inputs' },
  amerge: { kind: 'audio', option: 'inputs' },
  mix: { kind: 'video', option: 'inputs' },
  hstack: { kind: 'video', option: 'inputs' },
  vstack: { kind: 'video', option: 'inputs' },
  xstack: { kind: 'video', option: 'inputs' },
  concat: { kind: 'video', option: 'n' },
};

const countedBy = (name: string) => (Object.hasOwn(COUNTED, name) ? COUNTED[name] : undefined);

/** Returns how many inputs a filter takes, and of which kind. undefined for a `concat` of video and audio: ffmpeg itself checks it. */
function takes(filter: GraphFilter) {
  const counted = countedBy(filter.name);
  if (counted === undefined) return undefined;
  const count = Number(optionValue(filter, counted.option) ?? '2');
  if (filter.name !== 'concat') return { filter, ...counted, count };
  const [video, audio] = [optionValue(filter, 'v') ?? '1', optionValue(filter, 'a') ?? '0'];
  if (Number(video) + Number(audio) !== 1) return undefined;
  return { filter, ...counted, kind: audio === '1' ? 'audio' : 'video', count } as const;
}

/** Explains `amix=inputs=3` with two audio streams. ffmpeg connects a pad without a label to a stream that the graph does not use yet. */
export function lackingStreams(facts: MediaFacts): MediaFailure | undefined {
  const [graph, ...others] = facts.complexGraphs;
  if (graph === undefined || others.length > 0) return undefined;
  const counted = graph.graph.chains.flatMap(([first]) => (first && takes(first)) ?? []);
  const [only, ...more] = counted.filter(({ filter, count }) => filter.inputs.length < count);
  if (only === undefined || more.length > 0) return undefined;
  const { filter, kind, option, count } = only;
  const all = facts.inputs.reduce((sum, _one, input) => sum + facts.streamsOf(input, kind).length, 0);
  const free = all - usedBy(facts, graph, kind);
  const there = filter.inputs.length + Math.max(0, free);
  if (free < 0 || there >= count) return undefined;
  return invalidInput(
    `The filter "${filter.name}" takes ${count} inputs, and there ${there === 1 ? 'is' : 'are'} only ${there} ${kind} ${there === 1 ? 'stream' : 'streams'} for it.`,
    there < 2
      ? `Leave the filter out, or send ${count - there === 1 ? 'another file' : `${count - there} more files`} with ${kind} in "inputs".`
      : withFilter(facts, graph, filter, printChanged(filter, { [option]: there })),
  );
}

const usedBy = (facts: MediaFacts, { filters }: ArgvGraph, kind: Kind): number =>
  new Set(
    filters
      .flatMap(({ inputs }) => inputs)
      .flatMap((label) => {
        const { input, streams = [] } = facts.selected(label) ?? {};
        const stream = streams.find(({ type }) => type === kind);
        return stream === undefined ? [] : [`${input}:${stream.index}`];
      }),
  ).size;
