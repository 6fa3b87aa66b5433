/** One cue of a subtitle file. Times are in seconds. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A cue that the user wants to see in the preview of a source. */
export interface ChosenCue extends Cue {
  /** The path of its subtitle file. */
  readonly path: string;
  /** The path of the source. */
  readonly source: string;
}

/** Whether a chosen cue is one of the words that the preview of a source shows. `path`: their subtitle file. */
export const belongsTo = (cue: ChosenCue, source: string | undefined, path: string | undefined): boolean =>
  cue.source === source && cue.path === path;

const TIME = String.raw`(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}`;
/** Matches the line with the times of a cue. WebVTT can have settings after it. */
const TIMES = new RegExp(String.raw`^[ \t]*(${TIME})[ \t]*-->[ \t]*(${TIME})`, 'm');

/** The cues of a SubRip or WebVTT file. Other blocks, such as notes, are left out. */
export const parseCues = (text: string): readonly Cue[] =>
  blocksOf(text).flatMap((block) => {
    const found = TIMES.exec(block);
    if (found === null) return [];
    const [line, start = '', end = ''] = found;
    const rest = block.slice(found.index + line.length);
    const words = rest.slice(rest.indexOf('\n') + 1);
    return [{ start: secondsOf(start), end: secondsOf(end), text: rest.includes('\n') ? plainText(words) : '' }];
  });

/** The text of the file with all times moved. Cues that would end before the start are left out. */
export const shiftCues = (text: string, seconds: number): string =>
  `${blocksOf(text)
    .flatMap((block) => {
      const found = TIMES.exec(block);
      if (found === null) return [block];
      const [line, start = '', end = ''] = found;
      if (secondsOf(end) + seconds <= 0) return [];
      const moved = line
        .replace(start, moveTime(start, seconds))
        .replace(new RegExp(`${end}$`), moveTime(end, seconds));
      return [block.slice(0, found.index) + moved + block.slice(found.index + line.length)];
    })
    .join('\n\n')}\n`;

/** The path for a shifted copy: `talk (+1.5 s).srt` beside `talk.srt`. */
export function shiftedPath(path: string, seconds: number): string {
  const [, name = path, extension = ''] = /^(.*)(\.\w+)$/s.exec(path) ?? [];
  return `${name} (${seconds < 0 ? '−' : '+'}${Number(Math.abs(seconds).toFixed(3))} s)${extension}`;
}

/** The file of which a path is a shifted copy, and by how many seconds. Another file is itself, by 0. */
export function shiftOf(path: string): { readonly of: string; readonly seconds: number } {
  const [, name, sign, seconds, extension = ''] =
    /^(.*) \(([−+])(\d+(?:\.\d+)?) s\)(?:-\d{1,2})?(\.\w+)$/s.exec(path) ?? [];
  if (name === undefined) return { of: path, seconds: 0 };
  return { of: name + extension, seconds: Number(seconds) * (sign === '+' ? 1 : -1) };
}

/** The text from which a file is shifted, and by how many seconds. */
export interface Unshifted {
  readonly path: string;
  readonly text: string;
  readonly seconds: number;
}

/**
 * Returns the original of a shifted copy. A file counts as its own original if its name has no shift, if the original cannot be read, or if the
 * shifted original is not the text of the file. The last is so after a change by hand, which the next shift then keeps.
 *
 * @param text The text of the file at `path`.
 * @param original The text of the file from which the name says that it was shifted. undefined: it cannot be read.
 */
export function unshifted(path: string, text: string, original: string | undefined): Unshifted {
  const { of, seconds } = shiftOf(path);
  const isCopy = original !== undefined && shiftCues(original, seconds) === text;
  return isCopy ? { path: of, text: original, seconds } : { path, text, seconds: 0 };
}

/** What a shift does: `0.5 s earlier`. '': nothing. */
export function shiftText(seconds: number): string {
  const size = Number(Math.abs(seconds).toFixed(3));
  return size === 0 ? '' : `${size} s ${seconds < 0 ? 'earlier' : 'later'}`;
}

const blocksOf = (text: string): readonly string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((block) => block.replace(/^\n+|\n+$/g, ''))
    .filter((block) => block !== '');

const TAGS = /<[^>]{0,200}>|\{\\[^}]{0,200}\}/g;

const plainText = (words: string): string => words.replace(TAGS, '').trim();

/** Reads `00:01:02,500`, `01:02.500`. */
function secondsOf(time: string): number {
  const [clock = '', fraction = '0'] = time.split(/[.,]/);
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(`0.${fraction}`);
}

/** Moves a time, and writes it in its own form. Never before the start. */
function moveTime(time: string, by: number): string {
  const all = Math.max(0, Math.round((secondsOf(time) + by) * 1000));
  const two = (part: number): string => String(part).padStart(2, '0');
  const [hours, minutes, seconds] = [
    Math.floor(all / 3_600_000),
    Math.floor(all / 60_000) % 60,
    Math.floor(all / 1000) % 60,
  ];
  const isShort = time.split(':').length === 2 && hours === 0;
  const mark = time.includes(',') ? ',' : '.';
  return `${isShort ? '' : `${two(hours)}:`}${two(minutes)}:${two(seconds)}${mark}${String(all % 1000).padStart(3, '0')}`;
}
