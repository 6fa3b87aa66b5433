import { addOption, leaveOut, orElse, sendOption, sendValue } from '@telecine/contract/domain/edit.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { lowestLevel } from '../../values/h264-levels.ts';
import { evenWidth } from '../../values/size.ts';
import { noEffect, type Rules, type RunWarning } from '../contexts.ts';
import { convertedStreams, encodedStreams, ofKind } from '../facts/converted-streams.ts';
import { fitFix } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue, RESIZING, type Source } from '../facts/media-facts.ts';
import type { PlacedFilter } from '../facts/placed-filter.ts';
import { filtersForLevel } from './level-filters.ts';
import { isAlike, plainSize } from './pixel-shapes.ts';

/** Encoders that reject an odd width or height, unless the colours have the full resolution. */
const EVEN_SIZE_ENCODERS: ReadonlySet<string> = new Set(['libx264', 'libx265']);

/** Matches pixel formats whose colours have the full resolution. */
const FULL_CHROMA = /^\+?(?:yuv[aj]?444|gbr|rgb|bgr|gray)/;

const SIZE = /^(\d{1,5})x(\d{1,5})$/;
/** Captures the size of the last `scale` in a chain, if it has numbers. A later `crop` or `pad` may correct an odd size. */
const SCALE = /(?:^|,)scale=(?:w=)?(-?\d{1,5}):(?:h=)?(-?\d{1,5})(?=[:,]|$)(?!.*(?:scale|crop|pad))/;

function withSize(graph: string, [width = '', height = '']: readonly string[]): string | undefined {
  const found = SCALE.exec(graph);
  if (found === null) return undefined;
  const scale = found[0].replace(/(-?\d{1,5}):(h=)?-?\d{1,5}$/, (_all, _width, key = '') => `${width}:${key}${height}`);
  return graph.slice(0, found.index) + scale + graph.slice(found.index + found[0].length);
}

/** Each of these filters sets the shape that players show. */
const PIXEL_SHAPES = /^(?:setsar|setdar)$/;

/**
 * Reports a size that squeezes a rotated video: a landscape size for a video that is shown upright, or the reverse. A phone stores a portrait
 * video as landscape with a rotation, and ffmpeg rotates its frames before the filters.
 */
function squeezed(facts: MediaFacts, source: Source, width: number, height: number) {
  const size = facts.frameSize(source);
  if (size?.isRotated !== true || size.width === size.height || width === height) return undefined;
  const isUpright = size.width < size.height;
  if (isUpright === width < height || facts.has('aspect')) return undefined;
  const long = Math.max(width, height);
  const short = Math.min(size.width, size.height) / Math.max(size.width, size.height);
  const side = 2 * Math.round((long * short) / 2);
  return {
    message: `${facts.pathOf(source.input)} is turned by 90 degrees, so its frames are ${size.width}x${size.height}: ${width}x${height} squeezes them.`,
    /** The size that is meant, in the orientation of the video. */
    meant: isUpright ? { w: side, h: long } : { w: long, h: side },
  };
}

/** Returns the size of a `scale` with two plain numbers, unless it keeps the aspect ratio. */
const fixedSize = (at: PlacedFilter) =>
  ['0', 'disable', undefined].includes(at.option('force_original_aspect_ratio')) ? plainSize(at.filter) : undefined;

/** A change of the aspect ratio by this factor is a mistake. 4:3 to 16:9 is only 1.33, and can be meant. */
const STRETCHED = 1.5;
/** Filters with which a stretched image can be intended, such as for a blurred background. */
const FITTING = /^(?:pad|crop|overlay|split|gblur|boxblur|avgblur|smartblur)$/;

/** True if the graph fits frames of different aspect ratios itself. */
const keepsShape = ({ filters }: ArgvGraph): boolean =>
  filters.some(
    (filter) =>
      /^(?:pad|crop)$/.test(filter.name) ||
      (filter.name === 'scale' && optionValue(filter, 'force_original_aspect_ratio') !== undefined),
  );

export const SIZE_RULES: Rules = {
  'odd-dimensions': {
    finds: 'a size with an odd width or height, which libx264 and libx265 reject',
    about: ['s', 'filter'],
    option({ options, encoders }) {
      const affected = encoders.of('v').find(({ encoder = '' }) => EVEN_SIZE_ENCODERS.has(encoder))?.encoder;
      const hasFullChroma = options.some(
        ({ name, values }) => name.name === 'pix_fmt' && FULL_CHROMA.test(values[0] ?? ''),
      );
      if (affected === undefined || hasFullChroma) return () => [];
      return (option) => {
        const { key, name, values, texts = values } = option;
        const isOption = name.name === 's';
        const pattern = isOption ? SIZE : /^a/.test(name.specifier ?? '') ? undefined : SCALE;
        const [, width = '', height = ''] = pattern?.exec(values[0] ?? '') ?? [];
        const sides = [width, height];
        // -1 is odd and counts: it keeps the aspect ratio, and the side that ffmpeg computes may be odd.
        if (sides.every((side) => Number(side) % 2 === 0)) return [];
        const evenOf = (side: string): string =>
          side === '-1' ? '-2' : `${Number(side) - (Math.abs(Number(side)) % 2)}`;
        const isWhole = sides.every((side) => Number(side) > 1);
        const even = [isWhole ? String(evenWidth(Number(width), Number(height))) : evenOf(width), evenOf(height)];
        return {
          code: 'ODD_SIZE',
          message: `"${key}" ${sides.includes('-1') ? 'can result in' : 'results in'} an odd width or height, which ${affected} rejects with yuv420p.`,
          fix: isOption
            ? sendValue(even.join('x'))
            : sendOption(sentName(option), withSize(texts[0] ?? '', even) ?? withSize(values[0] ?? '', even) ?? ''),
        };
      };
    },
  },

  'width-height-options': {
    finds: '`width` or `height` as an option, which does not set the size of the video',
    about: ['width', 'height'],
    plan({ sharedOptions: options }) {
      const [width, height] = ['width', 'height'].map((key) => options.find((option) => option.key === key));
      const size = [width, height].map((option) => option?.values[0] ?? '-2').join(':');
      return [width, height].flatMap((option) =>
        option === undefined
          ? []
          : noEffect(
              `"${option.key}" does not set the frame size: it is an option of rare decoders.`,
              sendOption('vf', `scale=${size}`),
              { field: option.field },
            ),
      );
    },
  },

  'squeezed-by-scale': {
    finds: '`scale` to a landscape size of a video that its file rotates to portrait, or the reverse',
    about: ['scale'],
    supersedes: ['non-square-pixels'],
    filter(at) {
      const [source, fixed] = [at.source(0, RESIZING), fixedSize(at)];
      if (source === undefined || fixed === undefined || at.graph.filters.some(({ name }) => PIXEL_SHAPES.test(name)))
        return undefined;
      const found = squeezed(at.facts, source, fixed.width, fixed.height);
      return found && { code: 'SQUEEZED', message: found.message, fix: at.change(found.meant, ['width', 'height']) };
    },
  },

  /** `setsar=1` declares the pixels square, so players do not undo the distortion. */
  'stretched-by-scale': {
    finds: '`scale` to another aspect ratio with `setsar=1`, which stretches the video',
    about: ['scale'],
    supersedes: ['non-square-pixels'],
    filter(at) {
      const { facts, graph, filter } = at;
      if (!graph.key.startsWith('filter:v') || graph.graph.chains.length > 1 || facts.has('aspect')) return undefined;
      const [sized, fixed] = [at.sized(), fixedSize(at)];
      const isSquare = graph.filters
        .slice(graph.filters.indexOf(filter))
        .some((one) => one.name === 'setsar' && /^1(?:[:/]1)?$/.test(optionValue(one, 'sar', 'r', 'ratio') ?? ''));
      if (sized === undefined || fixed === undefined || !isSquare) return undefined;
      if (graph.filters.some(({ name }) => FITTING.test(name))) return undefined;
      const { source, size } = sized;
      const { width, height } = fixed;
      const pixel = facts.traitsOf(source.input, source.stream.index)?.pixelAspect ?? 1;
      const change = width / height / ((size.width / size.height) * (size.isRotated ? 1 / pixel : pixel));
      if (Math.max(change, 1 / change) < STRETCHED) return undefined;
      return {
        code: 'SQUEEZED',
        message: `The filter scale changes ${size.width}x${size.height} to ${width}x${height}, and setsar makes the pixels square, so the video is stretched.`,
        fix: at.replace(`scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1`),
      };
    },
  },

  'squeezed-by-size': {
    finds: '`s` with a landscape size for a video that its file rotates to portrait, or the reverse',
    supersedes: ['non-square-pixels'],
    filesAndRun({ facts, pass }) {
      const key = ['s', 's:v', 's:v:0'].find((one) => facts.fieldOf(one) !== undefined);
      if (key === undefined || facts.graphs.some((graph) => !/^filter:a/.test(graph.key))) return [];
      const [found] = convertedStreams(pass).flatMap(({ input, from, to, copied }) =>
        from?.type !== 'video' || copied || to?.width === undefined || to.height === undefined
          ? []
          : (squeezed(facts, { input, stream: from }, to.width, to.height) ?? []),
      );
      if (found === undefined) return [];
      const { message, meant } = found;
      return { key, code: 'SQUEEZED', message, fix: sendOption(key, `${meant.w}x${meant.h}`) };
    },
  },

  /** ffmpeg scales all frames to the size of the first. */
  'varying-sizes': {
    finds: 'an input whose frames or images have different sizes',
    run({ facts, pass: { complaints, outputStreams } }) {
      if (facts.graphs.some(keepsShape)) return [];
      const scales = facts.hasOption(/^-(?:s|target)$/) || facts.usesFilter(RESIZING);
      const isComplex = facts.complexGraphs.length > 0;
      const [video, ...others] = ofKind(outputStreams, 'video');
      return complaints.frameSizes.flatMap(({ input, sizes }) => {
        const planned = facts.plan.inputs[input];
        const [first] = sizes;
        // In a complex graph, a video may be only a part of the frame, such as an overlay. It is then not stretched.
        if (planned === undefined || first === undefined || (planned.sequence === undefined && isComplex)) return [];
        const isStretched = sizes.some((size) => !isAlike(size.width / size.height, first.width / first.height));
        // If the request sets a size, report different sizes only if frames are stretched.
        if (scales && !isStretched) return [];
        const { width = first.width, height = first.height } = others.length === 0 ? (video ?? {}) : {};
        const texts = sizes.map((size) => `${size.width}x${size.height}`);
        const shown = texts.length > 4 ? `${texts.slice(0, 4).join(', ')}, …` : texts.join(', ');
        const what =
          planned.sequence === undefined
            ? `The frame size of "${planned.path}" changes during the video`
            : `The images of "${planned.path}" have different sizes`;
        return {
          field: planned.field,
          code: 'SIZE_CHANGED',
          message: `${what} (${shown}): ffmpeg scaled them to ${width}x${height}${scales ? '' : ', the size of the first'}${isStretched ? ', and stretched frames of another shape' : ''}.`,
          fix: isStretched
            ? fitFix(facts, { width, height })
            : `Send "vf": "scale=${width}:${height}" if this size is meant, or a larger one.`,
        };
      });
    },
  },

  'changed-size': {
    finds: 'a size that changed, although no option asks for it',
    run: ({ pass, options }) =>
      encodedStreams(pass, 'video').flatMap(({ from: { width, height }, to }): RunWarning | [] => {
        const isRotated = width === to.height && height === to.width;
        if (width === undefined || to.width === undefined || options.setsSize || isRotated) return [];
        if (width === to.width && height === to.height) return [];
        return {
          code: 'SIZE_CHANGED',
          message: `The frame size changed from ${width}x${height} to ${to.width}x${to.height}, although no option asks for it.`,
          fix: orElse(addOption('s', `${width}x${height}`), 'the other size if it is meant'),
        };
      }),
  },

  /** The encoder writes the requested level into the file, although the video exceeds it. */
  'exceeded-level': {
    finds: 'a `level` of H.264 that does not allow the size or the frame rate',
    run({ facts, pass: { complaints, outputStreams } }) {
      const { width, height, fps = 25 } = ofKind(outputStreams, 'video')[0] ?? {};
      const key = facts.firstOf('level', 'level:v');
      if (!complaints.exceedsLevel || key === undefined || width === undefined || height === undefined) return [];
      const level = (facts.argumentOf(key) ?? '').replace(/^(\d)(\d)$/, '$1.$2').replace(/\.0$/, '');
      const needed = lowestLevel({ width, height, fps })?.level;
      const name = facts.sentNameOf(key);
      const larger = needed === undefined ? leaveOut(name) : sendOption(name, needed);
      const smaller = filtersForLevel(level, { width, height, fps });
      return {
        key,
        code: 'LEVEL_EXCEEDED',
        message: `The level ${level} of H.264 does not allow ${width}x${height} with ${fps} frames per second and these settings. The file states this level all the same.`,
        fix: smaller === undefined ? larger : orElse(addOption('vf', smaller), larger),
      };
    },
  },

  /** ffmpeg already rotates the frames as the file asks, and the filter turns them again. */
  'rotated-twice': {
    finds: '`transpose` on a video that ffmpeg has rotated already, as its file asks',
    about: ['transpose'],
    filter(at) {
      const sized = at.sized();
      if (sized?.size.isRotated !== true) return undefined;
      return {
        code: 'ROTATED_TWICE',
        message: `${at.facts.pathOf(sized.source.input)} asks players to rotate it, and ffmpeg did that before the filter transpose, which turned it again.`,
        fix: at.others.length === 0 ? leaveOut('vf') : at.replace('null'),
      };
    },
  },
};
