import { evenBelow } from '../values/even.ts';
import { readNumber } from '../values/number.ts';
import { RESIZING } from './filter-effects.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import { optionValue, pictureSize, sourceOf } from './media-facts.ts';
import type { FilterCheck } from './time-checks.ts';

/** The value of a number, or of a sum of numbers and sizes such as `iw-100`. undefined for any other expression. */
const numberIn = (text: string | undefined, sizes: Readonly<Record<string, number>> = {}): number | undefined =>
  text === undefined ? undefined : readNumber(text, (name) => sizes[name]);

/** Filters that draw at `x` and `y` on their first input. */
const DRAWING = /^(?:overlay|drawtext|drawbox)$/;

/** A picture, a text or a box that is drawn outside of the film. */
export const outsidePicture: FilterCheck = (facts, graph, filter) => {
  if (!DRAWING.test(filter.name)) return undefined;
  const source = sourceOf(facts, graph, filter, 0, RESIZING);
  const size = source && pictureSize(facts, source);
  if (size === undefined) return undefined;
  const { width: W, height: H } = size;
  const drawn = filter.name === 'overlay' ? sourceOf(facts, graph, filter, 1, RESIZING) : undefined;
  const { width: w, height: h } = (drawn && pictureSize(facts, drawn)) ?? {};
  const sizes = {
    ...(filter.name === 'overlay' && { W, H, main_w: W, main_h: H }),
    ...(w !== undefined && h !== undefined && { w, h, overlay_w: w, overlay_h: h }),
  };
  const [x = 0, y = 0] = (['x', 'y'] as const).map((name) => numberIn(optionValue(filter, name), sizes));
  const isBefore = w !== undefined && h !== undefined && (x + w <= 0 || y + h <= 0);
  if (x < W && y < H && !isBefore) return undefined;
  return {
    code: 'NO_EFFECT',
    message: `The filter ${filter.name} draws at ${x},${y}, outside of the picture, which is ${W}x${H}.`,
    fix: isBefore ? `Send an "x" above -${w} and a "y" above -${h}.` : `Send an "x" below ${W} and a "y" below ${H}.`,
  };
};

/** ffmpeg moves a rectangle that is partly outside of the picture, and so cuts out another part of it. */
export const movedCrop: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'crop') return undefined;
  const source = sourceOf(facts, graph, filter, 0, RESIZING);
  const size = source && pictureSize(facts, source);
  if (size === undefined) return undefined;
  const { width: W, height: H } = size;
  const input = { iw: W, in_w: W, ih: H, in_h: H };
  const w = numberIn(optionValue(filter, 'out_w', 'w') ?? 'iw', input);
  const h = numberIn(optionValue(filter, 'out_h', 'h') ?? 'ih', input);
  if (w === undefined || h === undefined || w > W || h > H || w <= 0 || h <= 0) return undefined;
  const sizes = { ...input, ow: w, out_w: w, oh: h, out_h: h };
  // Without `x` and `y`, the middle is cut out. With an expression of the time, nothing is known.
  const [x, y] = (['x', 'y'] as const).map((name) =>
    optionValue(filter, name) === undefined ? 0 : numberIn(optionValue(filter, name), sizes),
  );
  if (x === undefined || y === undefined) return undefined;
  const moved = { x: Math.min(Math.max(0, x), W - w), y: Math.min(Math.max(0, y), H - h) };
  if (moved.x === x && moved.y === y) return undefined;
  const isOutside = x >= W - 1 || y >= H - 1 || x < 0 || y < 0;
  const inside = isOutside
    ? { ...moved, w, h }
    : { w: evenBelow(Math.min(w, W - x)), h: evenBelow(Math.min(h, H - y)) };
  const changes = Object.fromEntries(
    Object.entries(inside).filter(([name]) => /^[wh]$/.test(name) || optionValue(filter, name) !== undefined),
  );
  return {
    code: 'OTHER_VALUE',
    message: `The filter crop takes ${w}x${h} at ${x},${y}, which is not inside of the picture of ${W}x${H}: ffmpeg moved it to ${moved.x},${moved.y}.`,
    fix: withFilter(facts, graph, filter, printChanged(filter, changes, ['out_w', 'out_h'])),
  };
};

/** ffmpeg centres a picture that does not fit at its place in a larger one. */
export const centredPad: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'pad' || optionValue(filter, 'aspect') !== undefined) return undefined;
  const source = sourceOf(facts, graph, filter, 0, RESIZING);
  const size = source && pictureSize(facts, source);
  if (size === undefined) return undefined;
  const { width: iw, height: ih } = size;
  const input = { iw, in_w: iw, ih, in_h: ih };
  const w = numberIn(optionValue(filter, 'width', 'w') ?? 'iw', input) || iw;
  const h = numberIn(optionValue(filter, 'height', 'h') ?? 'ih', input) || ih;
  const sizes = { ...input, ow: w, out_w: w, oh: h, out_h: h };
  const x = numberIn(optionValue(filter, 'x') ?? '0', sizes);
  const y = numberIn(optionValue(filter, 'y') ?? '0', sizes);
  if (x === undefined || y === undefined || w < iw || h < ih) return undefined;
  if (x + iw <= w && y + ih <= h) return undefined;
  const changes = {
    ...(x + iw > w && { x: w - iw }),
    ...(y + ih > h && { y: h - ih }),
  };
  return {
    code: 'OTHER_VALUE',
    message: `The filter pad puts the picture of ${iw}x${ih} at ${x},${y} of ${w}x${h}, where it has no room: ffmpeg centred it.`,
    fix: withFilter(facts, graph, filter, printChanged(filter, changes)),
  };
};
