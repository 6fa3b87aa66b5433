import { addOption } from '@telecine/contract/domain/edit.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { rateModeOf } from '../../plan/request/frame-rate-modes.ts';
import { rateText, readRate } from '../../values/rate.ts';
import type { FileContext, ForeseenWarning, Rules } from '../contexts.ts';
import { isCopied, ofKind } from '../facts/converted-streams.ts';
import { printChanged, withFilter } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';

/** Filters that set a frame rate, whatever the rate of their input is. */
const SETS_RATE: ReadonlySet<string> = new Set(['fps', 'framerate', 'minterpolate', 'zoompan']);

/** Filters that reject an input without a frame rate. */
const NEEDS_RATE: ReadonlySet<string> = new Set(['decimate', 'detelecine', 'telecine', 'xfade']);

/** Filters that change the frame rate or the time base. */
const CHANGES_RATE =
  /^(?:fps|framerate|minterpolate|zoompan|settb|decimate|framestep|(?:de)?telecine|dejudder|separatefields|tinterlace|(?:bw|w3f|est)dif|yadif|nnedi|concat|xfade|tile)$/;

/** Options of an output by which the frame rate or the time base is known, whatever the filters do. */
const SETS_OUTPUT_RATE = /^-(?:r|fpsmax|enc_time_base|target)(?::|$)/;

/** Formats that ffmpeg writes with a constant frame rate by default. Tested with ffmpeg 7.1. */
const CONSTANT: ReadonlySet<string> = new Set(
  '3gp asf avif dash dvd h264 hevc hls image2 ipod ivf mpeg mxf ogg segment svcd vcd vob yuv4mpegpipe'.split(' '),
);

/** The constant frame rate that ffmpeg writes if it knows none. */
const USUAL_RATE = 25;

/** Inputs whose time base is much finer than a frame. Tested with ffmpeg 7.1. */
const FINE = /\b(?:mov|mp4|matroska|webm|mpegts)\b/;

/** What the encoders do with a time base instead of a frame rate. Tested with ffmpeg 7.1, as were others on which it has no effect. */
const EFFECTS: ReadonlyMap<string, string> = new Map([
  ...['libx264', 'libx265'].map(
    (name) => [name, 'gets a level that many players reject, and misses bit rates'] as const,
  ),
  ...['mpeg4', 'h263p', 'libxvid', 'libtheora'].map((name) => [name, 'misses bit rates'] as const),
  ...['libsvtav1', 'mpeg1video', 'mpeg2video'].map((name) => [name, 'fails'] as const),
]);

/** The last filter after which the frame rate of a stream is unknown, and the filter after it, if that filter needs a frame rate. */
interface RatelessEnd {
  readonly last: GraphFilter;
  readonly needing?: string;
}

/** Follows a stream without a frame rate. undefined: a filter sets a rate, or the way is not clear. */
function followed({ graph }: ArgvGraph, from: GraphFilter): RatelessEnd | undefined {
  const filters = graph.chains.flat();
  let last = from;
  for (const _ of filters) {
    const next = followerOf(graph.chains, last);
    if (next === 'unclear') return undefined;
    if (next === undefined) return { last };
    const { filter, pad } = next;
    if (NEEDS_RATE.has(filter.name)) return { last, needing: filter.name };
    // With several inputs, the first one sets the rate. Only `concat` needs all.
    if (SETS_RATE.has(filter.name) || (pad > 0 && filter.name !== 'concat')) return undefined;
    last = filter;
  }
  return undefined;
}

/** The filter that reads the output of another, and by which pad. undefined: the output leaves the graph. */
function followerOf(
  chains: ArgvGraph['graph']['chains'],
  filter: GraphFilter,
): { readonly filter: GraphFilter; readonly pad: number } | 'unclear' | undefined {
  const chain = chains.find((one) => one.includes(filter)) ?? [];
  const next = chain[chain.indexOf(filter) + 1];
  const [label, ...others] = filter.outputs;
  if (next !== undefined) return label === undefined ? { filter: next, pad: next.inputs.length } : 'unclear';
  if (label === undefined) return undefined;
  // A `concat` of video and audio has its video first.
  const isJoined = filter.name === 'concat' && (optionValue(filter, 'v') ?? '1') === '1';
  if (others.length > 0 && !isJoined) return 'unclear';
  const reader = chains.flat().find(({ inputs }) => inputs.includes(label));
  return reader && { filter: reader, pad: reader.inputs.indexOf(label) };
}

/** The words of the argv after the inputs. */
const outputWords = ({ argv }: MediaFacts): readonly string[] => argv.slice(argv.lastIndexOf('-i') + 2);

/** True if ffmpeg certainly writes a constant frame rate. */
function isConstant(facts: MediaFacts): boolean {
  const mode = rateModeOf(facts.argumentsOf(/^-(?:fps_mode|vsync)(?::|$)/).at(-1) ?? 'auto');
  return mode === 'auto' ? CONSTANT.has(facts.plan.output.muxer) : mode === 'cfr';
}

/** The rate at which a `setpts` numbers the frames, as in `N/(30*TB)`. */
function numberedRate(at: PlacedFilter): number | undefined {
  const expression = (at.option('expr') ?? '').replaceAll(/\s/g, '');
  const [, product, quotient] = /^N\/(?:\(([\d./]+)\*TB\)|([\d.]+)\/TB)$/.exec(expression) ?? [];
  return readRate(product ?? quotient ?? '');
}

/** The frame rate of the video that reaches a filter. `isFine`: its time base is much finer than a frame. undefined: unknown. */
function rateBefore(at: PlacedFilter): { readonly rate: number; readonly isFine: boolean } | undefined {
  const { facts } = at;
  const source = at.source(0, CHANGES_RATE);
  if (source === undefined) {
    const chain = at.graph.graph.chains.find((one) => one.includes(at.filter)) ?? [];
    const changing = chain.slice(0, chain.indexOf(at.filter)).findLast(({ name }) => CHANGES_RATE.test(name));
    const rate = changing?.name === 'fps' ? readRate(optionValue(changing, 'fps') ?? '') : undefined;
    return rate === undefined ? undefined : { rate, isFine: false };
  }
  const { input, stream } = source;
  const args = facts.inputArgs(input);
  if (args.some((word) => /^-(?:r|framerate)(?::|$)/.test(word))) return undefined;
  const rate = facts.traitsOf(input, stream.index)?.baseRate ?? stream.fps;
  return rate === undefined ? undefined : { rate, isFine: FINE.test(facts.inputs[input]?.demuxer ?? '') };
}

function unknownRate({ facts, pass }: FileContext): ForeseenWarning | undefined {
  if (facts.plan.setptsLosesRate !== true || outputWords(facts).some((word) => SETS_OUTPUT_RATE.test(word)))
    return undefined;
  const [video, ...others] = ofKind(pass.outputStreams, 'video');
  if (video === undefined || others.length > 0 || isCopied(pass, video.index)) return undefined;
  for (const at of filtersIn(facts, 'setpts')) {
    const end = followed(at.graph, at.filter);
    if (end === undefined) continue;
    const known = rateBefore(at);
    const rate = numberedRate(at) ?? known?.rate;
    if (known === undefined || rate === undefined) continue;
    const effect = effectOf(facts, end, { ...known, rate }, video.codec);
    if (effect === undefined) continue;
    return {
      code: 'UNKNOWN_FRAME_RATE',
      message: `This release of ffmpeg knows no frame rate after "setpts": ${effect}`,
      fix:
        end.last.outputs.length > 1
          ? addOption('r', rateText(rate))
          : withFilter(facts, at.graph, end.last, `${printChanged(end.last)},fps=${rateText(rate)}`),
      key: at.graph.key,
    };
  }
  return undefined;
}

/** The end of the message. undefined: nothing goes wrong, or this is not known. */
function effectOf(
  facts: MediaFacts,
  { needing }: RatelessEnd,
  { rate, isFine }: { readonly rate: number; readonly isFine: boolean },
  encoder: string,
): string | undefined {
  if (needing !== undefined) return `the filter "${needing}" needs one, and the job fails.`;
  if (isConstant(facts)) {
    if (Math.abs(rate - USUAL_RATE) < 0.01 || facts.argumentOf('frames:v') === '1') return undefined;
    return `the output gets ${USUAL_RATE} frames per second instead of ${rateText(rate)}.`;
  }
  const effect = EFFECTS.get(encoder);
  return isFine && effect !== undefined
    ? `${encoder} reads the time base, such as 1/30000 s, as the length of a frame, and ${effect}.`
    : undefined;
}

export const UNKNOWN_FRAME_RATE_RULES: Rules = {
  'setpts-without-rate': {
    finds: 'the filter `setpts` without a frame rate after it, where ffmpeg 7 then encodes at a wrong one',
    files: unknownRate,
  },
};
