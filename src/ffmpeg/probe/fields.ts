import { boundedText } from './tag-reader.ts';

/** An object of ffprobe's answer. What a newer ffprobe adds, leaves out or words otherwise must break nothing. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectsIn = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isFields) : []);

/** ffprobe's own words are short; a codec's long name is the longest. */
const LONGEST_WORD = 200;

const NOTHING: ReadonlySet<string> = new Set(['', 'N/A', 'unknown', 'none', 'unspecified']);

/** undefined where ffprobe does not know. */
export function textField(from: Fields, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' && !NOTHING.has(value) ? boundedText(value, LONGEST_WORD) : undefined;
}

/** Numbers that ffprobe writes as such or as text; undefined where there is none. */
export function numberField(from: Fields, key: string): number | undefined {
  const value = from[key];
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** A whole number that is not negative; `least` above 0 where less means "not known". */
export function wholeNumberField(from: Fields, key: string, least = 0): number | undefined {
  const value = numberField(from, key);
  return value !== undefined && Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** `30000/1001` as a number with three decimals at least exact; undefined for `0/0`. */
export function parseFrameRate(text: string | undefined): number | undefined {
  const [, over, under] = /^(\d+)\/(\d+)$/.exec(text ?? '') ?? [];
  const value = Number(over) / Number(under);
  return Number.isFinite(value) && value > 0 ? Math.round(value * 1e6) / 1e6 : undefined;
}

/** The members that are there: an optional property is absent, not undefined. */
export const definedMembers = <T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
