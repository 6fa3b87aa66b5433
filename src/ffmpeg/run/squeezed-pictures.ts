import { RESIZING } from './filter-effects.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
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

/** The same by the option `s`. */
export function squeezedBySize(facts: MediaFacts, { used, outputStreams }: FinishedPass): readonly RunWarning[] {
  const key = ['s', 's:v', 's:v:0'].find((one) => fieldOf(facts, one) !== undefined);
  if (key === undefined || facts.graphs.some((graph) => !/^filter:a/.test(graph.key))) return [];
  for (const { input, stream, output, copied } of used) {
    const from = inputStream(facts, input, stream);
    const { width, height } = outputStreams.find(({ index }) => index === output) ?? {};
    if (from?.type !== 'video' || copied || width === undefined || height === undefined) continue;
    const found = squeezed(facts, { input, stream: from }, width, height);
    if (found === undefined) continue;
    const { message, meant } = found;
    return [withField(facts, key, { code: 'SQUEEZED', message, fix: `Send "${key}": "${meant.w}x${meant.h}".` })];
  }
  return [];
}
