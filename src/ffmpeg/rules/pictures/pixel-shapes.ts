import type { Hint } from '../../../domain/hint.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import type { PictureTraits } from '../../log/picture-traits.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from '../facts/finished-pass.ts';
import { fitFix, sendInstead, wholeGraphFix, withFilter } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue, RESIZING, sourceOf } from '../facts/media-facts.ts';

/** Shapes or pixels that differ less than this look the same. Sizes are whole numbers, so most differ a little. */
const SHAPE_TOLERANCE = 0.02;

/** Whether two shapes look the same. */
export const isAlike = (a: number, b: number): boolean => Math.abs(a / b - 1) <= SHAPE_TOLERANCE;

/** Containers of films, whose players regard the shape of pixels. Pictures and animations have none. */
const FILMS: ReadonlySet<string> = new Set(
  'mp4 mov ipod matroska webm avi mpegts mpeg flv hls dash nut 3gp 3g2 f4v segment asf ogg'.split(' '),
);

/** The sizes of television: of DVDs, SVCDs and broadcasts. Their pixels are never square. */
const TELEVISION = /^(?:720|704|544|480|352)x(?:480|576)$/;

/** Whether the request says what shape pixels have, or the format has none. */
function asksForShape(facts: MediaFacts): boolean {
  const asks = ['aspect', 'target'].some(
    (name) => facts.argv.includes(`-${name}`) || facts.argv.includes(`-${name}:v`),
  );
  const sets = facts.usesFilter(/^set[sd]ar$/);
  return asks || sets || !FILMS.has(facts.plan.output.muxer);
}

/** @param pixel The width of a pixel divided by its height. */
const nonSquareMessage = ({ width, height }: { width: number; height: number }, pixel: number): string =>
  `The picture of ${width}x${height} has another shape than that of the input, so its pixels are not square: most players show it as ${Math.round(width * pixel)}x${height}, others stretch it.`;

/** A scale that changes the shape of the picture. ffmpeg then changes the shape of its pixels in the other direction. */
export function nonSquarePixels(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'outputStreams' | 'outputTraits' | 'used'>,
): readonly RunWarning[] {
  const { outputStreams, outputTraits, used } = pass;
  if (asksForShape(facts)) return [];
  for (const { input, stream, output, copied } of used) {
    const from = facts.inputStream(input, stream);
    const to = outputStreams.find(({ index }) => index === output);
    const after = output === undefined ? undefined : outputTraits.get(output)?.pixelAspect;
    if (copied || from?.type !== 'video' || to?.width === undefined || to.height === undefined || after === undefined)
      continue;
    const before = facts.inputs[input]?.traits?.get(stream)?.pixelAspect ?? 1;
    // A quarter turn, by a filter or as the file asks, turns the pixels too.
    if ([1, before, 1 / before].some((shape) => isAlike(after, shape))) continue;
    const { width, height } = to;
    if (facts.plan.output.muxer === 'mpeg' && TELEVISION.test(`${width}x${height}`)) continue;
    const field = facts.fieldOf('s') ?? facts.fieldOf('filter:v');
    const square = isAlike(before, 1) ? '' : 'scale=iw*sar:ih,setsar=1,';
    return [
      {
        ...(field === undefined ? {} : { field }),
        code: 'NON_SQUARE_PIXELS',
        message: nonSquareMessage({ width, height }, after),
        fix: fitFix(facts, { width, height }, square),
      },
    ];
  }
  return [];
}

/**
 * `aspect` that turns a wide picture into an upright one, or the reverse: it only says how players stretch the picture.
 * Smaller changes are usual: they correct recordings that name no shape.
 */
export function squeezedByAspect(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  const { key, aspect, filter } = aspectOf(facts);
  if (key === undefined || aspect === undefined || !FILMS.has(facts.plan.output.muxer)) return [];
  for (const { input, stream, output } of pass.used) {
    const to = pass.outputStreams.find(({ index }) => index === output);
    const after = output === undefined ? undefined : pass.outputTraits.get(output)?.pixelAspect;
    if (facts.inputStream(input, stream)?.type !== 'video' || after === undefined) continue;
    if (to?.width === undefined || to.height === undefined) continue;
    const before = facts.inputs[input]?.traits?.get(stream)?.pixelAspect ?? 1;
    const shapes = [before, after].map((pixel) => ((to.width ?? 1) / (to.height ?? 1)) * pixel);
    const isTurned =
      !TELEVISION.test(`${to.width}x${to.height}`) &&
      Math.min(...shapes) < 1 - SHAPE_TOLERANCE &&
      Math.max(...shapes) > 1 + SHAPE_TOLERANCE &&
      !shapes.some((shape) => isAlike(shape, 1));
    if (!isTurned && !stretchesSquares(facts, { input, stream }, after)) continue;
    return [
      {
        key: key,
        code: 'NON_SQUARE_PIXELS',
        message: `"${filter === undefined ? 'aspect' : 'setdar'}" cuts nothing: players squeeze the picture of ${to.width}x${to.height} into ${aspect}.`,
        fix:
          filter === undefined
            ? aspectCrop(facts, key, aspect, after < before)
            : withFilter(facts, filter.graph, filter.setdar, cropTo(aspect, after < before)),
      },
    ];
  }
  return [];
}

/** Pixels of a film are stretched by this, which everybody sees. */
const STRETCHED = 1.2;

/**
 * Whether the pixels of a film that says that they are square get a clearly different shape, and nothing else changes the picture. A copy
 * corrects what the file says.
 */
function stretchesSquares(
  facts: MediaFacts,
  { input, stream }: { input: number; stream: number },
  after: number,
): boolean {
  const before = facts.inputs[input]?.traits?.get(stream)?.pixelAspect;
  const { width, height } = facts.inputStream(input, stream) ?? {};
  const isSized = ['s', 's:v', 'target'].some((name) => facts.argv.includes(`-${name}`));
  const isChanged = isSized || facts.usesFilter(RESIZING);
  const isCopied = facts.used.some((one) => one.input === input && one.stream === stream && one.copied);
  if (before !== 1 || isChanged || isCopied || TELEVISION.test(`${width}x${height}`)) return false;
  return Math.max(after, 1 / after) >= STRETCHED;
}

/** The shape of the pixels of the output as `aspect` or `setdar` sets it. Empty if neither does. */
export function askedPixels(facts: MediaFacts, { used, outputStreams }: ForeseenPass): ForeseenPass['outputTraits'] {
  const [width = '', height = '1'] = aspectOf(facts).aspect?.split(/[:/]/) ?? [];
  const shape = Number(width) / Number(height);
  return new Map(
    used.flatMap(({ output }) => {
      const to = outputStreams.find(({ index }) => index === output);
      if (output === undefined || to?.width === undefined || to.height === undefined || !(shape > 0)) return [];
      return [[output, { pixelAspect: (shape * to.height) / to.width }] as const];
    }),
  );
}

interface AskedAspect {
  readonly key?: string;
  readonly aspect?: string | undefined;
  readonly filter?: { readonly graph: ArgvGraph; readonly setdar: ArgvGraph['filters'][number] };
}

/** The shape that the request asks for, by the option `aspect` or by the filter `setdar` at the end. */
function aspectOf(facts: MediaFacts): AskedAspect {
  const key = ['aspect', 'aspect:v'].find((name) => facts.argumentOf(name) !== undefined);
  if (key !== undefined) return { key, aspect: facts.argumentOf(key) };
  const graph = facts.graphs.find(({ key: one }) => one.startsWith('filter:v'));
  const setdar = graph?.filters.at(-1);
  if (graph === undefined || setdar?.name !== 'setdar' || graph.graph.chains.length > 1) return {};
  const aspect = optionValue(setdar, 'dar', 'r', 'ratio') ?? '';
  return /^\d+(?:\.\d+)?(?:[:/]\d+)?$/.test(aspect) ? { key: graph.key, aspect, filter: { graph, setdar } } : {};
}

/** @param isUpright Whether the picture becomes narrower. */
function cropTo(aspect: string, isUpright: boolean): string {
  const [width, height = '1'] = aspect.split(/[:/]/);
  return isUpright ? `crop=ih*${width}/${height}:ih` : `crop=iw:iw*${height}/${width}`;
}

/** The fix that cuts out the middle of the picture in place of `aspect`. `isUpright`: whether it becomes narrower. */
function aspectCrop(facts: MediaFacts, key: string, aspect: string, isUpright: boolean): Hint {
  const crop = cropTo(aspect, isUpright);
  const copies = facts.argv.some((word, at) => /^-c(?::v.*)?$/.test(word) && facts.argv[at + 1] === 'copy');
  if (facts.graphs.length > 0 || copies)
    return `Leave "aspect" out, and cut out the middle of the picture with the filter "${crop}"${copies ? ', which a copy cannot have' : ''}.`;
  return sendInstead(facts.sentNameOf(key), 'vf', crop);
}

/** A picture of a complex graph whose pixels are not square, because a `scale` changed its shape. */
export function nonSquareGraph(facts: MediaFacts, pass: FinishedPass): readonly RunWarning[] {
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter_complex');
  if (graph === undefined || others.length > 0 || asksForShape(facts)) return [];
  const direct = new Set(pass.used.map(({ output }) => output));
  const [to, ...more] = pass.outputStreams.filter(({ type, index }) => type === 'video' && !direct.has(index));
  const after = to && pass.outputTraits.get(to.index)?.pixelAspect;
  if (to?.width === undefined || to.height === undefined || after === undefined || more.length > 0) return [];
  const before = pass.used.flatMap(({ input, stream, output }) =>
    output === undefined && facts.inputStream(input, stream)?.type === 'video'
      ? [facts.inputs[input]?.traits?.get(stream)?.pixelAspect ?? 1]
      : [],
  );
  if ([1, ...before].some((shape) => isAlike(after, shape) || isAlike(after, 1 / shape))) return [];
  return [
    {
      key: graph.key,
      code: 'NON_SQUARE_PIXELS',
      message: nonSquareMessage({ width: to.width, height: to.height }, after),
      fix: shapeFix(facts, graph) ?? KEEP_SHAPE,
    },
  ];
}

const KEEP_SHAPE =
  'Send -2 instead of one side of "scale", so that the picture keeps its shape, or "setsar=1" behind it if the picture may be stretched.';

/** A filter `scale` that makes pictures of a fixed size. */
interface FixedScale {
  readonly filter: GraphFilter;
  /** Whether the film is laid over a copy of itself that this filter scales to fill the frame, as a background. */
  readonly isBackground: boolean;
}

/** Matches no filter: each on the way to a source counts. */
const NONE = /^$/;

const MAX_DEPTH = 100;

/** The scales that give a filter its shape: of an `overlay`, only the one that makes the picture below. */
function scalesBefore(
  facts: MediaFacts,
  argvGraph: ArgvGraph,
  filter: GraphFilter,
  overlaid: ReadonlySet<number>,
  depth = 0,
): readonly FixedScale[] {
  if (depth > MAX_DEPTH) return [];
  if (filter.name === 'scale' && fixedSize(filter) !== undefined) {
    const source = sourceOf(facts, argvGraph, filter, 0, NONE);
    return [{ filter, isBackground: source !== undefined && overlaid.has(source.input) }];
  }
  const chain = argvGraph.graph.chains.find((one) => one.includes(filter)) ?? [];
  const labelled = filter.inputs.map((label) => argvGraph.filters.find(({ outputs }) => outputs.includes(label)));
  const sources = [...labelled, chain[chain.indexOf(filter) - 1]];
  const above = filter.name === 'overlay' ? sourceOf(facts, argvGraph, filter, 1, NONE)?.input : undefined;
  const all = above === undefined ? overlaid : new Set([...overlaid, above]);
  return sources
    .slice(0, filter.name === 'overlay' ? 1 : undefined)
    .flatMap((one) => (one === undefined ? [] : scalesBefore(facts, argvGraph, one, all, depth + 1)));
}

function fixedSize(filter: GraphFilter): readonly [width: string, height: string] | undefined {
  const [width = '', height = ''] = [optionValue(filter, 'w', 'width'), optionValue(filter, 'h', 'height')];
  return /^[1-9]\d{1,4}$/.test(width) && /^[1-9]\d{1,4}$/.test(height) ? [width, height] : undefined;
}

/** The graph in which each such scale keeps the shape of its picture: with borders, or cut to fill a background. */
function shapeFix(facts: MediaFacts, argvGraph: ArgvGraph): Hint | undefined {
  const { key, graph, filters } = argvGraph;
  const taken = new Set(filters.flatMap(({ inputs }) => inputs));
  const ends = graph.chains.flatMap((chain) => {
    const last = chain.at(-1);
    return last === undefined || last.outputs.some((label) => taken.has(label)) ? [] : [last];
  });
  const found = ends.flatMap((end) => scalesBefore(facts, argvGraph, end, new Set()));
  if (found.length === 0) return undefined;
  const chains = graph.chains.map((chain) =>
    chain.flatMap((one) => {
      const scale = found.find(({ filter }) => filter === one);
      return scale === undefined ? [one] : fitted(scale);
    }),
  );
  return wholeGraphFix(facts, key, { ...graph, chains });
}

function fitted({ filter, isBackground }: FixedScale): readonly GraphFilter[] {
  const [width, height] = fixedSize(filter) ?? ['', ''];
  const ratio = 'force_original_aspect_ratio';
  const plain = (name: string, ...values: readonly string[]): GraphFilter => ({
    inputs: [],
    name,
    options: values.map((value): GraphOption => ({ value })),
    outputs: [],
    at: 0,
  });
  const options = [
    ...filter.options.filter((option) => option.key !== ratio),
    { key: ratio, value: isBackground ? 'increase' : 'decrease' },
  ];
  const frame = isBackground ? plain('crop', width, height) : plain('pad', width, height, '-1', '-1');
  return [{ ...filter, options, outputs: [] }, frame, { ...plain('setsar', '1'), outputs: filter.outputs }];
}

/** The pictures that are encoded, with the shape that "scale" gives their pixels. */
export function withScaledPixels(facts: MediaFacts, pass: ForeseenPass): ForeseenPass {
  const outputTraits = new Map<number, PictureTraits>();
  const resized = facts.graphs.flatMap(({ filters }) => filters.filter(({ name }) => RESIZING.test(name)));
  const isScaled = resized.every((filter) => filter.name === 'scale' && optionValue(filter, 'reset_sar') === undefined);
  for (const { input, stream, output } of pass.used) {
    const from = facts.inputStream(input, stream);
    const size = from && facts.pictureSize({ input, stream: from });
    const { width, height } = pass.outputStreams.find(({ index }) => index === output) ?? {};
    if (from?.type !== 'video' || width === undefined || height === undefined || size === undefined) continue;
    // Of pixels without a shape, "scale" makes others without one.
    const before = facts.inputs[input]?.traits?.get(stream)?.pixelAspect;
    if (isScaled && before !== undefined && !size.isRotated && output !== undefined)
      outputTraits.set(output, { pixelAspect: (before * size.width * height) / (size.height * width) });
  }
  return { ...pass, outputTraits };
}

const SQUEEZED_BY_ASPECT: Rule = {
  id: 'squeezed-by-aspect',
  finds: '`aspect` or `setdar` that squeezes the video, where a crop is probably meant',
  supersedes: ['non-square-pixels'],
  run: ({ facts, pass }) => squeezedByAspect(facts, pass),
  files: ({ facts, pass }) => squeezedByAspect(facts, { ...pass, outputTraits: askedPixels(facts, pass) }),
};

const NON_SQUARE_PIXELS: Rule = {
  id: 'non-square-pixels',
  finds: 'a size of another aspect ratio than the input, so that the pixels are not square',
  run: ({ facts, pass }) => [...nonSquarePixels(facts, pass), ...nonSquareGraph(facts, pass)],
  files: ({ facts, pass, isDirect }) => (isDirect ? nonSquarePixels(facts, withScaledPixels(facts, pass)) : []),
};

export const PIXEL_SHAPE_RULES: readonly Rule[] = [SQUEEZED_BY_ASPECT, NON_SQUARE_PIXELS];
