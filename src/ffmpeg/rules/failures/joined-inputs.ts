import type { Failure } from '../../../domain/failure.ts';
import type { GraphChain, GraphFilter } from '../../filtergraph/graph.ts';
import { printLabel } from '../../filtergraph/graph.ts';
import { printChanged, replacingFix, wholeGraphFix, withFilter } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type Kind, type MediaFacts, optionValue, RATES } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';
import { picturePads, rateText } from './different-inputs.ts';
import { failed } from './media-failure.ts';

export function stackedSizes(
  facts: MediaFacts,
  side: 'height' | 'width',
  second: { readonly pad: number; readonly has: string | undefined },
  first: { readonly pad: number; readonly wanted: string | undefined },
): Failure | undefined {
  for (const at of filtersIn(facts)) {
    const { graph, filter } = at;
    const label = filter.inputs[second.pad];
    if (!/^[hv]stack$/.test(at.name) || label === undefined) continue;
    const rates = [first.pad, second.pad].map((pad) => at.source(pad, RATES)?.stream.fps);
    const [firstRate, secondRate] = rates;
    const differ = firstRate !== undefined && secondRate !== undefined && firstRate !== secondRate;
    const scale = side === 'height' ? `scale=-2:${first.wanted}` : `scale=${first.wanted}:-2`;
    const filters = differ ? `fps=${firstRate},${scale}` : scale;
    const also = differ ? ` Their frame rates differ too: ${secondRate} and ${firstRate} per second.` : '';
    return failed(
      'FFMPEG_FAILED',
      `Pictures ${side === 'height' ? 'side by side need the same height' : 'above each other need the same width'}: input ${second.pad} of ${at.name} has ${second.has}, and input ${first.pad} has ${first.wanted}.${also}`,
      replacingFix(
        facts,
        graph,
        `${printLabel(label)}${filters}[scaled${second.pad}];`,
        label,
        `scaled${second.pad}`,
        filter,
      ) ?? `Send [${label}] through "${filters}" first.`,
    );
  }
  return undefined;
}

/** Filters that put the frames of several inputs into one picture or one film, at the times of all of them. */
const SYNCING = /^(?:[hvx]stack|blend|xfade|concat|maskedmerge|psnr|ssim|overlay|interleave)$/;

/**
 * Why a run makes no progress: a filter joins inputs of different frame rates, so ffmpeg writes a frame for each moment in
 * which one of them could have a frame.
 */
export function explainStall(facts: MediaFacts): Pick<Failure, 'message' | 'fix'> | undefined {
  for (const at of filtersIn(facts)) {
    const { filter } = at;
    if (!SYNCING.test(at.name)) continue;
    const pads = picturePads(filter).map((pad) => ({
      pad,
      rate: at.source(pad, RATES)?.stream.fps,
    }));
    const [first, ...others] = pads.map(({ rate }) => rate).filter((rate) => rate !== undefined);
    const different = others.find((rate) => rate !== first);
    if (first === undefined || different === undefined) continue;
    return {
      message: `The filter ${at.name} joins inputs of different frame rates (${first} and ${different} per second), so ffmpeg tries to write very many frames.`,
      fix: sameRateFix(at, first) ?? `Send each input through "fps=${first}" first.`,
    };
  }
  return undefined;
}

/** The fix that gives all inputs of a filter the same frame rate. undefined if the graph is too long, or names files. */
function sameRateFix({ facts, graph: { key, graph }, filter }: PlacedFilter, rate: number) {
  const pads = picturePads(filter).filter((pad) => filter.inputs[pad] !== undefined);
  const label = (pad: number): string => `same${pad}`;
  const added = pads.map(
    (pad): GraphChain => [
      {
        inputs: [filter.inputs[pad] ?? ''],
        name: 'fps',
        options: [{ value: rateText(rate) }],
        outputs: [label(pad)],
        at: 0,
      },
    ],
  );
  const inputs = filter.inputs.map((one, pad) => (pads.includes(pad) ? label(pad) : one));
  const chains = graph.chains.flatMap((chain): GraphChain[] => [
    ...(chain.includes(filter) ? added : []),
    chain.map((one) => (one === filter ? { ...one, inputs } : one)),
  ]);
  return wholeGraphFix(facts, key, { ...graph, chains });
}

/** ffmpeg's warning that it repeats frames up to more than 1000 per second, for a format with a constant rate. */
const VERY_HIGH = /^Frame rate very high for a muxer not efficiently supporting it\.$/;

/**
 * Why a run that has just started would repeat frames nearly without end. Releases up to 5 give the output of a filter that
 * joins different frame rates no rate of its own. Explains only that, because an input may really have such a rate.
 */
export function endlessFrames(
  lines: readonly { readonly text: string }[],
  factsOf: () => MediaFacts | undefined,
): Failure | undefined {
  if (!lines.some(({ text }) => VERY_HIGH.test(text))) return undefined;
  const facts = factsOf();
  const explained = facts && explainStall(facts);
  return explained && { code: 'FFMPEG_FAILED', ...explained };
}

/** A filter that waits for more inputs than it has labels: `[0:a][1:a]amix=inputs=3`. */
export function tooManyInputs(facts: MediaFacts, name: string): Failure | undefined {
  for (const at of filtersIn(facts)) {
    const { graph, filter } = at;
    const labels = filter.inputs.length;
    const isFirst = graph.graph.chains.some(([first]) => first === filter);
    if (at.name !== name || labels < 2 || !isFirst) continue;
    const number = (key: string, fallback: number): number => Number(at.option(key) ?? fallback);
    const [key, streams] =
      name === 'concat' ? (['n', number('v', 1) + number('a', 0)] as const) : (['inputs', 1] as const);
    const sent = number(key, 2);
    const count = labels / streams;
    const isCounted = name === 'concat' || WITH_INPUTS.test(name);
    // The layout of a mosaic places each input.
    const places = at.option('layout')?.split('|').length ?? count;
    if (!isCounted || !(sent > count) || count < 2 || !Number.isInteger(count) || places !== count) continue;
    return failed(
      'FFMPEG_FAILED',
      `The filter ${name} waits for ${sent * streams} inputs ("${key}=${sent}"), and only ${labels} labels come before it.`,
      at.change({ [key]: count }),
    );
  }
  return undefined;
}

/** Filters whose option `inputs` sets the number of their inputs. */
const WITH_INPUTS = /^(?:amix|amerge|mix|[hvx]stack)$/;

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
    facts.inputs.reduce((sum, _one, input) => sum + facts.streamsOf(input, kind).length, 0) - used(facts, graph, kind);
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
        const { input, streams = [] } = facts.selected(label) ?? {};
        const stream = streams.find(({ type }) => type === kind);
        return stream === undefined ? [] : [`${input}:${stream.index}`];
      }),
    ),
  ).size;
