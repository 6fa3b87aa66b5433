import { addOption, leaveOut, orElse, sendOption, sendValue } from '../../../domain/edit.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { evenWidth } from '../../values/size.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import { fitFix } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue, RESIZING, type Source } from '../facts/media-facts.ts';
import { encodedStreams } from './frames.ts';
import { isAlike } from './pixel-shapes.ts';

/** Encoders that reject an odd width or height if the chroma planes have half the size of the picture. */
const EVEN_SIZE_ENCODERS: ReadonlySet<string> = new Set(['libx264', 'libx265']);

/** Pixel formats whose chroma planes have the full size. */
const FULL_CHROMA = /^\+?(?:yuv[aj]?444|gbr|rgb|bgr|gray)/;

const SIZE = /^(\d{1,5})x(\d{1,5})$/;
/** The last scale filter of a chain, with plain numbers. A later crop or pad may correct the size. */
const SCALE = /(?:^|,)scale=(?:w=)?(-?\d{1,5}):(?:h=)?(-?\d{1,5})(?=[:,]|$)(?!.*(?:scale|crop|pad))/;

/** The graph with another size in its last scale filter. */
function withSize(graph: string, [width = '', height = '']: readonly string[]): string | undefined {
  const found = SCALE.exec(graph);
  if (found === null) return undefined;
  const scale = found[0].replace(/(-?\d{1,5}):(h=)?-?\d{1,5}$/, (_all, _width, key = '') => `${width}:${key}${height}`);
  return graph.slice(0, found.index) + scale + graph.slice(found.index + found[0].length);
}

/** Sizes with which the encoder fails, unless the pixel format of the input has full chroma. */
const ODD_DIMENSIONS: Rule = {
  id: 'odd-dimensions',
  finds: 'a size with an odd width or height, which libx264 and libx265 reject',
  about: ['s', 'filter'],
  option({ options, encoders }) {
    const names = encoders.of('v').flatMap(({ encoder }) => encoder ?? []);
    const affected = names.find((name) => EVEN_SIZE_ENCODERS.has(name));
    const hasFullChroma = options.some(
      ({ name, values }) => name.name === 'pix_fmt' && FULL_CHROMA.test(values[0] ?? ''),
    );
    if (affected === undefined || hasFullChroma) return () => [];
    return (option) => {
      const { key, name, values, texts = values } = option;
      const pattern =
        name.name === 's' ? SIZE : name.name === 'filter' && !/^a/.test(name.specifier ?? '') ? SCALE : undefined;
      const [, width = '', height = ''] = pattern?.exec(values[0] ?? '') ?? [];
      // -1 keeps the aspect ratio, and the result can be odd.
      const isOdd = [width, height].some((side) => Number(side) % 2 !== 0);
      if (!isOdd) return [];
      const evenOf = (side: string): string =>
        side === '-1' ? '-2' : `${Number(side) - (Math.abs(Number(side)) % 2)}`;
      const isWhole = [width, height].every((side) => Number(side) > 1);
      const even = [isWhole ? String(evenWidth(Number(width), Number(height))) : evenOf(width), evenOf(height)];
      const verb = width === '-1' || height === '-1' ? 'can result in' : 'results in';
      return {
        code: 'ODD_SIZE',
        message: `"${key}" ${verb} an odd width or height, which ${affected} rejects with yuv420p.`,
        fix:
          name.name === 's'
            ? sendValue(even.join('x'))
            : sendOption(sentName(option), withSize(texts[0] ?? '', even) ?? withSize(values[0] ?? '', even) ?? ''),
      };
    };
  },
};

/**
 * Warns about `width` and `height`, which are options of rare decoders and encoders. For nearly all requests they have no
 * effect, and the client means the size of the picture.
 */
const WIDTH_HEIGHT_OPTIONS: Rule = {
  id: 'width-height-options',
  finds: '`width` or `height` as an option, which does not set the size of the video',
  about: ['width', 'height'],
  plan({ sharedOptions: options }) {
    const [width, height] = ['width', 'height'].map((key) => options.find((option) => option.key === key));
    const size = [width, height].map((option) => option?.values[0] ?? '-2').join(':');
    return [width, height].flatMap((option) =>
      option === undefined
        ? []
        : {
            field: option.field,
            code: 'NO_EFFECT',
            message: `"${option.key}" does not set the size of the picture: it is an option of rare decoders.`,
            fix: sendOption('vf', `scale=${size}`),
          },
    );
  },
};

/**
 * Finds a landscape size for a video that players show in portrait, or the reverse. A phone stores frames in landscape, and asks players
 * to rotate them. ffmpeg rotates them first, so the frame size in the file is not the size that players show.
 */
function squeezed(facts: MediaFacts, source: Source, width: number, height: number) {
  const size = facts.pictureSize(source);
  if (size?.isRotated !== true || size.width === size.height || width === height) return undefined;
  const [isUpright, isUprightAfter] = [size.width < size.height, width < height];
  if (isUpright === isUprightAfter || facts.argv.includes('-aspect')) return undefined;
  const [long, short] = [
    Math.max(width, height),
    Math.min(size.width, size.height) / Math.max(size.width, size.height),
  ];
  const side = 2 * Math.round((long * short) / 2);
  return {
    message: `${facts.pathOf(source.input)} is turned by 90 degrees, so its picture is ${size.width}x${size.height}: ${width}x${height} squeezes it.`,
    /** The size that is meant, in the shape of the picture. */
    meant: isUpright ? { w: side, h: long } : { w: long, h: side },
  };
}

/** Filters that set the shape of the pixels. Players then show a video of another size in its old aspect ratio. */
const PIXEL_SHAPES = /^(?:setsar|setdar)$/;

const SQUEEZED_BY_SCALE: Rule = {
  id: 'squeezed-by-scale',
  finds: '`scale` to a landscape size of a video that its file rotates to portrait, or the reverse',
  supersedes: ['non-square-pixels'],
  filter(at) {
    const { facts, graph } = at;
    const source = at.name === 'scale' ? at.source(0, RESIZING) : undefined;
    if (source === undefined || graph.filters.some(({ name }) => PIXEL_SHAPES.test(name))) return undefined;
    const [width, height] = [at.option('w', 'width'), at.option('h', 'height')];
    const isFixed = /^\d{2,5}$/.test(width ?? '') && /^\d{2,5}$/.test(height ?? '');
    const keepsShape = !['0', 'disable', undefined].includes(at.option('force_original_aspect_ratio'));
    const found = isFixed && !keepsShape ? squeezed(facts, source, Number(width), Number(height)) : undefined;
    if (found === undefined) return undefined;
    return {
      code: 'SQUEEZED',
      message: found.message,
      fix: at.change(found.meant, ['width', 'height']),
    };
  },
};

/** A scale that changes the aspect ratio by this factor is visible. 4:3 in 16:9 is 1.33, which can be intended. */
const STRETCHED = 1.5;
/** Filters with which a stretched image can be intended, such as a background. */
const FITTING = /^(?:pad|crop|overlay|split|gblur|boxblur|avgblur|smartblur)$/;

/** A scale to another aspect ratio with `setsar=1`, which makes the pixels square, so that no player corrects the ratio. */
const STRETCHED_BY_SCALE: Rule = {
  id: 'stretched-by-scale',
  finds: '`scale` to another aspect ratio with `setsar=1`, which stretches the video',
  supersedes: ['non-square-pixels'],
  filter(at) {
    const { facts, graph, filter } = at;
    if (at.name !== 'scale' || !graph.key.startsWith('filter:v') || graph.graph.chains.length > 1) return undefined;
    const source = at.source(0, RESIZING);
    const size = source && facts.pictureSize(source);
    const [width, height] = [at.option('w', 'width'), at.option('h', 'height')];
    const isFixed = /^\d{2,5}$/.test(width ?? '') && /^\d{2,5}$/.test(height ?? '');
    const squares = graph.filters
      .slice(graph.filters.indexOf(filter))
      .some((one) => one.name === 'setsar' && /^1(?:[:/]1)?$/.test(optionValue(one, 'sar', 'r', 'ratio') ?? ''));
    const keepsShape = !['0', 'disable', undefined].includes(at.option('force_original_aspect_ratio'));
    if (source === undefined || size === undefined || !isFixed || !squares || keepsShape) return undefined;
    if (graph.filters.some(({ name }) => FITTING.test(name)) || facts.argv.includes('-aspect')) return undefined;
    const pixel = facts.inputs[source.input]?.traits?.get(source.stream.index)?.pixelAspect ?? 1;
    const change = Number(width) / Number(height) / ((size.width / size.height) * (size.isRotated ? 1 / pixel : pixel));
    if (Math.max(change, 1 / change) < STRETCHED) return undefined;
    return {
      code: 'SQUEEZED',
      message: `The filter scale changes ${size.width}x${size.height} to ${width}x${height}, and setsar makes the pixels square, so the image is stretched.`,
      fix: at.replace(`scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1`),
    };
  },
};

const SQUEEZED_BY_SIZE: Rule = {
  id: 'squeezed-by-size',
  finds: '`s` with a landscape size for a video that its file rotates to portrait, or the reverse',
  supersedes: ['non-square-pixels'],
  /** The same check for the option `s`. */
  filesAndRun({ facts, pass: { used, outputStreams } }) {
    const key = ['s', 's:v', 's:v:0'].find((one) => facts.fieldOf(one) !== undefined);
    if (key === undefined || facts.graphs.some((graph) => !/^filter:a/.test(graph.key))) return [];
    for (const { input, stream, output, copied } of used) {
      const from = facts.inputStream(input, stream);
      const { width, height } = outputStreams.find(({ index }) => index === output) ?? {};
      if (from?.type !== 'video' || copied || width === undefined || height === undefined) continue;
      const found = squeezed(facts, { input, stream: from }, width, height);
      if (found === undefined) continue;
      const { message, meant } = found;
      return { key, code: 'SQUEEZED', message, fix: sendOption(key, `${meant.w}x${meant.h}`) };
    }
    return [];
  },
};

/** Whether a filter of a graph deals with pictures of different shapes. */
const keepsShape = ({ filters }: ArgvGraph): boolean =>
  filters.some(
    (filter) =>
      /^(?:pad|crop)$/.test(filter.name) ||
      (filter.name === 'scale' && optionValue(filter, 'force_original_aspect_ratio') !== undefined),
  );

/**
 * Warns about an image sequence or a video whose frames have different sizes: ffmpeg scales all of them to the size of the first
 * frame.
 */
const VARYING_SIZES: Rule = {
  id: 'varying-sizes',
  finds: 'an input whose frames or images have different sizes',
  run({ facts, pass: { complaints, outputStreams } }) {
    if (facts.graphs.some(keepsShape)) return [];
    const sets = ['s', 'target'].some((name) => facts.argv.includes(`-${name}`));
    const scales = sets || facts.usesFilter(RESIZING);
    const isComplex = facts.graphs.some(({ key }) => key === 'filter_complex');
    const [picture, ...more] = outputStreams.filter(({ type }) => type === 'video');
    return complaints.pictureSizes.flatMap(({ input, sizes }) => {
      const planned = facts.plan.inputs[input];
      const [first] = sizes;
      // In a complex graph, a video can be a part of the frame, such as an overlay, which no scaling stretches.
      if (planned === undefined || first === undefined || (planned.sequence === undefined && isComplex)) return [];
      const isStretched = sizes.some((size) => !isAlike(size.width / size.height, first.width / first.height));
      // Do not report a size that the request asks for, unless it changes an aspect ratio.
      if (scales && !isStretched) return [];
      const width = more.length === 0 ? (picture?.width ?? first.width) : first.width;
      const height = more.length === 0 ? (picture?.height ?? first.height) : first.height;
      const texts = sizes.map((size) => `${size.width}x${size.height}`);
      const shown = texts.length > 4 ? `${texts.slice(0, 4).join(', ')}, …` : texts.join(', ');
      const what =
        planned.sequence === undefined
          ? `The picture size of "${planned.path}" changes during the video`
          : `The pictures of "${planned.path}" have different sizes`;
      return {
        field: planned.field,
        code: 'SIZE_CHANGED',
        message: `${what} (${shown}): ffmpeg scaled them to ${width}x${height}${scales ? '' : ', the size of the first'}${isStretched ? ', and stretched those of another shape' : ''}.`,
        fix: isStretched
          ? fitFix(facts, { width, height })
          : `Send "vf": "scale=${width}:${height}" if this size is meant, or a larger one.`,
      };
    });
  },
};

const CHANGED_SIZE: Rule = {
  id: 'changed-size',
  finds: 'a size that changed, although no option asks for it',
  run: ({ pass, options }) =>
    encodedStreams(pass, 'video').flatMap(({ from: { width, height }, to }): RunWarning | [] => {
      const isRotated = width === to.height && height === to.width;
      if (width === undefined || to.width === undefined || options.setsSize || isRotated) return [];
      if (width === to.width && height === to.height) return [];
      return {
        code: 'SIZE_CHANGED',
        message: `The picture changed from ${width}x${height} to ${to.width}x${to.height}, although no option asks for it.`,
        fix: orElse(addOption('s', `${width}x${height}`), 'the other size if it is meant'),
      };
    }),
};

/** The most macroblocks in a picture and in a second, by levels of H.264 (Table A-1 of the standard). */
const LEVELS: Readonly<Record<string, readonly [picture: number, second: number]>> = {
  '1': [99, 1485],
  '1.1': [396, 3000],
  '1.2': [396, 6000],
  '1.3': [396, 11_880],
  '2': [396, 11_880],
  '2.1': [792, 19_800],
  '2.2': [1620, 20_250],
  '3': [1620, 40_500],
  '3.1': [3600, 108_000],
  '3.2': [5120, 216_000],
  '4': [8192, 245_760],
  '4.1': [8192, 245_760],
  '4.2': [8704, 522_240],
  '5': [22_080, 589_824],
  '5.1': [36_864, 983_040],
  '5.2': [36_864, 2_073_600],
};

/** The requested level of H.264 does not allow this size and rate, but the file names the level all the same. */
const EXCEEDED_LEVEL: Rule = {
  id: 'exceeded-level',
  finds: 'a `level` of H.264 that does not allow the size or the frame rate',
  run({ facts, pass: { complaints, outputStreams } }) {
    const picture = outputStreams.find(({ type }) => type === 'video');
    const key = ['level', 'level:v'].find((name) => facts.argumentOf(name) !== undefined);
    if (!complaints.exceedsLevel || key === undefined || picture?.width === undefined || picture.height === undefined)
      return [];
    const level = (facts.argumentOf(key) ?? '').replace(/^(\d)(\d)$/, '$1.$2').replace(/\.0$/, '');
    const blocks = (width: number, height: number): number => Math.ceil(width / 16) * Math.ceil(height / 16);
    const count = blocks(picture.width, picture.height);
    const rate = count * (picture.fps ?? 25);
    const needed = Object.keys(LEVELS).find(
      (one) => count <= (LEVELS[one]?.[0] ?? 0) && rate <= (LEVELS[one]?.[1] ?? 0),
    );
    const name = facts.sentNameOf(key);
    const larger = needed === undefined ? leaveOut(name) : sendOption(name, needed);
    const smaller = smallerPicture(picture, LEVELS[level]);
    return {
      key: key,
      code: 'LEVEL_EXCEEDED',
      message: `The level ${level} of H.264 does not allow ${picture.width}x${picture.height} with ${picture.fps ?? 25} frames per second and these settings: the file only claims it.`,
      fix: smaller === undefined ? larger : orElse(addOption('vf', smaller), larger),
    };
  },
};

/** Filters that make a size and a rate which a level allows. undefined if nothing has to change, or no usual size fits. */
function smallerPicture(
  { width = 0, height = 0, fps = 25 }: FinishedPass['outputStreams'][number],
  limits: readonly [picture: number, second: number] | undefined,
): string | undefined {
  if (limits === undefined) return undefined;
  const heights = [1080, 720, 576, 480, 360, 288, 240, 144].filter((one) => one <= height);
  const fitting = heights.find((one) => Math.ceil(((width / height) * one) / 16) * Math.ceil(one / 16) <= limits[0]);
  if (fitting === undefined) return undefined;
  const most = limits[1] / (Math.ceil(((width / height) * fitting) / 16) * Math.ceil(fitting / 16));
  const rate = fps <= most ? undefined : [60, 50, 30, 25, 24, 15].find((one) => one <= most);
  const filters = [
    ...(fitting === height ? [] : [`scale=-2:${fitting}`]),
    ...(rate === undefined ? [] : [`fps=${rate}`]),
  ];
  return filters.length === 0 ? undefined : filters.join(',');
}

/** ffmpeg rotates the frames as their file asks, and then the filter rotates them again. */
const ROTATED_TWICE: Rule = {
  id: 'rotated-twice',
  finds: '`transpose` on a video that ffmpeg has rotated already, as its file asks',
  filter(at) {
    const { facts, graph, filter } = at;
    if (at.name !== 'transpose') return undefined;
    const source = at.source(0, RESIZING);
    const size = source && facts.pictureSize(source);
    if (source === undefined || size?.isRotated !== true) return undefined;
    const others = graph.filters.filter((one) => one !== filter);
    return {
      code: 'ROTATED_TWICE',
      message: `${facts.pathOf(source.input)} asks players to rotate it, and ffmpeg did that before the filter transpose, which turned it again.`,
      fix: others.length === 0 ? leaveOut('vf') : at.replace('null'),
    };
  },
};

export const SIZE_RULES: readonly Rule[] = [
  ODD_DIMENSIONS,
  WIDTH_HEIGHT_OPTIONS,
  SQUEEZED_BY_SCALE,
  STRETCHED_BY_SCALE,
  SQUEEZED_BY_SIZE,
  VARYING_SIZES,
  CHANGED_SIZE,
  EXCEEDED_LEVEL,
  ROTATED_TWICE,
];
