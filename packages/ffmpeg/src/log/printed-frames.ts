import { readScratchLines } from './scratch-lines.ts';

/** A value that a filter found in a frame. */
export interface FoundValue {
  /** The time of the frame, in seconds from the start of the measurement. NaN: the frame has no time. */
  readonly at: number;
  /** The timestamp of the frame in the time base of its stream. It identifies the frame. */
  readonly pts: string;
  readonly value: number;
}

/** Matches `frame:12   pts:5120    pts_time:0.4` (f_metadata.c, 5.1 to 8). */
const FRAME = /^frame:\d+ +pts:(-?\d{1,20}|NOPTS) +pts_time:(-?\d{1,12}(?:\.\d{1,12})?(?:e[+-]?\d{1,2})?|NOPTS)$/;
const VALUE = /^[\w.]{1,80}=(-?(?:\d{1,15}(?:\.\d{1,12})?(?:e[+-]?\d{1,3})?|inf|nan))$/;

/**
 * Returns a reader of the lines of `metadata=mode=print` for one key: a line about a frame, then a line with its value. At the second line,
 * the reader returns the value. It skips other lines.
 */
export function printedLineReader(): (line: string) => FoundValue | undefined {
  let frame: { readonly at: number; readonly pts: string } | undefined;
  return (line) => {
    const [, pts, at] = FRAME.exec(line) ?? [];
    if (pts !== undefined && at !== undefined) {
      frame = { at: at === 'NOPTS' ? Number.NaN : Number(at), pts };
      return undefined;
    }
    const text = VALUE.exec(line)?.[1];
    if (frame === undefined || text === undefined) return undefined;
    return { ...frame, value: toNumber(text) };
  };
}

const toNumber = (text: string): number =>
  text.endsWith('inf') ? Number(text.replace('inf', 'Infinity')) : Number(text);

/**
 * Reads the values that ffmpeg wrote into a file of the scratch folder, or none if the file does not exist. Throws the abort reason if
 * `signal` is aborted.
 */
export const readPrinted = (path: string, signal?: AbortSignal): AsyncGenerator<FoundValue> =>
  readScratchLines(path, printedLineReader(), signal);
