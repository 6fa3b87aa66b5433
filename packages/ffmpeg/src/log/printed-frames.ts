import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { READ_FLAGS } from '../process/regular-file.ts';

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

/** The maximum number of bytes to read of a file: more than a filter prints for a video of a day. */
const MAX_BYTES = 1024 ** 3;

/**
 * Reads the values that ffmpeg wrote into a file of the scratch folder, or none if the file does not exist. A compromised ffmpeg may put
 * anything there, so only a regular file is read, up to its first GiB. Throws the abort reason if `signal` is aborted.
 */
export async function* readPrinted(path: string, signal?: AbortSignal): AsyncGenerator<FoundValue> {
  await using handle = await open(path, READ_FLAGS).catch(ignoreErrno('ENOENT', 'ELOOP', 'ENXIO'));
  if (handle === undefined || !(await handle.stat()).isFile()) return;
  const read = printedLineReader();
  const options = { fd: handle, autoClose: false, encoding: 'latin1', end: MAX_BYTES } as const;
  const found: FoundValue[] = [];
  const lines = new LineSplitter((line) => {
    const value = read(line);
    if (value !== undefined) found.push(value);
  });
  for await (const chunk of createReadStream('', options)) {
    signal?.throwIfAborted();
    lines.push(String(chunk));
    yield* found.splice(0);
  }
  lines.end();
  yield* found;
}
