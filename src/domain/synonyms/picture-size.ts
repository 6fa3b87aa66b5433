import type { Members } from '../members.ts';

/** What people mean by the size of a picture: one side of it, or both with how the picture fits into them. */

/** A side that follows from the other: `640x?`, `640x-`, `640x-1`, `autox480`. */
const OPEN = '(?:-[12]?|\\?|auto|_)';

/** A width whose height follows. The first group is the width. */
export const WIDTH_ALONE = new RegExp(`^(\\d{2,5})(?:px|w)?\\s*[x×*:,]\\s*${OPEN}?$`, 'i');

/** A height whose width follows. The first group is the height. */
export const HEIGHT_ALONE = new RegExp(`^${OPEN}?\\s*[x×*:,]\\s*(\\d{2,5})(?:px|p|h)?$`, 'i');

/** Names under which other services say how a picture fits into a size. */
export const FIT_NAME =
  /^(?:crop|fit|mode|c|crop_?mode|fit_?mode|scale_?mode|resize_?(?:mode|strategy)|scaling_?behavior)$/i;

/** What other services call the side from which they cut. With a number, `g` is the distance of key frames instead. */
export const GRAVITY_NAME = /^g(?:ravity)?$/i;

/** The `x:y` of "crop" or "pad". The smaller picture is in the middle, unless the gravity names a side. */
function placeOf(gravity: string, isCut: boolean): string {
  const [wide, high] = isCut ? ['iw-ow', 'ih-oh'] : ['ow-iw', 'oh-ih'];
  const at = (first: RegExp, last: RegExp, room: string): string =>
    first.test(gravity) ? '0' : last.test(gravity) ? room : `(${room})/2`;
  const place = `${at(/west|left/i, /east|right/i, wide)}:${at(/north|top/i, /south|bottom/i, high)}`;
  return isCut && place === '(iw-ow)/2:(ih-oh)/2' ? '' : `:${place}`;
}

/** The filters that scale a picture to at least `scaled`, and cut it to `size`. */
export const cutFromSize = (scaled: string, size: string, gravity: string): string =>
  `scale=${scaled}:force_original_aspect_ratio=increase,crop=${size}${placeOf(gravity, true)}`;
/** The filters that scale a picture to at most `scaled`, and put bars around it up to `size`. */
export const paddedToSize = (scaled: string, size: string, gravity: string): string =>
  `scale=${scaled}:force_original_aspect_ratio=decrease,pad=${size}${placeOf(gravity, false)}`;

/**
 * The filters for a width and height, and for how the picture fits: cut, with bars, or inside. undefined for other modes.
 *
 * @param gravity Which part is kept, or where the picture is between bars: `north_west`.
 */
export function fittedSize(width: string, height: string, mode: string, gravity = ''): string | undefined {
  if (![width, height].every((side) => /^\d{1,5}$/.test(side))) return undefined;
  const size = `${width}:${height}`;
  if (/^(?:l?fill|thumb|cover|crop|fillcrop|fill_?and_?crop|outside)$/i.test(mode))
    return cutFromSize(size, size, gravity);
  if (/pad$|^(?:letterbox|bars)$/i.test(mode)) return paddedToSize(size, size, gravity);
  if (/^(?:l?fit|m?fit|limit|inside|contain|min_?fit|max|preserve)$/i.test(mode))
    return `scale=${size}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  return mode === '' || /^(?:scale|stretch(?:_?to_?output)?|exact|distort)$/i.test(mode) ? `scale=${size}` : undefined;
}

/** The same for the members of an object. undefined if it has not both sides, or if its mode is not known. */
export function fittedSizeOf(step: Members): string | undefined {
  const of = (word: RegExp): string => {
    const [, found] = Object.entries(step).find(([key]) => word.test(key)) ?? [];
    return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  };
  return fittedSize(of(/^w(?:idth)?$/i), of(/^h(?:eight)?$/i), of(FIT_NAME), of(GRAVITY_NAME));
}

/** What other services call the steps of a conversion. */
export const STEPS =
  /^(?:transformations?|transforms?|steps|operations|pipeline|actions|tasks|effects?|fx|eager|edits?|manipulations?)$/i;

/** A step of Cloudinary as text, `c_fill,w_300,h_200`, as an object. undefined for other texts. */
export function stepOfText(text: string): Members | undefined {
  const parts = text.split(/[,/]/).map((part) => /^\s*([a-z]{1,3})_([\w.:-]+)\s*$/.exec(part));
  const pairs = parts.flatMap((part) => (part === null ? [] : [[part[1] ?? '', part[2] ?? ''] as const]));
  if (pairs.length !== parts.length || parts.length === 0) return undefined;
  // Its service chooses a quality and a format; here the encoder and the output do.
  const chosen = pairs.filter(([name, value]) => !/^(?:q_auto(?::\w+)?|f_\w+)$/.test(`${name}_${value}`));
  return Object.fromEntries(chosen.map(([name, value]) => [STEP_TIMES[name] ?? name, value]));
}

/** What Cloudinary calls the times of a step. */
export const STEP_TIMES: Readonly<Record<string, string>> = {
  so: 'start',
  eo: 'end',
  du: 'duration',
  start_offset: 'start',
  end_offset: 'end',
};
