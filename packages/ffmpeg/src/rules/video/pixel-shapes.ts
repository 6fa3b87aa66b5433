import type { Hint } from '@telecine/contract/domain/hint.ts';
import { wordSet } from '../../allowlist/words.ts';
import { type GraphFilter, walkOf } from '../../filtergraph/graph.ts';
import type { FrameTraits } from '../../log/stream-line.ts';
import type { CutContext, Rules, RunContext, RunFindings, RunWarning } from '../contexts.ts';
import { convertedStreams } from '../facts/converted-streams.ts';
import type { ForeseenPass } from '../facts/finished-pass.ts';
import { fitFix, newFilter, sendInstead, wholeGraphFix } from '../facts/graph-fixes.ts';
import { type ArgvGraph, filterBefore, type MediaFacts, optionValue, RESIZING } from '../facts/media-facts.ts';
import { PlacedFilter } from '../facts/placed-filter.ts';

/** Viewers do not see a smaller relative difference of aspect ratios. Most ratios differ a little, because sizes are whole numbers. */
const SHAPE_TOLERANCE = 0.02;

export const isAlike = (a: number, b: number): boolean => Math.abs(a / b - 1) <= SHAPE_TOLERANCE;

/** Containers with a pixel aspect ratio. Images and animations have none. */
const VIDEOS = wordSet('mp4 mov ipod matroska webm avi mpegts mpeg flv hls dash nut 3gp 3g2 f4v segment asf ogg');

/** Frame sizes of DVDs, SVCDs and TV, whose pixels are never square. */
const TELEVISION = /^(?:720|704|544|480|352)x(?:480|576)$/;

/** True if the request sets the shape of pixels itself, or the output format does not store the shape. */
const asksForShape = (facts: MediaFacts): boolean =>
  facts.hasOption(/^-(?:aspect|target)(?::v)?$/) ||
  facts.usesFilter(/^set[sd]ar$/) ||
  !VIDEOS.has(facts.plan.output.muxer);

type VideoOutput = ReturnType<typeof videoOutputs>[number];

/** Returns the output videos with one source stream, and the pixel aspect ratio (width : height) in input and output. */
const videoOutputs = (facts: MediaFacts, pass: ForeseenPass) =>
  convertedStreams(pass).flatMap(({ input, stream, from, to, copied }) => {
    const after = to && pass.outputTraits.get(to.index)?.pixelAspect;
    if (from?.type !== 'video' || to?.width === undefined || to.height === undefined || after === undefined) return [];
    const before = facts.traitsOf(input, stream)?.pixelAspect ?? 1;
    return { input, stream, copied, width: to.width, height: to.height, before, after };
  });

const nonSquare = ({ width, height, after }: Pick<VideoOutput, 'width' | 'height' | 'after'>, fix: Hint) =>
  ({
    code: 'NON_SQUARE_PIXELS',
    message: `The video of ${width}x${height} has another shape than the input, so its pixels are not square: most players show it as ${Math.round(width * after)}x${height}, others stretch it.`,
    fix,
  }) as const;

/** Warns about a frame size of another aspect ratio: ffmpeg keeps the shape of the video by pixels that are not square. */
function nonSquarePixels(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  if (asksForShape(facts)) return [];
  const found = videoOutputs(facts, pass).find(({ copied, before, after, width, height }) => {
    const isTelevision = facts.plan.output.muxer === 'mpeg' && TELEVISION.test(`${width}x${height}`);
    // Rotated frames have rotated pixels, hence `1 / before`.
    return !copied && !isTelevision && ![1, before, 1 / before].some((shape) => isAlike(after, shape));
  });
  if (found === undefined) return [];
  const key = ['s', 'filter:v'].find((one) => facts.fieldOf(one) !== undefined);
  const square = isAlike(found.before, 1) ? '' : 'scale=iw*sar:ih,setsar=1,';
  return [{ ...(key !== undefined && { key }), ...nonSquare(found, fitFix(facts, found, square)) }];
}

/** Warns about an `aspect` that turns landscape into portrait or back. Smaller changes correct recordings without an aspect ratio. */
function squeezedByAspect({ facts, pass }: CutContext): RunFindings {
  const { key, aspect, setdar } = aspectOf(facts);
  if (key === undefined || aspect === undefined || !VIDEOS.has(facts.plan.output.muxer)) return undefined;
  const found = videoOutputs(facts, pass).find((one) => {
    const shapes = [one.before, one.after].map((pixel) => (one.width / one.height) * pixel);
    const isTurned =
      !TELEVISION.test(`${one.width}x${one.height}`) &&
      Math.min(...shapes) < 1 - SHAPE_TOLERANCE &&
      Math.max(...shapes) > 1 + SHAPE_TOLERANCE &&
      !shapes.some((shape) => isAlike(shape, 1));
    return isTurned || stretchesSquares(facts, one);
  });
  if (found === undefined) return undefined;
  const crop = cropTo(aspect, found.after < found.before);
  return {
    key,
    code: 'NON_SQUARE_PIXELS',
    message: `"${setdar === undefined ? 'aspect' : 'setdar'}" cuts nothing: players squeeze the video of ${found.width}x${found.height} into ${aspect}.`,
    fix: setdar?.replace(crop) ?? aspectCrop(facts, key, crop),
  };
}

/** From this pixel aspect ratio on, everybody sees the distortion. */
const STRETCHED = 1.2;

/** True if `aspect` alone makes the square pixels of a file clearly not square. False for a copy: there, `aspect` corrects the file. */
function stretchesSquares(facts: MediaFacts, { input, stream, after }: VideoOutput): boolean {
  const { width, height } = facts.inputStream(input, stream) ?? {};
  const isChanged = facts.hasOption(/^-(?:s(?::v)?|target)$/) || facts.usesFilter(RESIZING);
  const isSquare = facts.traitsOf(input, stream)?.pixelAspect === 1;
  const isCopied = facts.used.some((one) => one.input === input && one.stream === stream && one.copied);
  if (!isSquare || isChanged || isCopied || TELEVISION.test(`${width}x${height}`)) return false;
  return Math.max(after, 1 / after) >= STRETCHED;
}

/** Predicts the pixel aspect ratio that `aspect` or `setdar` sets. */
function withAskedPixels(facts: MediaFacts, pass: ForeseenPass): ForeseenPass {
  const [width = '', height = '1'] = aspectOf(facts).aspect?.split(/[:/]/) ?? [];
  const shape = Number(width) / Number(height);
  const asked = convertedStreams(pass).flatMap(({ to }) =>
    to?.width === undefined || to.height === undefined || !(shape > 0)
      ? []
      : [[to.index, { pixelAspect: (shape * to.height) / to.width }] as const],
  );
  return { ...pass, outputTraits: new Map(asked) };
}

type AskedAspect = Readonly<{ key?: string; aspect?: string | undefined; setdar?: PlacedFilter }>;

/** Returns the aspect ratio that `aspect` sets, or a `setdar` at the end of `vf`. */
function aspectOf(facts: MediaFacts): AskedAspect {
  const key = facts.firstOf('aspect', 'aspect:v');
  if (key !== undefined) return { key, aspect: facts.argumentOf(key) };
  const graph = facts.graphs.find((one) => one.key.startsWith('filter:v'));
  const setdar = graph?.filters.at(-1);
  if (graph === undefined || setdar?.name !== 'setdar' || graph.graph.chains.length > 1) return {};
  const aspect = optionValue(setdar, 'dar', 'r', 'ratio') ?? '';
  if (!/^\d+(?:\.\d+)?(?:[:/]\d+)?$/.test(aspect)) return {};
  return { key: graph.key, aspect, setdar: new PlacedFilter(facts, graph, setdar) };
}

/** @param isNarrower True if the crop reduces the width, false if it reduces the height. */
function cropTo(aspect: string, isNarrower: boolean): string {
  const [width, height = '1'] = aspect.split(/[:/]/);
  return isNarrower ? `crop=ih*${width}/${height}:ih` : `crop=iw:iw*${height}/${width}`;
}

function aspectCrop(facts: MediaFacts, key: string, crop: string): Hint {
  const { copiesVideo, graphs } = facts;
  return graphs.length > 0 || copiesVideo
    ? `Leave "aspect" out, and crop the video with the filter "${crop}"${copiesVideo ? ', which a copy cannot have' : ''}.`
    : sendInstead(facts.sentNameOf(key), 'vf', crop);
}

/** Warns about the video of a complex graph if a `scale` in it made the pixels not square. */
function nonSquareGraph({ facts, pass }: RunContext): readonly RunWarning[] {
  const [graph, ...others] = facts.complexGraphs;
  if (graph === undefined || others.length > 0 || asksForShape(facts)) return [];
  const direct = new Set(pass.used.map(({ output }) => output));
  const [to, ...more] = pass.outputStreams.filter(({ type, index }) => type === 'video' && !direct.has(index));
  const after = to && pass.outputTraits.get(to.index)?.pixelAspect;
  if (to?.width === undefined || to.height === undefined || after === undefined || more.length > 0) return [];
  const before = facts
    .usedOf('video')
    .flatMap(({ input, stream, output }) =>
      output === undefined ? [facts.traitsOf(input, stream)?.pixelAspect ?? 1] : [],
    );
  if ([1, ...before].some((shape) => isAlike(after, shape) || isAlike(after, 1 / shape))) return [];
  const { width, height } = to;
  return [{ key: graph.key, ...nonSquare({ width, height, after }, shapeFix(facts, graph)) }];
}

/** A `scale` to a fixed size. `isBackground`: it scales a copy of the video to fill the frame, as its background. */
type FixedScale = Readonly<{ filter: GraphFilter; isBackground: boolean }>;

/** Matches no filter, so no filter ends the way back to the input. */
const NONE = /^$/;

const MAX_DEPTH = 100;

/** Returns the `scale` filters that set the aspect ratio of the output of `filter`. Before an `overlay`, only those of the lower video. */
function scalesBefore(at: PlacedFilter, overlaid: ReadonlySet<number>, depth = 0): readonly FixedScale[] {
  const { facts, graph, filter } = at;
  if (depth > MAX_DEPTH) return [];
  if (filter.name === 'scale' && plainSize(filter) !== undefined) {
    const source = at.source(0, NONE);
    return [{ filter, isBackground: source !== undefined && overlaid.has(source.input) }];
  }
  const isOverlay = filter.name === 'overlay';
  const labelled = filter.inputs.map((label) => graph.filters.find(({ outputs }) => outputs.includes(label)));
  const sources = [...labelled, filterBefore(graph, filter)].slice(0, isOverlay ? 1 : undefined);
  const above = isOverlay ? at.source(1, NONE)?.input : undefined;
  const all = above === undefined ? overlaid : new Set([...overlaid, above]);
  return sources.flatMap((one) =>
    one === undefined ? [] : scalesBefore(new PlacedFilter(facts, graph, one), all, depth + 1),
  );
}

/** Returns the size of a `scale` with two plain numbers. undefined: a side is missing, -1, -2 or an expression. */
export function plainSize(filter: GraphFilter) {
  const [width, height] = [optionValue(filter, 'w', 'width'), optionValue(filter, 'h', 'height')].map((side = '') =>
    /^\d{2,5}$/.test(side) ? Number(side) : undefined,
  );
  return width && height ? { width, height } : undefined;
}

/** Returns the fix in which each `scale` to a fixed size keeps the aspect ratio: it adds borders, or crops a background. */
function shapeFix(facts: MediaFacts, argvGraph: ArgvGraph): Hint {
  const { key, graph } = argvGraph;
  const { taken } = walkOf(graph);
  const ends = graph.chains.flatMap((chain) => chain.at(-1) ?? []);
  const found = ends
    .filter(({ outputs }) => !outputs.some((label) => taken.has(label)))
    .flatMap((end) => scalesBefore(new PlacedFilter(facts, argvGraph, end), new Set()));
  const chains = graph.chains.map((chain) =>
    chain.flatMap((one) => {
      const scale = found.find(({ filter }) => filter === one);
      return scale === undefined ? [one] : fitted(scale);
    }),
  );
  return (
    (found.length === 0 ? undefined : wholeGraphFix(facts, key, { ...graph, chains })) ??
    'Send -2 instead of one side of "scale", so that the video keeps its shape, or "setsar=1" behind it if the video may be stretched.'
  );
}

function fitted({ filter, isBackground }: FixedScale): readonly GraphFilter[] {
  const { width = 0, height = 0 } = plainSize(filter) ?? {};
  const plain = (name: string, ...values: readonly number[]): GraphFilter =>
    newFilter(
      name,
      values.map((value) => ({ value: String(value) })),
    );
  const key = 'force_original_aspect_ratio';
  const others = filter.options.filter((option) => option.key !== key);
  return [
    { ...filter, options: [...others, { key, value: isBackground ? 'increase' : 'decrease' }], outputs: [] },
    isBackground ? plain('crop', width, height) : plain('pad', width, height, -1, -1),
    { ...plain('setsar', 1), outputs: filter.outputs },
  ];
}

/** Predicts the pixel aspect ratio after `scale`, the only resizing filter that it knows. */
function withScaledPixels(facts: MediaFacts, pass: ForeseenPass): ForeseenPass {
  const outputTraits = new Map<number, FrameTraits>();
  const isScaled = facts.graphs
    .flatMap(({ filters }) => filters.filter(({ name }) => RESIZING.test(name)))
    .every((filter) => filter.name === 'scale' && optionValue(filter, 'reset_sar') === undefined);
  for (const { input, stream, from, to } of convertedStreams(pass)) {
    const size = from?.type === 'video' ? facts.frameSize({ input, stream: from }) : undefined;
    // Without a pixel aspect ratio in the file, `scale` sets none.
    const before = facts.traitsOf(input, stream)?.pixelAspect;
    if (to?.width === undefined || to.height === undefined || size === undefined || before === undefined) continue;
    if (isScaled && !size.isRotated)
      outputTraits.set(to.index, { pixelAspect: (before * size.width * to.height) / (size.height * to.width) });
  }
  return { ...pass, outputTraits };
}

export const PIXEL_SHAPE_RULES: Rules = {
  'squeezed-by-aspect': {
    finds: '`aspect` or `setdar` that squeezes the video, where a crop is probably meant',
    supersedes: ['non-square-pixels'],
    run: squeezedByAspect,
    files: ({ facts, pass }) => squeezedByAspect({ facts, pass: withAskedPixels(facts, pass) }),
  },

  'non-square-pixels': {
    finds: 'a size of another aspect ratio than the input, so that the pixels are not square',
    run: (context) => [...nonSquarePixels(context.facts, context.pass), ...nonSquareGraph(context)],
    files: ({ facts, pass, isDirect }) => (isDirect ? nonSquarePixels(facts, withScaledPixels(facts, pass)) : []),
  },
};
