/** A file name with a counter for ffmpeg's image2: exactly one `%d` or `%0Nd`. `%%` is a percent sign. */
export interface NumberedName {
  readonly before: string;
  /** Returns the name with the number `n` (0 or more). */
  format(n: number): string;
  /** Returns the number in `name`. undefined: `format` never returns this name. */
  read(name: string): number | undefined;
}

const TOKEN = /%(\d*)([d%])/g;

/** The maximum length of a file name on common file systems. */
const MAX_WIDTH = 255;

/** Parses a file name with a counter like av_get_frame_filename2(). undefined: the name has no counter that ffmpeg accepts. */
export function parseNumberedName(pattern: string): NumberedName | undefined {
  const pieces: string[] = [''];
  let width = 0;
  let end = 0;
  for (const match of pattern.matchAll(TOKEN)) {
    const [token, digits = '', letter] = match;
    const literal = pattern.slice(end, match.index);
    if (literal.includes('%')) return undefined;
    pieces[pieces.length - 1] += letter === '%' ? `${literal}%` : literal;
    end = match.index + token.length;
    if (letter === 'd') {
      pieces.push('');
      width = Number(digits);
    }
  }
  if (pattern.slice(end).includes('%')) return undefined;
  pieces[pieces.length - 1] += pattern.slice(end);
  const [before, after] = pieces;
  if (pieces.length !== 2 || before === undefined || after === undefined || width > MAX_WIDTH) return undefined;
  const format = (n: number): string => `${before}${String(n).padStart(width, '0')}${after}`;
  return {
    before,
    format,
    read: (name) => {
      if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
      const digits = name.slice(before.length, name.length - after.length);
      if (!/^\d{1,15}$/.test(digits)) return undefined;
      return format(Number(digits)) === name ? Number(digits) : undefined;
    },
  };
}

/** The maximum number of frames of one sequence: almost seven minutes at 25 frames per second. */
export const MAX_FRAMES = 10_000;

/** How many numbers ffmpeg's image2 demuxer tries for the first frame (`start_number_range`). */
export const FIRST_NUMBERS = 5;
