import { badValue, quoted, type ValueError } from './value-error.ts';

/** Pixel formats that libavutil knows only as another's name. */
const OTHER_NAMES: ReadonlySet<string> = new Set(['rgb32', 'bgr32']);

/** `yuv420p10` is the one of the machine's byte order. */
const isPixelFormat = (name: string, known: ReadonlySet<string>): boolean =>
  known.has(name) || OTHER_NAMES.has(name) || known.has(`${name}le`);

/** Whether `given` is one of `names`, by any of its spellings. */
export const isKnownFormat = (given: string, names: readonly string[]): boolean =>
  names.includes(given) ||
  names.includes(`${given}le`) ||
  (OTHER_NAMES.has(given) && names.some((name) => /^(?:bgra|rgba)$/.test(name)));

export function checkPixelFormat(key: string, value: string, known: ReadonlySet<string>): ValueError | undefined {
  if (value === 'none' || isPixelFormat(value, known)) return undefined;
  return badValue(`"${key}" is a pixel format, and the installed ffmpeg knows none named ${quoted(value)}.`, value, {
    names: known,
  });
}

export function checkSampleFormat(key: string, value: string, known: ReadonlySet<string>): ValueError | undefined {
  if (value === 'none' || known.has(value)) return undefined;
  return badValue(`"${key}" is a sample format, and the installed ffmpeg knows none named ${quoted(value)}.`, value, {
    names: known,
  });
}
