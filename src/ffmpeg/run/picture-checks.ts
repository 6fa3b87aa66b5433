import { addOption, sendMembers, sendOption } from '../../domain/edit.ts';
import type { Hint } from '../../domain/hint.ts';
import type { OutputStream } from '../../domain/job.ts';
import type { Warning } from '../../domain/plan.ts';
import { asksForPixelFormat } from '../allowlist/playable-codecs.ts';
import { printGraph } from '../filtergraph/graph.ts';
import { RESIZING } from './filter-effects.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './finished-pass.ts';
import { fitFix } from './fitted-picture.ts';
import { MAX_LENGTH, namesFiles, prependFix, sendInstead, withFilter } from './graph-fixes.ts';
import {
  type ArgvGraph,
  argumentOf,
  fieldOf,
  inputStream,
  type MediaFacts,
  optionValue,
  pathOf,
  sentNameOf,
} from './media-facts.ts';

/** Shapes or pixels that differ less than this look the same. Sizes are whole numbers, so most differ a little. */
const SHAPE_TOLERANCE = 0.02;

/** Whether two shapes look the same. */
export const isAlike = (a: number, b: number): boolean => Math.abs(a / b - 1) <= SHAPE_TOLERANCE;

/** Whether a filter of a graph deals with pictures of different shapes. */
const keepsShape = ({ filters }: ArgvGraph): boolean =>
  filters.some(
    (filter) =>
      /^(?:pad|crop)$/.test(filter.name) ||
      (filter.name === 'scale' && optionValue(filter, 'force_original_aspect_ratio') !== undefined),
  );

/**
 * The pictures of a sequence, or of a film on its way, have different sizes, and ffmpeg scales them all to the size of the
 * first.
 */
export function differentPictures(
  facts: MediaFacts,
  { complaints, outputStreams }: Pick<FinishedPass, 'complaints' | 'outputStreams'>,
): readonly RunWarning[] {
  if (facts.graphs.some(keepsShape)) return [];
  const sets = ['s', 'target'].some((name) => facts.argv.includes(`-${name}`));
  const scales = sets || facts.graphs.some(({ filters }) => filters.some(({ name }) => RESIZING.test(name)));
  const isComplex = facts.graphs.some(({ key }) => key === 'filter_complex');
  const [picture, ...more] = outputStreams.filter(({ type }) => type === 'video');
  return complaints.pictureSizes.flatMap(({ input, sizes }) => {
    const planned = facts.plan.inputs[input];
    const [first] = sizes;
    // In a complex graph, a film can be a part of the picture, such as an overlay, that no scaling stretches.
    if (planned === undefined || first === undefined || (planned.sequence === undefined && isComplex)) return [];
    const isStretched = sizes.some((size) => !isAlike(size.width / size.height, first.width / first.height));
    // A size that the request asks for is no surprise, if the pictures keep their shape.
    if (scales && !isStretched) return [];
    const width = more.length === 0 ? (picture?.width ?? first.width) : first.width;
    const height = more.length === 0 ? (picture?.height ?? first.height) : first.height;
    const texts = sizes.map((size) => `${size.width}x${size.height}`);
    const shown = texts.length > 4 ? `${texts.slice(0, 4).join(', ')}, …` : texts.join(', ');
    const what =
      planned.sequence === undefined
        ? `The picture size of "${planned.path}" changes on the way`
        : `The pictures of "${planned.path}" have different sizes`;
    return [
      {
        field: planned.field,
        code: 'SIZE_CHANGED',
        message: `${what} (${shown}): ffmpeg scaled them to ${width}x${height}${scales ? '' : ', the size of the first'}${isStretched ? ', and stretched those of another shape' : ''}.`,
        fix: isStretched
          ? fitFix(facts, { width, height })
          : `Send "vf": "scale=${width}:${height}" if this size is meant, or a larger one.`,
      },
    ];
  });
}

/** Containers of films, whose players regard the shape of pixels. Pictures and animations have none. */
const FILMS: ReadonlySet<string> = new Set(
  'mp4 mov ipod matroska webm avi mpegts mpeg flv hls dash nut 3gp 3g2 f4v segment asf ogg'.split(' '),
);

/** The sizes of television: of DVDs, SVCDs and broadcasts. Their pixels are never square. */
const TELEVISION = /^(?:720|704|544|480|352)x(?:480|576)$/;

/** Whether the request says what shape pixels have, or the format has none. */
export function asksForShape(facts: MediaFacts): boolean {
  const asks = ['aspect', 'target'].some(
    (name) => facts.argv.includes(`-${name}`) || facts.argv.includes(`-${name}:v`),
  );
  const sets = facts.graphs.some(({ filters }) => filters.some(({ name }) => /^set[sd]ar$/.test(name)));
  return asks || sets || !FILMS.has(facts.plan.output.muxer);
}

/** @param pixel The width of a pixel divided by its height. */
export const nonSquareMessage = ({ width, height }: { width: number; height: number }, pixel: number): string =>
  `The picture of ${width}x${height} has another shape than that of the input, so its pixels are not square: most players show it as ${Math.round(width * pixel)}x${height}, others stretch it.`;

/** A scale that changes the shape of the picture. ffmpeg then changes the shape of its pixels in the other direction. */
export function nonSquarePixels(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'outputStreams' | 'outputTraits' | 'used'>,
): readonly RunWarning[] {
  const { outputStreams, outputTraits, used } = pass;
  if (asksForShape(facts)) return [];
  for (const { input, stream, output, copied } of used) {
    const from = inputStream(facts, input, stream);
    const to = outputStreams.find(({ index }) => index === output);
    const after = output === undefined ? undefined : outputTraits.get(output)?.pixelAspect;
    if (copied || from?.type !== 'video' || to?.width === undefined || to.height === undefined || after === undefined)
      continue;
    const before = facts.inputs[input]?.traits?.get(stream)?.pixelAspect ?? 1;
    // A quarter turn, by a filter or as the file asks, turns the pixels too.
    if ([1, before, 1 / before].some((shape) => isAlike(after, shape))) continue;
    const { width, height } = to;
    if (facts.plan.output.muxer === 'mpeg' && TELEVISION.test(`${width}x${height}`)) continue;
    const field = fieldOf(facts, 's') ?? fieldOf(facts, 'filter:v');
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
    if (inputStream(facts, input, stream)?.type !== 'video' || after === undefined) continue;
    if (to?.width === undefined || to.height === undefined) continue;
    const before = facts.inputs[input]?.traits?.get(stream)?.pixelAspect ?? 1;
    const shapes = [before, after].map((pixel) => ((to.width ?? 1) / (to.height ?? 1)) * pixel);
    const isTurned =
      !TELEVISION.test(`${to.width}x${to.height}`) &&
      Math.min(...shapes) < 1 - SHAPE_TOLERANCE &&
      Math.max(...shapes) > 1 + SHAPE_TOLERANCE &&
      !shapes.some((shape) => isAlike(shape, 1));
    if (!isTurned && !stretchesSquares(facts, { input, stream }, after)) continue;
    const field = fieldOf(facts, key);
    return [
      {
        ...(field === undefined ? {} : { field }),
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
  const { width, height } = inputStream(facts, input, stream) ?? {};
  const isSized = ['s', 's:v', 'target'].some((name) => facts.argv.includes(`-${name}`));
  const isChanged = isSized || facts.graphs.some(({ filters }) => filters.some(({ name }) => RESIZING.test(name)));
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
  const key = ['aspect', 'aspect:v'].find((name) => argumentOf(facts, name) !== undefined);
  if (key !== undefined) return { key, aspect: argumentOf(facts, key) };
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
  return sendInstead(sentNameOf(facts, key), 'vf', crop);
}

/** Codecs that players show, most of them without deinterlacing. Others are for editing. */
const PLAYED: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'theora', 'gif']);
/** Options with which an encoder keeps fields apart. */
const FIELD_OPTIONS = /^-(?:field_order|top|x264-params|x264opts|x265-params|target)(?::|$)/;
const FIELD_WORDS = /\b(?:interlaced|interlace|tff|bff|ild?ct|ilme|tt|bb|tb|bt|(?:pal|ntsc|film)-)/;

/** Filters that deal with fields. Some of them leave their mark in the pictures. */
const FIELD_FILTERS =
  /^(?:yadif|bwdif|w3fdif|estdif|nnedi|kerndeint|mcdeint|pp|pullup|fieldmatch|separatefields|field|fieldhint|detelecine|telecine|repeatfields|dejudder|idet|il|tinterlace|weave|doubleweave|phase)$/;

/** Pictures of two fields that are encoded as one picture: edges of what moves look like combs. */
export function combedPictures(facts: MediaFacts, pass: FinishedPass): readonly RunWarning[] {
  const keepsFields = facts.argv.some(
    (word, at) => (FIELD_OPTIONS.test(word) || /^-flags/.test(word)) && FIELD_WORDS.test(facts.argv[at + 1] ?? ''),
  );
  const input = facts.inputs.findIndex(({ traits }) =>
    [...(traits?.values() ?? [])].some(({ isInterlaced }) => isInterlaced === true),
  );
  const hasFilter = facts.graphs.some(({ filters }) => filters.some(({ name }) => FIELD_FILTERS.test(name)));
  if (keepsFields || hasFilter || input < 0) return [];
  const found = pass.outputStreams.find(
    ({ index, codec }) =>
      PLAYED.has(codec) && pass.outputTraits.get(index)?.isInterlaced === true && !isCopied(pass, index),
  );
  if (found === undefined) return [];
  const planned = facts.plan.inputs[input];
  return [
    {
      ...(planned === undefined ? {} : { field: planned.field }),
      code: 'INTERLACED',
      message: `${pathOf(facts, input)} is marked as interlaced, and the output is not deinterlaced: edges of what moves look like combs.`,
      fix: deinterlaced(facts),
    },
  ];
}

const DEINTERLACER = 'bwdif=mode=send_frame';

function deinterlaced(facts: MediaFacts): Hint {
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter:v');
  if (graph === undefined || others.length > 0)
    return facts.graphs.some(({ key }) => key === 'filter_complex')
      ? `Send the filter "${DEINTERLACER}" before the others.`
      : addOption('vf', DEINTERLACER);
  return prependFix(facts, graph, DEINTERLACER);
}

const isCopied = ({ used }: ForeseenPass, index: number): boolean =>
  used.some(({ output, copied }) => output === index && copied);

/** The pixel formats of codecs that nearly all players show. */
const USUAL_FORMATS: Readonly<Record<string, RegExp>> = {
  h264: /^(?:yuvj?420p|nv12|nv21)$/,
  hevc: /^(?:yuvj?420p|nv12|yuv420p10le|p010le)$/,
};

/** Pictures in a pixel format that few players show, without a request for it. */
export function fewPlayers(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  const { argv, graphs, plan } = facts;
  const sent = argv.flatMap((word, at) => (word.startsWith('-') ? [[word.slice(1), argv[at + 1] ?? ''] as const] : []));
  const filters = graphs.flatMap((graph) => graph.filters.map(({ name }) => name));
  if (asksForPixelFormat(plan.output.muxer, sent, filters)) return [];
  for (const stream of pass.outputStreams) {
    const { codec, pixelFormat, index } = stream;
    const usual = USUAL_FORMATS[codec];
    if (usual === undefined || pixelFormat === undefined || usual.test(pixelFormat) || isCopied(pass, index)) continue;
    if (isPlayabilityPlanned(pass.plan.warnings, stream)) continue;
    const is = `The output is ${codec === 'h264' ? 'H.264' : 'H.265'} with the pixel format ${pixelFormat}`;
    return [{ code: 'FEW_PLAYERS', ...playable(facts, is, stream) }];
  }
  return [];
}

type Size = Pick<OutputStream, 'width' | 'height'>;

/** Whether a picture has an odd width or height, which 4:2:0 does not allow. */
const isOdd = ({ width = 0, height = 0 }: Size): boolean => (width | height) % 2 === 1;

/**
 * Whether the warning of the plan about the pixel format is enough. Its fix names the filter that causes the format, but is wrong for odd
 * sizes, which the plan does not know.
 */
export const isPlayabilityPlanned = (planned: readonly Warning[], size: Size): boolean =>
  !isOdd(size) && planned.some(({ code }) => code === 'FEW_PLAYERS');

const EVEN = 'scale=trunc(iw/2)*2:trunc(ih/2)*2';

/** What to say about a picture in a pixel format that few players show. `is`: the sentence that says which. */
export function playable(facts: MediaFacts, is: string, size: Size): { readonly message: string; readonly fix: Hint } {
  const message = `${is}, which most players cannot show.`;
  if (!isOdd(size)) return { message, fix: sendOption('pix_fmt', 'yuv420p') };
  return {
    message: `${message} Those that they show need an even width and height, and it is ${size.width}x${size.height}.`,
    fix: evenFix(facts),
  };
}

function evenFix(facts: MediaFacts): Hint {
  const [graph, ...more] = facts.graphs.filter(({ key }) => !key.startsWith('filter:a'));
  if (graph === undefined) return sendMembers({ pix_fmt: 'yuv420p', vf: EVEN });
  const whole = `${printGraph(graph.graph)},${EVEN}`;
  const isChain = more.length === 0 && graph.key !== 'filter_complex' && graph.graph.chains.length === 1;
  return !isChain || whole.length > MAX_LENGTH || namesFiles(whole)
    ? `Send "pix_fmt": "yuv420p", and the filter "${EVEN}" after the others of the picture.`
    : sendMembers({ pix_fmt: 'yuv420p', [sentNameOf(facts, graph.key)]: whole });
}
