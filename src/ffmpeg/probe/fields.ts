import { boundedText } from './tag-reader.ts';

/** An object in ffprobe's output. Readers must tolerate fields that a newer ffprobe adds, omits or changes. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectsIn = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isFields) : []);

/** ffprobe's own texts are short. The longest are the descriptive names of codecs. */
const MAX_TEXT_LENGTH = 200;

const UNKNOWN: ReadonlySet<string> = new Set(['', 'N/A', 'unknown', 'none', 'unspecified']);

/** Returns a text field, or undefined if ffprobe reports it as unknown. */
export function textField(from: Fields, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' && !UNKNOWN.has(value) ? boundedText(value, MAX_TEXT_LENGTH) : undefined;
}

/** Returns a numeric field, which ffprobe writes as a number or as text, or undefined if it is not a number. */
export function numberField(from: Fields, key: string): number | undefined {
  const value = from[key];
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Returns a whole number of at least `min`, or undefined. Set `min` above 0 if smaller values mean "unknown". */
export function wholeNumberField(from: Fields, key: string, min = 0): number | undefined {
  const value = numberField(from, key);
  return value !== undefined && Number.isSafeInteger(value) && value >= min ? value : undefined;
}

/** Returns a fraction such as `30000/1001` as a number rounded to six decimals, or undefined for `0/0`. */
export function parseFrameRate(text: string | undefined): number | undefined {
  const [, over, under] = /^(\d+)\/(\d+)$/.exec(text ?? '') ?? [];
  const value = Number(over) / Number(under);
  return Number.isFinite(value) && value > 0 ? Math.round(value * 1e6) / 1e6 : undefined;
}

/** Drops undefined members, because an optional property must be absent rather than undefined. */
export const definedMembers = <T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
