import { isComparison } from '../../../domain/analysis.ts';
import type { Failure } from '../../../domain/failure.ts';
import type { PlannedAnalysis } from '../../../domain/plan.ts';
import { andList } from '../../../domain/quantity.ts';
import { type Graph, type GraphChain, type GraphFilter, isGraphError, printLabel } from '../../filtergraph/graph.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import { wholeGraphFix } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue, RATES, RESIZING, type Source } from '../facts/media-facts.ts';
import { STILL } from '../facts/output-duration.ts';
import { PlacedFilter } from '../facts/placed-filter.ts';
import { failed } from './media-failure.ts';

/** Filters that put pictures of several inputs into one, and need the same size. */
const SAME_SIZE =
  /^(?:xfade|concat|blend|lut2|alphamerge|masked(?:merge|clamp|max|min|threshold)|hysteresis|midequalizer|displace|premultiply|unpremultiply|psnr|ssim|msad|identity|vif|xcorrelate|morpho|signalstats|limitdiff|xmedian|multiply)$/;

/** Filters whose output may get a pixel format that few players show, such as yuv444p from xfade of ffmpeg 5.1. */
const CHANGES_FORMAT = /^(?:xfade|blend)$/;
const FORMAT: GraphFilter = {
  inputs: [],
  name: 'format',
  options: [{ key: 'pix_fmts', value: 'yuv420p' }],
  outputs: [],
  at: 0,
};

/** Filters after which pixels have another shape. */
const ASPECTS = new RegExp(`${RESIZING.source}|^set[ds]ar$`);

/** A rate that films have. Others are those of a container, or of pictures. */
const isUsualRate = (fps: number | undefined): fps is number => fps !== undefined && fps >= 5 && fps <= 120;

/** How long a picture is shown that a filter joins with a film, in seconds. */
const PICTURE_SECONDS = 5;

/** What is known about one input of a filter. */
interface Pad {
  readonly label: string;
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /** The size in the file. */
  readonly stored: Pad['size'];
  readonly fps: number | undefined;
  /** The exact rate. undefined if it is not known before the run. */
  readonly baseRate: number | undefined;
  readonly format: string | undefined;
  /** The shape of a pixel, as ffmpeg writes it. undefined if it is not known. */
  readonly aspect: string | undefined;
  /** Whether the pixels are clearly not square, so that `size` is that of square ones. */
  readonly isStretched: boolean;
  readonly isStill: boolean;
}

/** The numbers of the pads that take pictures. The pads of `concat` are ordered part by part, video first. */
export function picturePads(filter: GraphFilter): readonly number[] {
  const pads = [...filter.inputs.keys()];
  if (filter.name !== 'concat') return pads;
  const number = (key: string, fallback: number): number => Number(optionValue(filter, key) ?? fallback);
  const [video, audio] = [number('v', 1), number('a', 0)];
  return pads.filter((pad) => pad % (video + audio) < video);
}

function padOf(at: PlacedFilter, pad: number): Pad {
  const { facts, filter } = at;
  const size = at.source(pad, RESIZING);
  const rate = at.source(pad, RATES);
  const shape = at.source(pad, ASPECTS);
  const any: Source | undefined = at.source(pad, /^(?:format|split)$/);
  const traits = shape && facts.inputs[shape.input]?.traits?.get(shape.stream.index);
  const { pixelAspect = 1 } = size === undefined ? {} : (traits ?? {});
  const isStretched = Math.abs(pixelAspect - 1) > VISIBLE;
  const stored = size && facts.pictureSize(size);
  return {
    label: filter.inputs[pad] ?? '',
    size: stored && isStretched ? squareSize(stored, pixelAspect) : stored,
    stored,
    isStretched,
    fps: rate?.stream.fps,
    baseRate: rate && facts.inputs[rate.input]?.traits?.get(rate.stream.index)?.baseRate,
    format: any?.stream.pixelFormat,
    aspect: shape && (traits?.aspectText ?? '1:1'),
    isStill: any !== undefined && STILL.test(facts.inputs[any.input]?.demuxer ?? ''),
  };
}

/** A frame rate as ffmpeg reads it: `25`, `30000/1001`. */
export const rateText = (fps: number): string => {
  const nominal = Math.round(fps * 1.001);
  return Math.abs(fps * 1.001 - nominal) < 0.001 && !Number.isInteger(fps)
    ? `${nominal * 1000}/1001`
    : String(Number(fps.toFixed(3)));
};

/** Whether pixels of different shapes are what differs. */
const differInAspect = (pads: readonly Pad[]): boolean =>
  new Set(pads.map(({ stored }) => stored && `${stored.width}x${stored.height}`)).size === 1 &&
  pads.every(({ aspect }) => aspect !== undefined) &&
  new Set(pads.map(({ aspect }) => aspect)).size > 1;

const describePad = ({ label, stored, fps, format, aspect }: Pad, showsAspect: boolean): string =>
  `[${label}] ${[
    stored === undefined ? '' : `${stored.width}x${stored.height}`,
    showsAspect && aspect !== undefined ? `SAR ${aspect}` : '',
    fps === undefined ? '' : `${rateText(fps)} fps`,
    format ?? '',
  ]
    .filter((part) => part !== '')
    .join(' ')}`;

/** The filters that make an input of the filter `name` like its first input. */
function conformed(name: string, pad: Pad, first: Pad, size: Pad['size'], rate: number, sameFormat: boolean): string {
  const filters = [
    ...(pad.isStill && name === 'xfade'
      ? ['loop=loop=-1:size=1', `fps=${rateText(rate)}`, `trim=duration=${PICTURE_SECONDS}`]
      : []),
    ...(size === undefined || (pad === first && !pad.isStretched) ? [] : scaleTo(pad.size, size)),
    ...(name === 'alphamerge' || /psnr|ssim|vif|msad|identity/.test(name) ? [] : ['setsar=1']),
    ...(pad.isStill && name === 'xfade' ? [] : [`fps=${rateText(rate)}`]),
    ...(sameFormat ? ['format=yuv420p'] : []),
    ...(name === 'xfade' ? ['settb=AVTB'] : []),
  ];
  return filters.join(',');
}

/** How much wider than high a pixel may be without a visible difference. */
const VISIBLE = 0.02;

/** The size of the same picture with square pixels. The width is even. */
const squareSize = ({ width, height }: NonNullable<Pad['size']>, aspect: number): Pad['size'] => ({
  width: 2 * Math.round((width * aspect) / 2),
  height,
});

/** Scales to `to`. A picture of another aspect ratio gets bars. */
function scaleTo(from: Pad['size'], { width, height }: NonNullable<Pad['size']>): readonly string[] {
  const isSameRatio = from !== undefined && Math.abs((from.width / from.height) * (height / width) - 1) < 0.02;
  return isSameRatio || from === undefined
    ? [`scale=${width}:${height}`]
    : [`scale=${width}:${height}:force_original_aspect_ratio=decrease`, `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`];
}

/** A filter, with the usual pixel format for its output. */
const withFormat = (filter: GraphFilter): GraphChain =>
  CHANGES_FORMAT.test(filter.name)
    ? [
        { ...filter, outputs: [] },
        { ...FORMAT, outputs: filter.outputs },
      ]
    : [filter];

function chainOf(text: string): GraphChain {
  const parsed = parseGraph(text);
  return isGraphError(parsed) ? [] : (parsed.chains[0] ?? []);
}

/** Filters that certainly fail with pictures of different sizes, in any version of ffmpeg. */
const FAILING = /^(?:xfade|concat|blend|alphamerge|psnr|ssim)$/;

/** How much two frame rates must differ before a container cannot be the reason. */
const OTHER_RATE = 0.01;

/** How much exact rates differ, such as 30 and 30000/1001. */
const OTHER_EXACT_RATE = 0.0005;

/** Whether a filter joins pictures that certainly differ: in their size or, for `xfade`, in their frame rate. */
export const joinsDifferentInputs = (facts: MediaFacts): boolean =>
  joinsPads(
    facts,
    (filter, first, pad) => isOtherSize(first, pad) || (filter.name === 'xfade' && isOtherRate(first, pad)),
  );

/** Whether `concat` joins films of different frame rates, which not every release of ffmpeg can. */
export const joinsDifferentRates = (facts: MediaFacts): boolean =>
  joinsPads(facts, (filter, first, pad, graph) => filter.name === 'concat' && isEndless(facts, graph, first, pad));

type PadCheck = (filter: GraphFilter, first: Pad, pad: Pad, graph: ArgvGraph) => boolean;

function joinsPads(facts: MediaFacts, differs: PadCheck): boolean {
  if (facts.plan.analysis !== undefined) return false;
  return facts.graphs.some((graph) =>
    graph.filters.some((filter) => {
      if (!FAILING.test(filter.name) || filter.inputs.length < 2) return false;
      if (filter.name === 'concat' && !/^(?:0|false)$/.test(optionValue(filter, 'unsafe') ?? '0')) return false;
      const [first, ...others] = picturePads(filter).map((pad) => padOf(new PlacedFilter(facts, graph, filter), pad));
      return first !== undefined && others.some((pad) => differs(filter, first, pad, graph));
    }),
  );
}

/** Containers in which ffmpeg 5 writes frames at their times, and needs no frame rate. */
const TIMED: ReadonlySet<string> = new Set(['gif', 'matroska', 'webm', 'mpegts', 'flv', 'webp']);

/** Whether the request writes frames at their times, or asks for a rate. */
const setsPace = (argv: readonly string[]): boolean =>
  argv
    .slice(argv.lastIndexOf('-i'))
    .some(
      (word, at, own) =>
        /^-r(?::v.*)?$/.test(word) ||
        (/^-(?:vsync|fps_mode(?::v.*)?)$/.test(word) && /^(?:vfr|passthrough|0|2)$/.test(own[at + 1] ?? '')),
    );

/**
 * Whether `concat` has no frame rate after these two films: up to ffmpeg 5, the output then gets a million frames per second, and the job
 * does not end. A rate that the request sets is enough.
 */
const isEndless = (
  { argv, plan }: MediaFacts,
  { filters }: ArgvGraph,
  { baseRate: a }: Pad,
  { baseRate: b }: Pad,
): boolean =>
  isUsualRate(a) &&
  isUsualRate(b) &&
  Math.abs(a / b - 1) > OTHER_EXACT_RATE &&
  !TIMED.has(plan.output.muxer) &&
  !setsPace(argv) &&
  !filters.some(({ name }) => /^(?:fps|framerate|minterpolate)$/.test(name));

/** Whether only the frame rates of pictures differ. */
const differInRate = ([first, ...others]: readonly Pad[]): boolean =>
  first !== undefined &&
  others.some(({ baseRate }) => baseRate !== first.baseRate) &&
  !others.some((pad) => isOtherSize(first, pad));

const isOtherSize = ({ stored: a }: Pad, { stored: b }: Pad): boolean =>
  a !== undefined && b !== undefined && (a.width !== b.width || a.height !== b.height);

const isOtherRate = (a: Pad, b: Pad): boolean =>
  isUsualRate(a.fps) && isUsualRate(b.fps) && !a.isStill && !b.isStill && Math.abs(a.fps / b.fps - 1) > OTHER_RATE;

/**
 * Explains that a filter joins pictures of different sizes, frame rates or timebases. The fix is the whole graph, with filters
 * that make all inputs alike. `size`: the size of the first input, if the log names it.
 */
export function differentInputs(facts: MediaFacts, size?: Pad['size']): Failure | undefined {
  const { analysis } = facts.plan;
  if (analysis !== undefined) return sizesToCompare(facts, analysis);
  for (const argvGraph of facts.graphs) {
    const joining = argvGraph.filters.filter(({ name, inputs }) => SAME_SIZE.test(name) && inputs.length > 1);
    const [leading] = joining;
    if (leading === undefined) continue;
    const all = joining.map((filter) => ({
      filter,
      pads: picturePads(filter).map((pad) => ({ pad, ...padOf(new PlacedFilter(facts, argvGraph, filter), pad) })),
    }));
    const [first, ...others] = all[0]?.pads ?? [];
    if (first === undefined || others.length === 0) continue;
    const target =
      (first.isStretched ? first.size : size) ?? first.size ?? others.find((pad) => pad.size !== undefined)?.size;
    const rate = [first, ...others].find(({ fps, isStill }) => isUsualRate(fps) && !isStill)?.fps ?? 25;
    const joined = new Set(joining.flatMap(({ outputs }) => outputs));
    const added = new Map<GraphFilter, GraphChain[]>();
    const renamed = new Map<GraphFilter, readonly string[]>();
    let count = 0;
    for (const { filter, pads } of all) {
      const formats = new Set(pads.map(({ format }) => format));
      const sameFormat = filter.name === 'concat' && (formats.size > 1 || formats.has(undefined));
      const inputs = [...filter.inputs];
      for (const pad of pads) {
        if (joined.has(pad.label)) continue;
        const filters = conformed(
          filter.name,
          pad,
          pad.pad === first.pad && filter === leading ? pad : first,
          target,
          rate,
          sameFormat,
        );
        const label = `part${count}`;
        count += 1;
        if (filters === '') continue;
        added.set(filter, [...(added.get(filter) ?? []), chainOf(`${printLabel(pad.label)}${filters}[${label}]`)]);
        inputs[pad.pad] = label;
      }
      renamed.set(filter, inputs);
    }
    const chains = argvGraph.graph.chains.flatMap((chain): GraphChain[] => [
      ...chain.flatMap((filter) => added.get(filter) ?? []),
      chain.flatMap((filter) => withFormat({ ...filter, inputs: renamed.get(filter) ?? filter.inputs })),
    ]);
    const graph: Graph = { ...argvGraph.graph, chains };
    const fix = wholeGraphFix(facts, argvGraph.key, graph);
    const pads = [first, ...others];
    // Other filters take pixels of any shape.
    const isAspect = leading.name === 'concat' && differInAspect(pads);
    const shown = pads
      .slice(0, 3)
      .map((pad) => describePad(pad, isAspect))
      .join(', ');
    const property = isAspect
      ? 'with pixels of the same shape (SAR)'
      : leading.name === 'concat' && differInRate(pads)
        ? 'of the same frame rate'
        : 'of the same size';
    return failed(
      'FFMPEG_FAILED',
      `The filter ${leading.name} needs pictures ${property}${leading.name === 'xfade' ? ', frame rate and timebase' : ''}: ${shown}.`,
      fix ??
        `Send each input through "${conformed(leading.name, first, others[0] ?? first, target, rate, true)}" before the filter.`,
    );
  }
  return undefined;
}

/**
 * The failure of an analysis that compares pictures of different sizes. Its fix is a conversion: the client has sent no filtergraph
 * that could scale them.
 */
function sizesToCompare(facts: MediaFacts, { measure }: Pick<PlannedAnalysis, 'measure'>): Failure | undefined {
  const [input, reference] = [0, 1].map((index) => {
    const film = facts.streamsOf(index, 'video').find(({ disposition = [] }) => !disposition.includes('attached_pic'));
    return film?.width === undefined || film.height === undefined ? undefined : ([film.width, film.height] as const);
  });
  if (input === undefined || reference === undefined) return undefined;
  const names = measure.filter(isComparison).map((one) => `"${one}"`);
  return failed(
    'INPUT_INVALID',
    `${andList(names)} ${names.length === 1 ? 'compares' : 'compare'} pictures of the same size: ` +
      `${facts.pathOf(0)} is ${input.join('x')}, and ${facts.pathOf(1)} is ${reference.join('x')}.`,
    `Convert ${facts.pathOf(0)} with "vf": "scale=${reference.join(':')}" first, and measure the result.`,
  );
}
