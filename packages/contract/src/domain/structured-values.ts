/** Converts lists to the value of an option that takes one text: filters in a list. */

const FILTER_CHAINS = /^(?:filter|vf|af|bsf|vbsf|absf)(?::|$)/;

/** The separator between the parts of a value, by the name of the option. */
const SEPARATORS: readonly (readonly [name: RegExp, separator: string])[] = [
  [FILTER_CHAINS, ','],
  [/-params(?::|$)|^x264opts(?::|$)|^(?:hls_ts|hls_segment|segment_format|format|http)_options$/, ':'],
  [/^(?:force_key_frames(?::|$)|segment_times$|segment_frames$)/, ','],
  [/^(?:var_stream_map|adaptation_sets)$/, ' '],
];

/** Options whose value switches names on and off: `+faststart`. */
const FLAGS = /flags2?(?::|$)|^disposition(?::|$)/;

const WIDTH_AND_HEIGHT: ReadonlyMap<string, string> = new Map([
  ['s', 'x'],
  ['aspect', ':'],
]);

/** Options that can be sent as a list. The argv then repeats the option for each value. */
export const LIST_OPTIONS = /^(?:map|map_channel|metadata(?::.*)?|filter_complex|lavfi|program|streamid)$/;

const baseOf = (name: string): string => name.split(':', 1)[0] ?? name;

/** The value of an option for the elements of a list: `scale=640:-2,hflip` for two filters. undefined: the list cannot be one value. */
export function joinedValue(name: string, values: readonly string[]): string | undefined {
  const [first = ''] = values;
  if (values.every((value) => value === first)) return first;
  if (FLAGS.test(name)) return joinFlags(values);
  const between = WIDTH_AND_HEIGHT.get(baseOf(name));
  if (between !== undefined)
    return values.length === 2 && values.every((value) => /^-?\d{1,5}$/.test(value)) ? values.join(between) : undefined;
  const separator = SEPARATORS.find(([pattern]) => pattern.test(name))?.[1];
  if (separator === undefined) return undefined;
  // A value with labels, such as `[0:v]hflip[a]`, is a graph. A comma before or after it would change what the labels connect.
  if (FILTER_CHAINS.test(name) && values.some((value) => /^\s*\[|;|\]\s*$/.test(value))) return undefined;
  const parts = values.map((value) => trimmed(value, separator)).filter((value) => value !== '');
  return parts.length === 0 ? undefined : parts.join(separator);
}

/** Removes the separator from both ends of a value. Elements of lists often have it: `["scale=640:-2,", "hflip"]`. */
function trimmed(value: string, separator: string): string {
  const text = value.trim();
  const from = text.startsWith(separator) ? 1 : 0;
  return text.slice(from, text.length > from && text.endsWith(separator) ? -1 : undefined).trim();
}

function joinFlags(values: readonly string[]): string | undefined {
  const all = values.map((value) => value.trim());
  if (!all.every((value) => /^[+-]?\w+(?:[+-]\w+)*$/.test(value))) return undefined;
  const text = all.map((value) => (/^[+-]/.test(value) ? value : `+${value}`)).join('');
  return all.some((value) => /^[+-]/.test(value)) ? text : text.slice(1);
}

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
