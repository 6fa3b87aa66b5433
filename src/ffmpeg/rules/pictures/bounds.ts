import type { Failure } from '../../../domain/failure.ts';
import type { WrongNumber } from '../../../domain/plan.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { changeFilters } from '../../filtergraph/graph.ts';
import { readNumber } from '../../values/number.ts';
import { evenBelow } from '../../values/size.ts';
import type { Rule } from '../contexts.ts';
import { printChanged, withFilter } from '../facts/graph-fixes.ts';
import { optionValue, RESIZING } from '../facts/media-facts.ts';
import type { PlacedFilter } from '../facts/placed-filter.ts';
import { cropTooLarge, outsidePicture, padTooSmall } from '../failures/pictures.ts';

/** The value of a number, or of a sum of numbers and sizes such as `iw-100`. undefined for any other expression. */
const numberIn = (text: string | undefined, sizes: Readonly<Record<string, number>> = {}): number | undefined =>
  text === undefined ? undefined : readNumber(text, (name) => sizes[name]);

/** Filters that draw at `x` and `y` on their first input. */
const DRAWING = /^(?:overlay|drawtext|drawbox)$/;

/** Filters after which a picture is no longer one of a single input. */
const JOINING = /^(?:overlay|concat|xfade|[hvx]stack|blend)$/;

const DRAWN_OUTSIDE: Rule = {
  id: 'drawn-outside',
  finds: 'an overlay, a text or a box that is drawn outside of the video',
  filter(at) {
    const { facts, graph, filter } = at;
    if (!DRAWING.test(at.name)) return undefined;
    const source = at.source(0, RESIZING);
    const size = source && facts.pictureSize(source);
    if (size === undefined) return undefined;
    const { width: W, height: H } = size;
    const drawn = at.name === 'overlay' ? at.source(1, RESIZING) : undefined;
    const { width: w, height: h } = (drawn && facts.pictureSize(drawn)) ?? {};
    const sizes = {
      ...(at.name === 'overlay' && { W, H, main_w: W, main_h: H }),
      ...(w !== undefined && h !== undefined && { w, h, overlay_w: w, overlay_h: h }),
    };
    const [x = 0, y = 0] = (['x', 'y'] as const).map((name) => numberIn(at.option(name), sizes));
    const isBefore = w !== undefined && h !== undefined && (x + w <= 0 || y + h <= 0);
    if (x < W && y < H && !isBefore) return undefined;
    // A part that is put back: the place is the one of the crop, which has a warning.
    const part = at.name === 'overlay' ? at.source(1, JOINING) : undefined;
    const isPart = part?.input === source?.input && part?.stream.index === source?.stream.index;
    if (isPart && graph.filters.some((one) => one.name === 'crop' && isSamePlace(one, filter))) return undefined;
    return {
      code: 'NO_EFFECT',
      message: `The filter ${at.name} draws at ${x},${y}, outside of the picture, which is ${W}x${H}.`,
      fix: isBefore ? `Send an "x" above -${w} and a "y" above -${h}.` : `Send an "x" below ${W} and a "y" below ${H}.`,
    };
  },
};

/** The failure of a `delogo` whose area has no pixel of the picture around it. */
function logoBeyond(at: PlacedFilter): Failure | undefined {
  const { facts } = at;
  const source = at.source(0, RESIZING);
  const size = source && facts.pictureSize(source);
  if (size === undefined) return undefined;
  const [x, y, w, h] = (['x', 'y', 'w', 'h'] as const).map((name) => numberIn(at.option(name)));
  if (x === undefined || y === undefined || w === undefined || h === undefined) return undefined;
  const isInside = x > 0 && y > 0 && x + w < size.width && y + h < size.height;
  return isInside ? undefined : outsidePicture(facts, 'delogo');
}

/** The failure of a `crop` that is larger than the picture, of a `pad` that is smaller, or of a `delogo` at the edge. */
export function croppedBeyond(at: PlacedFilter): Failure | undefined {
  const { facts } = at;
  if (at.name === 'delogo') return logoBeyond(at);
  const [isCrop, isPad] = [at.name === 'crop', at.name === 'pad' && at.option('aspect') === undefined];
  const source = isCrop || isPad ? at.source(0, RESIZING) : undefined;
  const size = source && facts.pictureSize(source);
  if (size === undefined) return undefined;
  const { width: iw, height: ih } = size;
  const sizes = { iw, in_w: iw, ih, in_h: ih };
  const names = isCrop ? (['out_w', 'out_h'] as const) : (['width', 'height'] as const);
  const w = numberIn(at.option(names[0], 'w') ?? 'iw', sizes);
  const h = numberIn(at.option(names[1], 'h') ?? 'ih', sizes);
  if (w === undefined || h === undefined || w <= 0 || h <= 0) return undefined;
  if (isCrop) return w > iw || h > ih ? cropTooLarge(facts, w, h) : undefined;
  return w < iw || h < ih ? padTooSmall(facts) : undefined;
}

/** Whether two filters name the same place: a `crop` cuts a part out, and an `overlay` puts it back. */
const isSamePlace = (one: GraphFilter, other: GraphFilter): boolean =>
  (['x', 'y'] as const).every((name) => optionValue(one, name) === optionValue(other, name));

/** ffmpeg moves a rectangle that is partly outside of the picture, and so cuts out another part of it. */
const MOVED_CROP: Rule = {
  id: 'moved-crop',
  finds: 'a `crop` that reaches beyond the video, so that ffmpeg moves it',
  filter(at) {
    const { facts, graph, filter } = at;
    if (at.name !== 'crop') return undefined;
    const source = at.source(0, RESIZING);
    const size = source && facts.pictureSize(source);
    if (size === undefined) return undefined;
    const { width: W, height: H } = size;
    const input = { iw: W, in_w: W, ih: H, in_h: H };
    const w = numberIn(at.option('out_w', 'w') ?? 'iw', input);
    const h = numberIn(at.option('out_h', 'h') ?? 'ih', input);
    if (w === undefined || h === undefined || w > W || h > H || w <= 0 || h <= 0) return undefined;
    const sizes = { ...input, ow: w, out_w: w, oh: h, out_h: h };
    // Without `x` and `y`, the middle is cut out. With an expression of the time, nothing is known.
    const [x, y] = (['x', 'y'] as const).map((name) =>
      at.option(name) === undefined ? 0 : numberIn(at.option(name), sizes),
    );
    if (x === undefined || y === undefined) return undefined;
    const moved = { x: Math.min(Math.max(0, x), W - w), y: Math.min(Math.max(0, y), H - h) };
    if (moved.x === x && moved.y === y) return undefined;
    const isOutside = x >= W - 1 || y >= H - 1 || x < 0 || y < 0;
    const inside = isOutside
      ? { ...moved, w, h }
      : { w: evenBelow(Math.min(w, W - x)), h: evenBelow(Math.min(h, H - y)) };
    const changes = Object.fromEntries(
      Object.entries(inside).filter(([name]) => /^[wh]$/.test(name) || at.option(name) !== undefined),
    );
    const isPutBack = (one: GraphFilter): boolean => isOutside && one.name === 'overlay' && isSamePlace(one, filter);
    const putBack = {
      ...graph,
      graph: changeFilters(graph.graph, (one) => [isPutBack(one) ? withPlace(one, moved) : one]),
    };
    return {
      code: 'OTHER_VALUE',
      message: `The filter crop takes ${w}x${h} at ${x},${y}, which is not inside of the picture of ${W}x${H}: ffmpeg moves it to ${moved.x},${moved.y}.`,
      fix: withFilter(facts, putBack, filter, printChanged(filter, changes, ['out_w', 'out_h'])),
      numbers: wrongNumbers({ x, y, w, h }, inside),
    };
  },
};

const NAMES: Readonly<Record<string, readonly string[]>> = { w: ['w', 'width'], h: ['h', 'height'] };

/** The changed sides and offsets of a rectangle, as options of its filter. */
const wrongNumbers = (
  sent: Readonly<Record<string, number>>,
  meant: Readonly<Record<string, number>>,
): readonly WrongNumber[] =>
  Object.entries(sent).flatMap(([name, number]) => {
    const other = meant[name] ?? number;
    return other === number ? [] : [{ sent: number, meant: other, names: NAMES[name] ?? [name] }];
  });

/** A share of one side that only an aspect ratio has. */
const ASPECT_SHARE = /^(iw|in_w|ih|in_h)\*(9\/16|16\/9|21\/9|9\/21)$/;

/** `crop=iw*9/16:ih` takes a share of the width, which is the aspect ratio only of a square picture. */
const CROP_ASPECT_RATIO: Rule = {
  id: 'crop-aspect-ratio',
  finds: 'a `crop` by a share of one side where an aspect ratio is meant',
  filter(at) {
    const { facts, filter } = at;
    if (at.name !== 'crop') return undefined;
    const source = at.source(0, RESIZING);
    const size = source && facts.pictureSize(source);
    if (size === undefined) return undefined;
    const [w, h] = [at.option('out_w', 'w') ?? 'iw', at.option('out_h', 'h') ?? 'ih'];
    const [, ofWidth, wide] = ASPECT_SHARE.exec(w) ?? [];
    const [, ofHeight, high] = ASPECT_SHARE.exec(h) ?? [];
    const isWidth = /^i(?:w|n_w)$/.test(ofWidth ?? '') && /^(?:ih|in_h)$/.test(h);
    const isHeight = /^i(?:h|n_h)$/.test(ofHeight ?? '') && /^(?:iw|in_w)$/.test(w);
    const ratio = isWidth ? wide : isHeight ? high?.split('/').reverse().join('/') : undefined;
    const [a = 1, b = 1] = (ratio ?? '').split('/').map(Number);
    const [width, height] = [w, h].map((side) =>
      numberIn(side, { iw: size.width, in_w: size.width, ih: size.height, in_h: size.height }),
    );
    if (ratio === undefined || width === undefined || height === undefined) return undefined;
    if (width > size.width || height > size.height || Math.abs(width / height / (a / b) - 1) < SAME_ASPECT)
      return undefined;
    // Of an upright film, the share of the height makes a square, which is probably meant.
    if (isHeight && Math.abs(width / height - 1) < SAME_ASPECT) return undefined;
    return {
      code: 'OTHER_VALUE',
      message: `The filter crop takes ${Math.round(width)}x${Math.round(height)}, which is not ${a}:${b}: it takes a share of the ${isWidth ? 'width' : 'height'}.`,
      fix: at.replace(`crop=min(iw\\,ih*${a}/${b}):min(ih\\,iw*${b}/${a})${placeOf(filter)}`),
    };
  },
};

const SAME_ASPECT = 0.02;

const CROP_SIZES: ReadonlySet<string> = new Set(['out_w', 'w', 'out_h', 'h']);

/** The options of a `crop` but for its size, such as where it cuts, to print after another size. */
const placeOf = (filter: GraphFilter): string =>
  printChanged({ ...filter, options: filter.options.filter(({ key = '' }) => !CROP_SIZES.has(key)) }, {}).replace(
    /^crop=?/,
    (name) => (name === 'crop=' ? ':' : ''),
  );

const withPlace = (filter: GraphFilter, { x, y }: { readonly x: number; readonly y: number }): GraphFilter => ({
  ...filter,
  options: [
    ...filter.options.filter(({ key }) => key !== 'x' && key !== 'y'),
    { key: 'x', value: String(x) },
    { key: 'y', value: String(y) },
  ],
});

/** ffmpeg centres a picture that does not fit at its place in a larger one. */
const CENTRED_PAD: Rule = {
  id: 'centred-pad',
  finds: 'a `pad` without room for the video at its position, so that ffmpeg centres it',
  filter(at) {
    const { facts } = at;
    if (at.name !== 'pad' || at.option('aspect') !== undefined) return undefined;
    const source = at.source(0, RESIZING);
    const size = source && facts.pictureSize(source);
    if (size === undefined) return undefined;
    const { width: iw, height: ih } = size;
    const input = { iw, in_w: iw, ih, in_h: ih };
    const w = numberIn(at.option('width', 'w') ?? 'iw', input) || iw;
    const h = numberIn(at.option('height', 'h') ?? 'ih', input) || ih;
    const sizes = { ...input, ow: w, out_w: w, oh: h, out_h: h };
    const x = numberIn(at.option('x') ?? '0', sizes);
    const y = numberIn(at.option('y') ?? '0', sizes);
    if (x === undefined || y === undefined || w < iw || h < ih) return undefined;
    if (x + iw <= w && y + ih <= h) return undefined;
    const changes = {
      ...(x + iw > w && { x: w - iw }),
      ...(y + ih > h && { y: h - ih }),
    };
    return {
      code: 'OTHER_VALUE',
      message: `The filter pad puts the picture of ${iw}x${ih} at ${x},${y} of ${w}x${h}, where it has no room: ffmpeg centres it.`,
      fix: at.change(changes),
    };
  },
};

export const BOUND_RULES: readonly Rule[] = [DRAWN_OUTSIDE, MOVED_CROP, CROP_ASPECT_RATIO, CENTRED_PAD];
