import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { WrongNumber } from '@telecine/contract/domain/plan.ts';
import { changeFilters, type GraphFilter } from '../../filtergraph/graph.ts';
import { readNumber } from '../../values/number.ts';
import { evenBelow } from '../../values/size.ts';
import { noEffect, otherValue, type Rules } from '../contexts.ts';
import { printChanged, withFilter } from '../facts/graph-fixes.ts';
import { type FrameSize, optionValue } from '../facts/media-facts.ts';
import type { PlacedFilter } from '../facts/placed-filter.ts';
import { cropTooLarge, outsideFrame, padTooSmall } from '../failures/video-filters.ts';

type Names = Readonly<Record<string, number>>;

/** Returns the value of a number or of a simple expression with known names, such as `iw-100`. undefined: another expression. */
const numberIn = (text: string | undefined, names: Names = {}): number | undefined =>
  text === undefined ? undefined : readNumber(text, (name) => names[name]);

const namesBefore = ({ width, height }: FrameSize): Names => ({ iw: width, in_w: width, ih: height, in_h: height });

const namesAfter = (w: number, h: number): Names => ({ ow: w, out_w: w, oh: h, out_h: h });

const sidesOf = (at: PlacedFilter): readonly [width: string, height: string] =>
  at.name === 'crop'
    ? [at.option('out_w', 'w') ?? 'iw', at.option('out_h', 'h') ?? 'ih']
    : [at.option('width', 'w') ?? 'iw', at.option('height', 'h') ?? 'ih'];

/** Filters that combine several inputs into one video. */
const JOINING = /^(?:overlay|concat|xfade|[hvx]stack|blend)$/;

/** Explains a `delogo` whose area touches the edge of the frame. The filter needs pixels around it. */
function logoBeyond(at: PlacedFilter, size: FrameSize): Failure | undefined {
  const [x, y, w, h] = ['x', 'y', 'w', 'h'].map((name) => numberIn(at.option(name)));
  if (x === undefined || y === undefined || w === undefined || h === undefined) return undefined;
  const isInside = x > 0 && y > 0 && x + w < size.width && y + h < size.height;
  return isInside ? undefined : outsideFrame(at.facts, 'delogo');
}

/** Explains a `crop` larger than the frame, a `pad` smaller than it, or a `delogo` at its edge. ffmpeg fails with all three. */
export function croppedBeyond(at: PlacedFilter): Failure | undefined {
  if (!['crop', 'pad', 'delogo'].includes(at.name) || at.option('aspect') !== undefined) return undefined;
  const size = at.sized()?.size;
  if (size === undefined) return undefined;
  if (at.name === 'delogo') return logoBeyond(at, size);
  const [w, h] = sidesOf(at).map((side) => numberIn(side, namesBefore(size)));
  if (w === undefined || h === undefined || w <= 0 || h <= 0) return undefined;
  if (at.name === 'crop') return w > size.width || h > size.height ? cropTooLarge(at.facts, w, h) : undefined;
  return w < size.width || h < size.height ? padTooSmall(at.facts) : undefined;
}

/** True if two filters have the same `x` and `y`, such as a `crop` that cuts out a part and an `overlay` that puts it back. */
const isSamePlace = (one: GraphFilter, other: GraphFilter): boolean =>
  ['x', 'y'].every((name) => optionValue(one, name) === optionValue(other, name));

const NAMES: Readonly<Record<string, readonly string[]>> = { w: ['w', 'width'], h: ['h', 'height'] };

/** Returns the sides and offsets of a rectangle that differ between `sent` and `meant`, each with the names of its filter option. */
const wrongNumbers = (sent: Names, meant: Names): readonly WrongNumber[] =>
  Object.entries(sent).flatMap(([name, number]) => {
    const other = meant[name] ?? number;
    return other === number ? [] : [{ sent: number, meant: other, names: NAMES[name] ?? [name] }];
  });

/** Matches a side such as `iw*9/16`: a side of the frame, multiplied by an aspect ratio. */
const ASPECT_SHARE = /^(iw|in_w|ih|in_h)\*(9\/16|16\/9|21\/9|9\/21)$/;

const SAME_ASPECT = 0.02;

const CROP_SIZES: ReadonlySet<string> = new Set(['out_w', 'w', 'out_h', 'h']);

/** Prints the options of a `crop` other than its size, such as its position: `:x=10`. */
const placeOf = (filter: GraphFilter): string =>
  printChanged({ ...filter, options: filter.options.filter(({ key = '' }) => !CROP_SIZES.has(key)) }).replace(
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

export const BOUND_RULES: Rules = {
  'drawn-outside': {
    finds: 'an overlay, a text or a box that is drawn outside of the video',
    about: ['overlay', 'drawtext', 'drawbox'],
    filter(at) {
      const { graph, filter } = at;
      const below = at.sized();
      if (below === undefined) return undefined;
      const { width: W, height: H } = below.size;
      const isOverlay = at.name === 'overlay';
      const { width: w, height: h } = (isOverlay ? at.sized(1)?.size : undefined) ?? {};
      const names = {
        ...(isOverlay && { W, H, main_w: W, main_h: H }),
        ...(w !== undefined && h !== undefined && { w, h, overlay_w: w, overlay_h: h }),
      };
      const [x, y] = [numberIn(at.option('x'), names) ?? 0, numberIn(at.option('y'), names) ?? 0];
      const isBefore = w !== undefined && h !== undefined && (x + w <= 0 || y + h <= 0);
      if (x < W && y < H && !isBefore) return undefined;
      // If a `crop` cut this part out of the same video, that `crop` has its own warning.
      const part = isOverlay ? at.source(1, JOINING) : undefined;
      const isPart = part?.input === below.source.input && part.stream.index === below.source.stream.index;
      if (isPart && graph.filters.some((one) => one.name === 'crop' && isSamePlace(one, filter))) return undefined;
      return noEffect(
        `The filter ${at.name} draws at ${x},${y}, outside of the video, which is ${W}x${H}.`,
        isBefore ? `Send an "x" above -${w} and a "y" above -${h}.` : `Send an "x" below ${W} and a "y" below ${H}.`,
      );
    },
  },

  /** If a `crop` reaches beyond the frame, ffmpeg moves it inside, and so cuts out another part. */
  'moved-crop': {
    finds: 'a `crop` that reaches beyond the video, so that ffmpeg moves it',
    about: ['crop'],
    filter(at) {
      const { facts, graph, filter } = at;
      const size = at.sized()?.size;
      if (size === undefined) return undefined;
      const { width: W, height: H } = size;
      const [w, h] = sidesOf(at).map((side) => numberIn(side, namesBefore(size)));
      if (w === undefined || h === undefined || w > W || h > H || w <= 0 || h <= 0) return undefined;
      // Without a position, the crop is in the middle and is not moved. An expression with the time has no fixed number.
      const [x, y] = ['x', 'y'].map((name) =>
        numberIn(at.option(name) ?? '0', { ...namesBefore(size), ...namesAfter(w, h) }),
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
      const putBack = changeFilters(graph.graph, (one) => [isPutBack(one) ? withPlace(one, moved) : one]);
      return otherValue(
        `The filter crop takes ${w}x${h} at ${x},${y}, which is not inside of the video of ${W}x${H}: ffmpeg moves it to ${moved.x},${moved.y}.`,
        withFilter(facts, { ...graph, graph: putBack }, filter, printChanged(filter, changes, ['out_w', 'out_h'])),
        { numbers: wrongNumbers({ x, y, w, h }, inside) },
      );
    },
  },

  /** `crop=iw*9/16:ih` takes 9/16 of the width. This is 9:16 only if the frame is square. */
  'crop-aspect-ratio': {
    finds: 'a `crop` by a share of one side where an aspect ratio is meant',
    about: ['crop'],
    filter(at) {
      const size = at.sized()?.size;
      if (size === undefined) return undefined;
      const [w, h] = sidesOf(at);
      const [, ofWidth, wide] = ASPECT_SHARE.exec(w) ?? [];
      const [, ofHeight, high] = ASPECT_SHARE.exec(h) ?? [];
      const isWidth = /^i(?:w|n_w)$/.test(ofWidth ?? '') && /^(?:ih|in_h)$/.test(h);
      const isHeight = /^i(?:h|n_h)$/.test(ofHeight ?? '') && /^(?:iw|in_w)$/.test(w);
      const ratio = isWidth ? wide : isHeight ? high?.split('/').reverse().join('/') : undefined;
      const [a = 1, b = 1] = (ratio ?? '').split('/').map(Number);
      const [width, height] = [w, h].map((side) => numberIn(side, namesBefore(size)));
      if (ratio === undefined || width === undefined || height === undefined) return undefined;
      if (width > size.width || height > size.height || Math.abs(width / height / (a / b) - 1) < SAME_ASPECT)
        return undefined;
      // In a portrait video, `crop=iw:ih*9/16` makes a square, which is probably meant.
      if (isHeight && Math.abs(width / height - 1) < SAME_ASPECT) return undefined;
      return otherValue(
        `The filter crop takes ${Math.round(width)}x${Math.round(height)}, which is not ${a}:${b}: for that, the ${isWidth ? 'width must be a share of the height' : 'height must be a share of the width'}.`,
        at.replace(`crop=min(iw\\,ih*${a}/${b}):min(ih\\,iw*${b}/${a})${placeOf(at.filter)}`),
      );
    },
  },

  'centred-pad': {
    finds: 'a `pad` without room for the video at its position, so that ffmpeg centres it',
    about: ['pad'],
    filter(at) {
      const size = at.option('aspect') === undefined ? at.sized()?.size : undefined;
      if (size === undefined) return undefined;
      const { width: iw, height: ih } = size;
      const [w, h] = sidesOf(at).map((side) => numberIn(side, namesBefore(size)));
      const [width, height] = [w || iw, h || ih];
      const [x, y] = ['x', 'y'].map((name) =>
        numberIn(at.option(name) ?? '0', { ...namesBefore(size), ...namesAfter(width, height) }),
      );
      if (x === undefined || y === undefined || width < iw || height < ih) return undefined;
      if (x + iw <= width && y + ih <= height) return undefined;
      return otherValue(
        `The filter pad puts the video of ${iw}x${ih} at ${x},${y} of ${width}x${height}, where it has no room: ffmpeg centres it.`,
        at.change({
          ...(x + iw > width && { x: width - iw }),
          ...(y + ih > height && { y: height - ih }),
        }),
      );
    },
  },
};
