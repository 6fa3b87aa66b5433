import { readRatio } from './number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

const NAMED: ReadonlyMap<string, number> = new Map([
  ['ntsc', 30000 / 1001],
  ['pal', 25],
  ['qntsc', 30000 / 1001],
  ['qpal', 25],
  ['sntsc', 30000 / 1001],
  ['spal', 25],
  ['film', 24],
  ['ntsc-film', 24000 / 1001],
]);

/** Beyond these rates, a letter probably has another meaning for the client than for ffmpeg, which reads `24p` as 24 picoframes. */
const MIN_RATE = 1e-6;
const MAX_RATE = 1e6;

/** Reads a frame rate in frames per second from `25`, `30000/1001`, `29.97` or `ntsc`. undefined: not a frame rate. */
export function readRate(value: string): number | undefined {
  const rate = NAMED.get(value) ?? readRatio(value);
  return rate !== undefined && rate > MIN_RATE && rate < MAX_RATE ? rate : undefined;
}

/** Prints a frame rate in ffmpeg's notation: `25`, `30000/1001`. */
export function rateText(fps: number): string {
  const nominal = Math.round(fps * 1.001);
  return Math.abs(fps * 1.001 - nominal) < 0.001 && !Number.isInteger(fps)
    ? `${nominal * 1000}/1001`
    : String(Number(fps.toFixed(3)));
}

export function checkRate(key: string, value: string): ValueError | undefined {
  if (readRate(value) !== undefined) return undefined;
  return badValue(`"${key}" must be a number of frames per second, not ${quoted(value)}.`, value, {
    shapes: ['25', '29.97', '30000/1001'],
    names: NAMED.keys(),
  });
}
