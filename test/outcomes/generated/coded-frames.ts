/** Frames that carry their number and show how they are turned, so that a decoded frame tells which frame of the source it is. */

/** The size in which decoded frames are read. */
export const READ_WIDTH = 160;
export const READ_HEIGHT = 96;

/** Bits of the number, and one for their parity. */
const BITS = 8;
const BLOCKS = BITS + 1;
/** The rows of the blocks, as shares of the height. */
const [TOP, BOTTOM] = [0.4, 0.6] as const;
/** The sides of a corner, as a share of the frame. */
const CORNER = 0.2;

type Colour = readonly [red: number, green: number, blue: number];
const WHITE: Colour = [235, 235, 235];
const BLACK: Colour = [20, 20, 20];
const GROUND: Colour = [120, 120, 120];
/** Clockwise from the top left. */
const CORNERS: readonly Colour[] = [
  [220, 30, 30],
  [30, 200, 30],
  [40, 40, 220],
  [220, 210, 40],
];

const bitsOf = (frame: number): readonly boolean[] => {
  const bits = Array.from({ length: BITS }, (_, bit) => ((frame >> bit) & 1) === 1);
  return [...bits, bits.filter(Boolean).length % 2 === 1];
};

function colourAt(bits: readonly boolean[], x: number, y: number): Colour {
  if (y >= TOP && y < BOTTOM) return bits[Math.floor(x * BLOCKS)] === true ? WHITE : BLACK;
  const [isLeft, isRight, isTop, isBottom] = [x < CORNER, x >= 1 - CORNER, y < CORNER, y >= 1 - CORNER];
  const corner = isTop ? (isLeft ? 0 : isRight ? 1 : -1) : isBottom ? (isRight ? 2 : isLeft ? 3 : -1) : -1;
  return CORNERS[corner] ?? GROUND;
}

/** Where a point of an upright frame is after quarter turns clockwise. Coordinates are shares of the width and the height. */
const TURNS: readonly ((x: number, y: number) => readonly [x: number, y: number])[] = [
  (x, y) => [x, y],
  (x, y) => [1 - y, x],
  (x, y) => [1 - x, 1 - y],
  (x, y) => [y, 1 - x],
];
const turn = (turns: number, x: number, y: number) => (TURNS[turns] ?? TURNS[0])?.(x, y) ?? ([x, y] as const);

/** Draws a frame as RGBA bytes, which is upright after quarter turns clockwise. Its ground may be transparent. */
export function drawFrame(frame: number, width: number, height: number, turns: number, isTransparent = false): Buffer {
  const bits = bitsOf(frame);
  const bytes = Buffer.alloc(width * height * 4);
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const colour = colourAt(bits, ...turn(turns, (x + 0.5) / width, (y + 0.5) / height));
      for (const value of colour) bytes[at++] = value;
      bytes[at++] = isTransparent && colour === GROUND ? 0 : 255;
    }
  return bytes;
}

/** What a decoded frame shows. */
export interface SeenFrame {
  /** undefined: no number can be read. */
  readonly number: number | undefined;
  /** By how many quarter turns clockwise it is turned. undefined: the corners are not those of a source. */
  readonly turns: number | undefined;
  /** The greatest distance of a corner from its colour, in steps of 255. */
  readonly colourError: number;
  /** Whether its ground is transparent. */
  readonly isTransparent: boolean;
  /** The green of upright points, row by row, to compare frames. */
  readonly greens: readonly number[];
}

/** Reads the number, the turns and the colours of a decoded frame of `READ_WIDTH` by `READ_HEIGHT` in RGBA. */
export function readFrame(bytes: Buffer): SeenFrame {
  const placeOf = (x: number, y: number): number =>
    (Math.floor(y * READ_HEIGHT) * READ_WIDTH + Math.floor(x * READ_WIDTH)) * 4;
  const at = (x: number, y: number): Colour => {
    const place = placeOf(x, y);
    return [bytes[place] ?? 0, bytes[place + 1] ?? 0, bytes[place + 2] ?? 0];
  };
  const middle = CORNER / 2;
  const corners = [at(middle, middle), at(1 - middle, middle), at(1 - middle, 1 - middle), at(middle, 1 - middle)];
  const errors = CORNERS.map((_, turns) =>
    Math.max(...corners.map((seen, corner) => distance(seen, CORNERS[(corner + 4 - turns) % 4] ?? GROUND))),
  );
  const colourError = Math.min(...errors);
  const turns = errors.indexOf(colourError);
  return {
    number: numberIn((x, y) => at(...turn(turns, x, y))),
    turns: colourError > UNLIKE ? undefined : turns,
    colourError,
    isTransparent: (bytes[placeOf(0.5, 0.1) + 3] ?? 255) < 128,
    greens: Array.from({ length: GRID * GRID }, (_, point) => {
      const [x, y] = [((point % GRID) + 0.5) / GRID, (Math.floor(point / GRID) + 0.5) / GRID];
      return at(...turn(turns, x, y))[1];
    }),
  };
}

/** The points of a row and of a column that are compared, and the side of the windows in which they are. */
export const GRID = 48;
export const WINDOW = 8;
/** The constants of SSIM for values up to 255. */
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2] as const;

type Numbers = ArrayLike<number>;

export function mean(all: Numbers): number {
  let sum = 0;
  for (let at = 0; at < all.length; at += 1) sum += all[at] ?? 0;
  return sum / Math.max(1, all.length);
}

export function covariance(one: Numbers, other: Numbers): number {
  const [a, b] = [mean(one), mean(other)];
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += ((one[at] ?? 0) - a) * ((other[at] ?? 0) - b);
  return sum / Math.max(1, one.length);
}

/** The structural similarity of `GRID` by `GRID` values up to 255: 1 if they are equal. */
export function similarityOf(one: Numbers, other: Numbers): number {
  const windows = Array.from({ length: (GRID / WINDOW) ** 2 }, (_, window) => {
    const [left, top] = [(window * WINDOW) % GRID, Math.floor((window * WINDOW) / GRID) * WINDOW];
    const windowOf = (all: Numbers): readonly number[] =>
      Array.from(
        { length: WINDOW ** 2 },
        (_point, point) => all[(top + Math.floor(point / WINDOW)) * GRID + left + (point % WINDOW)] ?? 0,
      );
    const [a, b] = [windowOf(one), windowOf(other)];
    const [meanA, meanB] = [mean(a), mean(b)];
    const each = covariance(a, a) + covariance(b, b);
    return ((2 * meanA * meanB + C1) * (2 * covariance(a, b) + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (each + C2));
  });
  return mean(windows);
}

/** A corner that differs more from a colour does not have that colour. */
const UNLIKE = 90;

function numberIn(at: (x: number, y: number) => Colour): number | undefined {
  const lumas = Array.from({ length: BLOCKS }, (_, block) => {
    const [, green] = at((block + 0.5) / BLOCKS, (TOP + BOTTOM) / 2);
    return green;
  });
  const bits = lumas.map((luma) => luma > GROUND[1]);
  const number = bits.slice(0, BITS).reduce((sum, bit, place) => sum + (bit ? 1 << place : 0), 0);
  return bitsOf(number).at(-1) === bits.at(-1) ? number : undefined;
}

const distance = (one: Colour, other: Colour): number =>
  Math.max(...one.map((value, channel) => Math.abs(value - (other[channel] ?? 0))));
