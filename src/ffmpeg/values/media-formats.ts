import { badValue, quoted, type ValueError } from './value-error.ts';

/** Pixel formats that are only aliases in libavutil. */
const ALIASES: ReadonlySet<string> = new Set(['rgb32', 'bgr32']);

/** `yuv420p10` means the format with the machine's byte order. */
const isPixelFormat = (name: string, known: ReadonlySet<string>): boolean =>
  known.has(name) || ALIASES.has(name) || known.has(`${name}le`);

/** Whether `format` is one of `names`, in any of its spellings. */
export const isKnownFormat = (format: string, names: readonly string[]): boolean =>
  names.includes(format) ||
  names.includes(`${format}le`) ||
  (ALIASES.has(format) && names.some((name) => /^(?:bgra|rgba)$/.test(name)));

export function checkPixelFormat(key: string, value: string, known: ReadonlySet<string>): ValueError | undefined {
  if (value === 'none' || isPixelFormat(value, known)) return undefined;
  return badValue(`"${key}" must be a pixel format of the installed ffmpeg, not ${quoted(value)}.`, value, {
    names: known,
  });
}

export function checkSampleFormat(key: string, value: string, known: ReadonlySet<string>): ValueError | undefined {
  if (value === 'none' || known.has(value)) return undefined;
  return badValue(`"${key}" must be a sample format of the installed ffmpeg, not ${quoted(value)}.`, value, {
    names: known,
  });
}
