import type { GraphFilter } from '../../filtergraph/graph.ts';
import { evenBelow } from '../../values/size.ts';
import { type FrameSize, type MediaFacts, optionValue, type Source } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';
import { ffmpegFailure, type MediaFailure } from './media-failure.ts';

/** Finds a filter whose name occurs once in its graph, with the stream that reaches it and its frame size. */
function sizedFilter(facts: MediaFacts, name: string) {
  const found = filtersIn(facts, name).filter((at) => at.others.every((one) => one.name !== name));
  for (const at of found) {
    const sized = at.sized();
    if (sized !== undefined) return { at, ...sized };
  }
  return undefined;
}

const sizeText = (facts: MediaFacts, { input }: Source, { width, height, isRotated }: FrameSize): string =>
  `${width}x${height}${isRotated ? ` (${facts.pathOf(input)} holds ${height}x${width} and asks players to rotate it)` : ''}`;

type Size = Pick<FrameSize, 'width' | 'height'>;

export function cropTooLarge(facts: MediaFacts, width: number, height: number): MediaFailure | undefined {
  const { at, source, size } = sizedFilter(facts, 'crop') ?? {};
  if (at === undefined || source === undefined || size === undefined) return undefined;
  const place = [at.option('x'), at.option('y')];
  const inOrder = sizeBeforePlace(width, height, place, size);
  const [a = '', b = ''] = sidesOf(at.filter);
  // `crop=1:1` is meant as an aspect ratio. The encoder or the filter rejects a frame of one pixel.
  const isRatio = /^[1-9]\d?:[1-9]\d?$/.test(`${a}:${b}`) && place.every((one) => one === undefined);
  const ratio = isRatio ? `crop=min(iw\\,ih*${a}/${b}):min(ih\\,iw*${b}/${a})` : undefined;
  const asked = { width, height };
  return ffmpegFailure(
    `The filter crop cannot cut ${width}x${height} out of the video, which is ${sizeText(facts, source, size)}.${inOrder === undefined ? '' : ' Its values are width, height, x and y, in this order.'}`,
    at.replace(inOrder ?? ratio ?? filledCrop(at, asked, size) ?? insideCrop(at, asked, size)),
  );
}

const sidesOf = (crop: GraphFilter): readonly string[] =>
  [optionValue(crop, 'out_w', 'w'), optionValue(crop, 'out_h', 'h')].map((side) => side ?? '');

/** Returns filters that scale and crop, if the client sent the output size: 1080x1920 for a 1920x1080 video. undefined: otherwise. */
function filledCrop(at: PlacedFilter, { width, height }: Size, size: FrameSize): string | undefined {
  const isWhole = width >= size.width && height >= size.height;
  const isOutput = isWhole || width > size.width !== height > size.height;
  const place = [at.option('x'), at.option('y')].filter((one) => one !== undefined);
  // After the scaling, a fixed position is wrong. Expressions with the frame size, such as `(iw-ow)/2`, stay right.
  const isOpen =
    sidesOf(at.filter).every((side) => /^\d+$/.test(side)) &&
    place.every((one) => /^(?:0|[^,]*(?:i[wh]|in_[wh])[^,]*)$/.test(one));
  return isOutput && isOpen && width > 0 && height > 0 && !size.isRotated
    ? `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${[width, height, ...place].join(':')}`
    : undefined;
}

function insideCrop(at: PlacedFilter, asked: Size, size: FrameSize): string {
  const { width, height } = asked;
  const isTurned = size.isRotated && width <= size.height && height <= size.width && width > 0 && height > 0;
  const [w, h] = isTurned ? [height, width] : largestInside(asked, size, at.filter);
  const [left, top] = isTurned ? [at.option('y'), at.option('x')] : [at.option('x'), at.option('y')];
  const fits = (offset: string | undefined, room: number): readonly string[] =>
    offset !== undefined && /^\d+$/.test(offset) && Number(offset) <= room ? [offset] : [];
  const x = fits(left, size.width - w);
  const sides = w > 0 && h > 0 ? [w, h] : ['iw', 'ih'];
  return `crop=${[...sides, ...x, ...(x.length === 0 ? [] : fits(top, size.height - h))].join(':')}`;
}

/** Returns the largest size of a crop that fits into a frame. If one side is a share of the other (`crop=iw:iw*16/9`), keeps this ratio. */
function largestInside(asked: Size, size: Size, filter: GraphFilter): readonly [width: number, height: number] {
  const sides = sidesOf(filter);
  const isRatio = ['iw|in_w', 'ih|in_h'].some(
    (name) =>
      sides.some((side) => new RegExp(`^(?:${name})$`).test(side)) &&
      sides.some((side) => new RegExp(`^(?:${name})\\s*[*/]`).test(side)),
  );
  const factor = Math.min(size.width / asked.width, size.height / asked.height);
  const [w, h] = isRatio
    ? [asked.width * factor, asked.height * factor]
    : [Math.min(asked.width, size.width), Math.min(asked.height, size.height)];
  return [wholeSide(w), wholeSide(h)];
}

const wholeSide = (side: number): number => (Number.isInteger(side) ? side : evenBelow(side));

/** Returns the crop with its values in order, if the client sent the position first: `crop=0:0:640:360`. undefined: another mistake. */
function sizeBeforePlace(x: number, y: number, written: readonly (string | undefined)[], size: Size) {
  const [width, height] = written.map((text) => (text !== undefined && /^\d+$/.test(text) ? Number(text) : 0));
  const isPlace = x >= 0 && y >= 0 && (x === 0 || y === 0);
  if (!isPlace || !width || !height || x + width > size.width || y + height > size.height) return undefined;
  return `crop=${width}:${height}:${x}:${y}`;
}

export function padTooSmall(facts: MediaFacts): MediaFailure | undefined {
  const sized = sizedFilter(facts, 'pad');
  const [pad, ...others] = sized === undefined ? filtersIn(facts, 'pad') : [sized.at];
  const [w, h] = [pad?.option('width', 'w'), pad?.option('height', 'h')];
  if (pad === undefined || others.length > 0 || !/^\d+x\d+$/.test(`${w}x${h}`)) return undefined;
  const is = sized === undefined ? '' : `it is ${sizeText(facts, sized.source, sized.size)}, and `;
  return ffmpegFailure(
    `The filter pad cannot make the video smaller: ${is}the padded size is ${w}x${h}.`,
    pad.replace(`scale=${w}:${h}:force_original_aspect_ratio=decrease,pad=${w}:${h}:(ow-iw)/2:(oh-ih)/2`),
  );
}

export function outsideFrame(facts: MediaFacts, name: string): MediaFailure | undefined {
  const { at, source, size } = sizedFilter(facts, name) ?? {};
  if (at === undefined || source === undefined || size === undefined) return undefined;
  const number = (option: string): number => Number(at.option(option) ?? Number.NaN);
  const [w, h] = [Math.min(number('w'), size.width - 2), Math.min(number('h'), size.height - 2)];
  const x = Math.min(Math.max(1, number('x')), size.width - w - 1);
  const y = Math.min(Math.max(1, number('y')), size.height - h - 1);
  if (![w, h, x, y].every((value) => Number.isInteger(value) && value > 0)) return undefined;
  return ffmpegFailure(
    `The area of the filter ${name} is not inside the video, which is ${sizeText(facts, source, size)}.`,
    at.change({ x, y, w, h }),
  );
}
