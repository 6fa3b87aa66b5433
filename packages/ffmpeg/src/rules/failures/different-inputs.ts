import { type GraphChain, type GraphFilter, isGraphError, printLabel } from '../../filtergraph/graph.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import { isVariableRate, rateModeOf } from '../../plan/request/frame-rate-modes.ts';
import { rateText } from '../../values/rate.ts';
import { followedBy, newFilter, wholeGraphFix } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue, RATES, RESIZING } from '../facts/media-facts.ts';
import { PlacedFilter } from '../facts/placed-filter.ts';
import { ffmpegFailure, type MediaFailure } from './media-failure.ts';

/** Filters that combine frames of several inputs. These frames must have the same size. */
const SAME_SIZE =
  /^(?:xfade|concat|blend|lut2|alphamerge|masked(?:merge|clamp|max|min|threshold)|hysteresis|midequalizer|displace|premultiply|unpremultiply|psnr|ssim|msad|identity|vif|xcorrelate|morpho|signalstats|limitdiff|xmedian|multiply)$/;

/** Filters after which the fix adds `format`: `xfade` of ffmpeg 5.1, for example, outputs yuv444p, which few players show. */
const CHANGES_FORMAT = /^(?:xfade|blend)$/;
const FORMAT = newFilter('format', [{ key: 'pix_fmts', value: 'yuv420p' }]);

const ASPECTS = new RegExp(`${RESIZING.source}|^set[ds]ar$`);

/** True if `fps` is a frame rate of videos. Containers may report a timebase such as 90000 instead, and images a rate of their own. */
const isUsualRate = (fps: number | undefined): fps is number => fps !== undefined && fps >= 5 && fps <= 120;

/** For how many seconds the fix shows an image that `xfade` joins with a video. */
const IMAGE_SECONDS = 5;

type Size = { readonly width: number; readonly height: number } | undefined;

type Pad = ReturnType<typeof padsOf>[number];

function videoPads(filter: GraphFilter): readonly number[] {
  const pads = [...filter.inputs.keys()];
  if (filter.name !== 'concat') return pads;
  const [video, audio] = [Number(optionValue(filter, 'v') ?? 1), Number(optionValue(filter, 'a') ?? 0)];
  return pads.filter((pad) => pad % (video + audio) < video);
}

/** Viewers do not notice an aspect ratio that is wrong by less than this share. */
const VISIBLE = 0.02;

function padsOf(facts: MediaFacts, graph: ArgvGraph, filter: GraphFilter) {
  const at = new PlacedFilter(facts, graph, filter);
  return videoPads(filter).map((pad) => {
    const sized = at.source(pad, RESIZING);
    const rated = at.source(pad, RATES);
    const shaped = at.source(pad, ASPECTS);
    const any = at.source(pad, /^(?:format|split)$/);
    const traits = shaped && facts.traitsOf(shaped.input, shaped.stream.index);
    const { pixelAspect = 1 } = sized === undefined ? {} : (traits ?? {});
    const isStretched = Math.abs(pixelAspect - 1) > VISIBLE;
    const stored = sized && facts.frameSize(sized);
    const square = stored && { width: 2 * Math.round((stored.width * pixelAspect) / 2), height: stored.height };
    return {
      pad,
      label: filter.inputs[pad] ?? '',
      size: isStretched ? square : stored,
      stored,
      /** True if the pixels are clearly not square. `size` is then the size with square pixels. */
      isStretched,
      fps: rated?.stream.fps,
      /** The frame rate that filters see, which only ffprobe reports. undefined: unknown. */
      baseRate: rated && facts.traitsOf(rated.input, rated.stream.index)?.baseRate,
      format: any?.stream.pixelFormat,
      /** The aspect ratio of a pixel, in the notation of ffmpeg. undefined: unknown. */
      aspect: shaped && (traits?.aspectText ?? '1:1'),
      isStill: any !== undefined && facts.isStill(any.input),
    };
  });
}

const differInAspect = (pads: readonly Pad[]): boolean =>
  new Set(pads.map(({ stored }) => stored && `${stored.width}x${stored.height}`)).size === 1 &&
  pads.every(({ aspect }) => aspect !== undefined) &&
  new Set(pads.map(({ aspect }) => aspect)).size > 1;

function describePad({ label, stored, fps, format = '', aspect }: Pad, showsAspect: boolean): string {
  const parts = [
    stored === undefined ? '' : `${stored.width}x${stored.height}`,
    showsAspect && aspect !== undefined ? `SAR ${aspect}` : '',
    fps === undefined ? '' : `${rateText(fps)} fps`,
    format,
  ];
  return `[${label}] ${parts.filter((part) => part !== '').join(' ')}`;
}

type Target = Readonly<{ size: Size; rate: number }>;

/** Returns the filters that give one input of the filter `name` the size, frame rate and pixel shape of the target. */
function conformed(name: string, pad: Pad, { size, rate }: Target, isFirst: boolean, sameFormat: boolean): string {
  const isShown = pad.isStill && name === 'xfade';
  const isCompared = name === 'alphamerge' || /psnr|ssim|vif|msad|identity/.test(name);
  return [
    ...(isShown ? ['loop=loop=-1:size=1', `fps=${rateText(rate)}`, `trim=duration=${IMAGE_SECONDS}`] : []),
    ...(size === undefined || (isFirst && !pad.isStretched) ? [] : scaleTo(pad.size, size)),
    ...(isCompared ? [] : ['setsar=1']),
    ...(isShown ? [] : [`fps=${rateText(rate)}`]),
    ...(sameFormat ? ['format=yuv420p'] : []),
    ...(name === 'xfade' ? ['settb=AVTB'] : []),
  ].join(',');
}

/** Returns the filters that scale to the target size. A video with another aspect ratio gets black bars. */
function scaleTo(from: Size, { width, height }: NonNullable<Size>): readonly string[] {
  const isSameRatio = from === undefined || Math.abs((from.width / from.height) * (height / width) - 1) < VISIBLE;
  return isSameRatio
    ? [`scale=${width}:${height}`]
    : [`scale=${width}:${height}:force_original_aspect_ratio=decrease`, `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`];
}

function chainOf(text: string): GraphChain {
  const parsed = parseGraph(text);
  return isGraphError(parsed) ? [] : (parsed.chains[0] ?? []);
}

/** Filters that fail in every release of ffmpeg if their videos have different sizes. `concat` fails only without `unsafe=1`. */
const FAILING = /^(?:xfade|concat|blend|alphamerge|psnr|ssim)$/;

/** From this relative difference on, two frame rates really differ. A smaller difference may be the rounding of a container. */
const OTHER_RATE = 0.01;

/** Like `OTHER_RATE`, for rates that are not rounded: 30 and 30000/1001 differ. */
const OTHER_EXACT_RATE = 0.0005;

/** True if a filter joins videos of different sizes, or if `xfade` joins videos of different frame rates. ffmpeg then certainly fails. */
export const joinsDifferentInputs = (facts: MediaFacts): boolean =>
  joinsPads(facts, ({ name }, first, pad) => isOtherSize(first, pad) || (name === 'xfade' && isOtherRate(first, pad)));

/** Containers with a timestamp for each frame: ffmpeg 5 writes them without a constant frame rate. */
const TIMED: ReadonlySet<string> = new Set(['gif', 'matroska', 'webm', 'mpegts', 'flv', 'webp']);

/**
 * True if `concat` joins videos of different frame rates. With ffmpeg 5, its output then has no frame rate: ffmpeg writes a million frames
 * per second, and the job does not end. A frame rate in the request prevents this.
 */
export const joinsDifferentRates = (facts: MediaFacts): boolean =>
  !TIMED.has(facts.plan.output.muxer) &&
  !setsPace(facts) &&
  joinsPads(facts, ({ name }, { baseRate: a }, { baseRate: b }, { filters }) => {
    const isOther = isUsualRate(a) && isUsualRate(b) && Math.abs(a / b - 1) > OTHER_EXACT_RATE;
    return name === 'concat' && isOther && !filters.some((one) => /^(?:fps|framerate|minterpolate)$/.test(one.name));
  });

type PadCheck = (filter: GraphFilter, first: Pad, pad: Pad, graph: ArgvGraph) => boolean;

function joinsPads(facts: MediaFacts, differs: PadCheck): boolean {
  if (facts.plan.analysis !== undefined) return false;
  return facts.graphs.some((graph) =>
    graph.filters.some((filter) => {
      if (!FAILING.test(filter.name) || filter.inputs.length < 2) return false;
      if (filter.name === 'concat' && !/^(?:0|false)$/.test(optionValue(filter, 'unsafe') ?? '0')) return false;
      const [first, ...others] = padsOf(facts, graph, filter);
      return first !== undefined && others.some((pad) => differs(filter, first, pad, graph));
    }),
  );
}

/** True if a frame rate of the output, or its frame rate mode, keeps ffmpeg from a constant rate that it does not know. */
const setsPace = ({ argv }: MediaFacts): boolean =>
  argv
    .slice(argv.lastIndexOf('-i'))
    .some(
      (word, at, own) =>
        /^-r(?::v.*)?$/.test(word) ||
        (/^-(?:vsync|fps_mode(?::v.*)?)$/.test(word) && isVariableRate(rateModeOf(own[at + 1] ?? ''))),
    );

const isOtherSize = ({ stored: a }: Pad, { stored: b }: Pad): boolean =>
  a !== undefined && b !== undefined && (a.width !== b.width || a.height !== b.height);

const isOtherRate = (a: Pad, b: Pad): boolean =>
  isUsualRate(a.fps) && isUsualRate(b.fps) && !a.isStill && !b.isStill && Math.abs(a.fps / b.fps - 1) > OTHER_RATE;

/**
 * Explains that a filter joins videos of different sizes, frame rates, timebases or pixel shapes. The fix is the whole graph, with filters
 * that make all inputs equal.
 */
export function differentInputs(facts: MediaFacts): MediaFailure | undefined {
  for (const graph of facts.graphs) {
    const joining = graph.filters.filter(({ name, inputs }) => SAME_SIZE.test(name) && inputs.length > 1);
    const pads = new Map(joining.map((filter) => [filter, padsOf(facts, graph, filter)]));
    const [leading] = joining;
    const [first, ...others] = (leading && pads.get(leading)) ?? [];
    if (leading === undefined || first === undefined || others.length === 0) continue;
    const all = [first, ...others];
    const target: Target = {
      size: first.size ?? others.find((pad) => pad.size !== undefined)?.size,
      rate: all.find(({ fps, isStill }) => isUsualRate(fps) && !isStill)?.fps ?? 25,
    };
    // Only `concat` requires equal pixel aspect ratios.
    const isAspect = leading.name === 'concat' && differInAspect(all);
    const isRate =
      leading.name === 'concat' &&
      others.some(({ baseRate }) => baseRate !== first.baseRate) &&
      !others.some((pad) => isOtherSize(first, pad));
    const property = isAspect
      ? 'with pixels of the same shape (SAR)'
      : `of the same ${isRate ? 'frame rate' : 'size'}${leading.name === 'xfade' ? ', frame rate and timebase' : ''}`;
    const shown = all.slice(0, 3).map((pad) => describePad(pad, isAspect));
    return ffmpegFailure(
      `The filter ${leading.name} needs videos ${property}: ${shown.join(', ')}.`,
      wholeGraphFix(facts, graph.key, conformedGraph(graph, pads, target)) ??
        `Send each input through "${conformed(leading.name, first, target, false, true)}" before the filter.`,
    );
  }
  return undefined;
}

function conformedGraph({ graph }: ArgvGraph, pads: ReadonlyMap<GraphFilter, readonly Pad[]>, target: Target) {
  const [leading] = pads.keys();
  const [first] = (leading && pads.get(leading)) ?? [];
  const joined = new Set([...pads.keys()].flatMap(({ outputs }) => outputs));
  const added = new Map<GraphFilter, readonly GraphChain[]>();
  const renamed = new Map<GraphFilter, readonly string[]>();
  let count = 0;
  for (const [filter, own] of pads) {
    const formats = new Set(own.map(({ format }) => format));
    const sameFormat = filter.name === 'concat' && (formats.size > 1 || formats.has(undefined));
    const inputs = [...filter.inputs];
    const before: GraphChain[] = [];
    for (const pad of own) {
      if (joined.has(pad.label)) continue;
      const filters = conformed(filter.name, pad, target, pad === first, sameFormat);
      const label = `part${count}`;
      count += 1;
      if (filters === '') continue;
      before.push(chainOf(`${printLabel(pad.label)}${filters}[${label}]`));
      inputs[pad.pad] = label;
    }
    added.set(filter, before);
    renamed.set(filter, inputs);
  }
  const chains = graph.chains.flatMap((chain): readonly GraphChain[] => [
    ...chain.flatMap((filter) => added.get(filter) ?? []),
    chain.flatMap((filter) => {
      const joining = { ...filter, inputs: renamed.get(filter) ?? filter.inputs };
      return CHANGES_FORMAT.test(filter.name) ? followedBy(joining, FORMAT) : [joining];
    }),
  ]);
  return { ...graph, chains };
}
