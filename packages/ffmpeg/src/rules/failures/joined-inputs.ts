import { type GraphFilter, printLabel } from '../../filtergraph/graph.ts';
import { rateText } from '../../values/rate.ts';
import { newFilter, printChanged, replacingFix, wholeGraphFix, withFilter } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type Kind, type MediaFacts, optionValue, RATES } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';
import { videoPads } from './different-inputs.ts';
import { ffmpegFailure, invalidInput, type MediaFailure } from './media-failure.ts';

/** Explains `hstack` or `vstack` of different heights or widths. `groups`, from the log: the pads of two videos and their sizes. */
export function stackedSizes(facts: MediaFacts, ...groups: readonly string[]): MediaFailure | undefined {
  const [second, side, has, first, wanted] = groups;
  const at = filtersIn(facts, 'hstack', 'vstack').find(({ filter }) => filter.inputs[Number(second)] !== undefined);
  const label = at?.filter.inputs[Number(second)];
  if (at === undefined || label === undefined) return undefined;
  const [firstRate, secondRate] = [first, second].map((pad) => at.source(Number(pad), RATES)?.stream.fps);
  const differ = firstRate !== undefined && secondRate !== undefined && firstRate !== secondRate;
  const scale = side === 'height' ? `scale=-2:${wanted}` : `scale=${wanted}:-2`;
  const filters = differ ? `fps=${firstRate},${scale}` : scale;
  const also = differ ? ` Their frame rates differ too: ${secondRate} and ${firstRate} per second.` : '';
  const scaled = `scaled${second}`;
  return ffmpegFailure(
    `Videos ${side === 'height' ? 'side by side need the same height' : 'above each other need the same width'}: input ${second} of ${at.name} has ${has}, and input ${first} has ${wanted}.${also}`,
    replacingFix(facts, at.graph, `${printLabel(label)}${filters}[${scaled}];`, label, scaled, at.filter) ??
      `Send [${label}] through "${filters}" first.`,
  );
}

/** Filters whose output has a frame at each timestamp of any of their inputs. */
const SYNCING = /^(?:[hvx]stack|blend|xfade|concat|maskedmerge|psnr|ssim|overlay|interleave)$/;

/** Explains a run without progress: a filter that joins 25 and 29.97 frames per second makes a frame for each possible time of both. */
export function explainStall(facts: MediaFacts): Pick<MediaFailure, 'message' | 'fix'> | undefined {
  for (const at of filtersIn(facts)) {
    const pads = SYNCING.test(at.name) ? videoPads(at.filter) : [];
    const [first, ...others] = pads.flatMap((pad) => at.source(pad, RATES)?.stream.fps ?? []);
    const different = others.find((rate) => rate !== first);
    if (first === undefined || different === undefined) continue;
    return {
      message: `The filter ${at.name} joins inputs of different frame rates (${first} and ${different} per second), so ffmpeg tries to write very many frames.`,
      fix: sameRateFix(at, first) ?? `Send each input through "fps=${first}" first.`,
    };
  }
  return undefined;
}

/** Returns the fix that gives all inputs of a filter one frame rate. undefined: the graph is too long, or contains names of files. */
function sameRateFix({ facts, graph: { key, graph }, filter }: PlacedFilter, rate: number) {
  const pads = new Set(videoPads(filter));
  const added = filter.inputs.flatMap((label, pad) =>
    pads.has(pad)
      ? [[newFilter('fps', [{ value: rateText(rate) }], { inputs: [label], outputs: [`same${pad}`] })]]
      : [],
  );
  const inputs = filter.inputs.map((label, pad) => (pads.has(pad) ? `same${pad}` : label));
  const chains = graph.chains.flatMap((chain) => [
    ...(chain.includes(filter) ? added : []),
    chain.map((one) => (one === filter ? { ...one, inputs } : one)),
  ]);
  return wholeGraphFix(facts, key, { ...graph, chains });
}

/** ffmpeg logs this if the output format needs a constant frame rate, and the rate is above 1000 per second. */
const VERY_HIGH = /^Frame rate very high for a muxer not efficiently supporting it\.$/;

/** Explains endless frames of ffmpeg 5: a filter joins different frame rates. undefined: an input may really have such a high rate. */
export function endlessFrames(lines: readonly { readonly text: string }[], factsOf: () => MediaFacts | undefined) {
  if (!lines.some(({ text }) => VERY_HIGH.test(text))) return undefined;
  const facts = factsOf();
  const explained = facts && explainStall(facts);
  return explained && ffmpegFailure(explained.message, explained.fix);
}

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

/** Explains a filter that needs more inputs than it has labels: `[0:a][1:a]amix=inputs=3`. */
export function tooManyInputs(facts: MediaFacts, name: string): MediaFailure | undefined {
  const option = countedBy(name)?.option;
  if (option === undefined) return undefined;
  for (const at of filtersIn(facts, name)) {
    const labels = at.filter.inputs.length;
    const isFirst = at.graph.graph.chains.some(([first]) => first === at.filter);
    const number = (key: string, fallback: number): number => Number(at.option(key) ?? fallback);
    const streams = name === 'concat' ? number('v', 1) + number('a', 0) : 1;
    const sent = number(option, 2);
    const count = labels / streams;
    // `layout` has one position for each input. If it fits the sent number of inputs, the number is right and labels are missing.
    const places = at.option('layout')?.split('|').length ?? count;
    if (!isFirst || !(sent > count) || count < 2 || !Number.isInteger(count) || places !== count) continue;
    return ffmpegFailure(
      `The filter ${name} waits for ${sent * streams} inputs ("${option}=${sent}"), and only ${labels} labels come before it.`,
      at.change({ [option]: count }),
    );
  }
  return undefined;
}

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
