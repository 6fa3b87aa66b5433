/** A rectangle of a frame in pixels, from the upper left corner. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A corner of a region: which sides move with it. */
export interface Corner {
  readonly name: string;
  readonly side: 'left' | 'right';
  readonly edge: 'top' | 'bottom';
}

export const CORNERS: readonly Corner[] = [
  { name: 'Upper left corner', side: 'left', edge: 'top' },
  { name: 'Upper right corner', side: 'right', edge: 'top' },
  { name: 'Lower left corner', side: 'left', edge: 'bottom' },
  { name: 'Lower right corner', side: 'right', edge: 'bottom' },
];

/** The smallest width and height in pixels. Recipes allow no smaller region. */
const LEAST = 16;

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

const whole = ({ x, y, width, height }: Region): Region => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
});

/** The region within the frame. Values that are typed can be outside. */
export function boundedRegion({ x, y, width, height }: Region, frame: Size): Region {
  const left = clamp(x, 0, Math.max(0, frame.width - 1));
  const top = clamp(y, 0, Math.max(0, frame.height - 1));
  return { x: left, y: top, width: clamp(width, 1, frame.width - left), height: clamp(height, 1, frame.height - top) };
}

/** Moves a region within the frame. */
export const moveRegion = (region: Region, by: { readonly x: number; readonly y: number }, frame: Size): Region =>
  whole({
    ...region,
    x: clamp(region.x + by.x, 0, Math.max(0, frame.width - region.width)),
    y: clamp(region.y + by.y, 0, Math.max(0, frame.height - region.height)),
  });

/**
 * Moves a corner of a region. The opposite corner stays.
 *
 * @param aspect The width by the height that the region keeps. undefined: any.
 */
export function resizeRegion(
  region: Region,
  { side, edge }: Pick<Corner, 'side' | 'edge'>,
  by: { readonly x: number; readonly y: number },
  { frame, aspect }: { readonly frame: Size; readonly aspect?: number | undefined },
): Region {
  const [right, bottom] = [region.x + region.width, region.y + region.height];
  const room = {
    width: side === 'left' ? right : frame.width - region.x,
    height: edge === 'top' ? bottom : frame.height - region.y,
  };
  let width = clamp(region.width + (side === 'left' ? -by.x : by.x), Math.min(LEAST, room.width), room.width);
  let height = clamp(region.height + (edge === 'top' ? -by.y : by.y), Math.min(LEAST, room.height), room.height);
  if (aspect !== undefined) {
    // Follow the direction in which the pointer has moved further.
    const wanted = Math.abs(by.x) >= Math.abs(by.y) * aspect ? width : height * aspect;
    width = Math.min(wanted, room.width, room.height * aspect);
    height = width / aspect;
  }
  return whole({
    x: side === 'left' ? right - width : region.x,
    y: edge === 'top' ? bottom - height : region.y,
    width,
    height,
  });
}

/** Whether a region is the whole frame, so that it cannot be moved. */
export const isWhole = ({ width, height }: Region, frame: Size): boolean =>
  width >= frame.width && height >= frame.height;

type Point = { readonly x: number; readonly y: number };

/**
 * The region from one point to another, of which each may be the upper or lower, left or right one. Where the frame has too little room for
 * the smallest region, the first point is moved.
 */
export function drawRegion(
  from: Point,
  to: Point,
  { frame, aspect }: { readonly frame: Size; readonly aspect?: number | undefined },
): Region {
  const [side, edge] = [to.x < from.x ? 'left' : 'right', to.y < from.y ? 'top' : 'bottom'] as const;
  const anchor = (at: number, length: number, isBackward: boolean): number => {
    const least = Math.min(LEAST, length);
    return isBackward ? clamp(at, least, length) : clamp(at, 0, length - least);
  };
  const x = anchor(from.x, frame.width, side === 'left');
  const y = anchor(from.y, frame.height, edge === 'top');
  const by = { x: to.x - x, y: to.y - y };
  return resizeRegion({ x, y, width: 0, height: 0 }, { side, edge }, by, { frame, aspect });
}

/** The region with which keys begin: the middle of the frame. */
export const middleRegion = ({ width, height }: Size): Region =>
  whole({ x: width / 4, y: height / 4, width: width / 2, height: height / 2 });

/** The largest region with an aspect ratio that has the same middle and is not larger than the region. */
export function withAspect(region: Region, aspect: number): Region {
  const width = Math.min(region.width, region.height * aspect);
  const height = width / aspect;
  return whole({
    x: region.x + (region.width - width) / 2,
    y: region.y + (region.height - height) / 2,
    width,
    height,
  });
}
