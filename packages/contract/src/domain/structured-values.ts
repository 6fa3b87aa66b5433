/** Converts lists to the value of an option that takes one text: filters in a list. */

/** Options that can be sent as a list. The argv then repeats the option for each value. */
export const LIST_OPTIONS = /^(?:map|map_channel|metadata(?::.*)?|filter_complex|lavfi|program|streamid)$/;

/** The text of a scalar, and '' for an object or a list. `String` throws for an object such as `{"toString": 1}`, also in a list. */
export const stringOf = (value: unknown): string => (typeof value === 'object' && value !== null ? '' : String(value));

/** Quotes a value for a filtergraph: once for the options of its filter, and once for the graph. */
export function quoteForFilter(text: string): string {
  const body = text.trim();
  const start = text.length - text.trimStart().length;
  const quoted = body.replaceAll(/[\\':]/g, '\\$&').replaceAll(/[\\',;[\]]/g, '\\$&');
  return `${quoteSpaces(text.slice(0, start))}${quoted}${quoteSpaces(text.slice(start + body.length))}`;
}

/** Escape spaces, because ffmpeg drops spaces at the ends of a value. */
const quoteSpaces = (spaces: string): string => spaces.replaceAll(/./gs, String.raw`\\\$&`);

export type Members = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. Lists and null are not. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at the end of a path of names and indices. undefined: a part of the path is missing. */
export const memberAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
