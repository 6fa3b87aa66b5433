import { sendOption } from '../../domain/edit.ts';
import { RESIZING } from './filter-effects.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import {
  fieldOf,
  inputStream,
  type MediaFacts,
  optionValue,
  pathOf,
  pictureSize,
  type Source,
  sourceOf,
  withField,
} from './media-facts.ts';
import type { FilterCheck } from './time-checks.ts';

/**
 * A size across for a film that players show upright, or the other way round. A phone stores its pictures across and asks
 * players to turn them, which ffmpeg does first: so the size of the file is not the size of the picture.
 */
function squeezed(facts: MediaFacts, source: Source, width: number, height: number) {
  const size = pictureSize(facts, source);
  if (size?.isRotated !== true || size.width === size.height || width === height) return undefined;
  const [isUpright, isUprightAfter] = [size.width < size.height, width < height];
  if (isUpright === isUprightAfter || facts.argv.includes('-aspect')) return undefined;
  const [long, short] = [
    Math.max(width, height),
    Math.min(size.width, size.height) / Math.max(size.width, size.height),
  ];
  const side = 2 * Math.round((long * short) / 2);
  return {
    message: `${pathOf(facts, source.input)} is turned by 90 degrees, so its picture is ${size.width}x${size.height}: ${width}x${height} squeezes it.`,
    /** The size that is meant, in the shape of the picture. */
    meant: isUpright ? { w: side, h: long } : { w: long, h: side },
  };
}

/** Filters that set the shape of the pixels, with which players show a picture of another shape as it was. */
const PIXEL_SHAPES = /^(?:setsar|setdar)$/;

export const squeezedPicture: FilterCheck = (facts, graph, filter) => {
  const source = filter.name === 'scale' ? sourceOf(facts, graph, filter, 0, RESIZING) : undefined;
  if (source === undefined || graph.filters.some(({ name }) => PIXEL_SHAPES.test(name))) return undefined;
  const [width, height] = [optionValue(filter, 'w', 'width'), optionValue(filter, 'h', 'height')];
  const isFixed = /^\d{2,5}$/.test(width ?? '') && /^\d{2,5}$/.test(height ?? '');
  const keepsShape = !['0', 'disable', undefined].includes(optionValue(filter, 'force_original_aspect_ratio'));
  const found = isFixed && !keepsShape ? squeezed(facts, source, Number(width), Number(height)) : undefined;
  if (found === undefined) return undefined;
  return {
    code: 'SQUEEZED',
    message: found.message,
    fix: withFilter(facts, graph, filter, printChanged(filter, found.meant, ['width', 'height'])),
  };
};

/** A scale whose shape differs by this factor stretches what everybody sees. 4:3 in 16:9 is 1.33, which can be meant. */
const STRETCHED = 1.5;
/** Filters with which a stretched picture can be meant: a background. */
const FITTING = /^(?:pad|crop|overlay|split|gblur|boxblur|avgblur|smartblur)$/;

/** A scale to another shape, after which `setsar=1` says that the pixels are square: no player corrects it then. */
export const stretchedPicture: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'scale' || !graph.key.startsWith('filter:v') || graph.graph.chains.length > 1) return undefined;
  const source = sourceOf(facts, graph, filter, 0, RESIZING);
  const size = source && pictureSize(facts, source);
  const [width, height] = [optionValue(filter, 'w', 'width'), optionValue(filter, 'h', 'height')];
  const isFixed = /^\d{2,5}$/.test(width ?? '') && /^\d{2,5}$/.test(height ?? '');
  const squares = graph.filters
    .slice(graph.filters.indexOf(filter))
    .some((one) => one.name === 'setsar' && /^1(?:[:/]1)?$/.test(optionValue(one, 'sar', 'r', 'ratio') ?? ''));
  const keepsShape = !['0', 'disable', undefined].includes(optionValue(filter, 'force_original_aspect_ratio'));
  if (source === undefined || size === undefined || !isFixed || !squares || keepsShape) return undefined;
  if (graph.filters.some(({ name }) => FITTING.test(name)) || facts.argv.includes('-aspect')) return undefined;
  const pixel = facts.inputs[source.input]?.traits?.get(source.stream.index)?.pixelAspect ?? 1;
  const change = Number(width) / Number(height) / ((size.width / size.height) * (size.isRotated ? 1 / pixel : pixel));
  if (Math.max(change, 1 / change) < STRETCHED) return undefined;
  return {
    code: 'SQUEEZED',
    message: `The filter scale makes ${width}x${height} of ${size.width}x${size.height}, and setsar makes its pixels square: the picture is stretched.`,
    fix: withFilter(
      facts,
      graph,
      filter,
      `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1`,
    ),
  };
};

/** The same by the option `s`. */
export function squeezedBySize(facts: MediaFacts, { used, outputStreams }: ForeseenPass): readonly RunWarning[] {
  const key = ['s', 's:v', 's:v:0'].find((one) => fieldOf(facts, one) !== undefined);
  if (key === undefined || facts.graphs.some((graph) => !/^filter:a/.test(graph.key))) return [];
  for (const { input, stream, output, copied } of used) {
    const from = inputStream(facts, input, stream);
    const { width, height } = outputStreams.find(({ index }) => index === output) ?? {};
    if (from?.type !== 'video' || copied || width === undefined || height === undefined) continue;
    const found = squeezed(facts, { input, stream: from }, width, height);
    if (found === undefined) continue;
    const { message, meant } = found;
    return [withField(facts, key, { code: 'SQUEEZED', message, fix: sendOption(key, `${meant.w}x${meant.h}`) })];
  }
  return [];
}
