/** Converts lists and objects to the value of an option that takes one text: filters in a list, or encoder settings in an object. */

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

type Fields = Readonly<Record<string, unknown>>;

/** Options and their values, in the form of "parameters". */
type MeantOptions = Readonly<Record<string, string | readonly string[]>>;

/** A text or a number as text. undefined for other values. */
export const scalarText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** The text of a scalar, and '' for an object or a list. `String` throws for an object such as `{"toString": 1}`, also in a list. */
export const stringOf = (value: unknown): string => (typeof value === 'object' && value !== null ? '' : String(value));

/** The maximum length of an object that a fix repeats as a text. */
const MAX_LENGTH = 500;

/** The options that a client means by an object as the value of the option `name`. undefined: the meaning is unknown. */
export function optionsOfObject(name: string, value: unknown): MeantOptions | undefined {
  if (!isMembers(value) || Object.keys(value).length === 0) return undefined;
  const byKind = name.includes(':') ? undefined : perKind(name, value);
  if (byKind !== undefined) return byKind;
  const text = textOfObject(name, value);
  return text === undefined || text.length > MAX_LENGTH ? undefined : { [name]: text };
}

/** The letter of each kind of stream, by the words for the kind. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ v: 'v', video: 'v', a: 'a', audio: 'a', s: 's', subtitle: 's', subtitles: 's' }),
);

/** Reads `"c": {"video": "libx264", "a": "aac"}` as one option for each kind of stream. */
function perKind(name: string, value: Fields): MeantOptions | undefined {
  const parts = Object.entries(value).map(([key, one]) => [KINDS.get(key.toLowerCase()), scalarText(one)] as const);
  if (!parts.every(([kind, text]) => kind !== undefined && text !== undefined)) return undefined;
  // `{"map": {"audio": 1}}`: a number is the index of a stream of this kind.
  return name === 'map'
    ? { map: parts.map(([kind, text = '']) => (/^\d+$/.test(text) ? `0:${kind}:${text}` : text)) }
    : Object.fromEntries(parts.map(([kind, text]) => [`${name}:${kind}`, text ?? '']));
}

function textOfObject(name: string, value: Fields): string | undefined {
  if (FILTER_CHAINS.test(name)) return chainOfObject(value);
  const entries = Object.entries(value);
  if (FLAGS.test(name) && entries.every(([, one]) => typeof one === 'boolean'))
    return entries.map(([key, one]) => `${one === true ? '+' : '-'}${key}`).join('');
  const between = WIDTH_AND_HEIGHT.get(baseOf(name));
  if (between !== undefined) {
    const side = (pattern: RegExp) => scalarText(entries.find(([key]) => pattern.test(key))?.[1]);
    const [width, height] = [side(/^w(?:idth)?$/i), side(/^h(?:eight)?$/i)];
    return width === undefined || height === undefined ? undefined : `${width}${between}${height}`;
  }
  return SEPARATORS.find(([pattern]) => pattern.test(name))?.[1] === ':' ? pairs(value) : undefined;
}

/** Writes members as `keyint=60:bframes=2`. undefined: a value is not a text or a number. */
function pairs(value: Fields, write = (text: string): string => text): string | undefined {
  const all = Object.entries(value).map(([key, one]) => {
    const text = typeof one === 'boolean' ? String(Number(one)) : scalarText(one);
    return text === undefined ? undefined : `${key}=${write(text)}`;
  });
  return all.includes(undefined) ? undefined : all.join(':');
}

/** Members that name the filter of an object, and members that contain the options of the filter. */
const NAME_KEYS = ['filter', 'name', 'type'] as const;
const OPTION_KEYS = ['options', 'params', 'parameters', 'args', 'arguments', 'value'] as const;

/** Reads filters in an object: several as `{"scale": "640:-2", "hflip": true}`, or one as `{"name": "scale", "options": {"w": 640}}`. */
function chainOfObject(value: Fields): string | undefined {
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === 'string' && /^\w+$/.test(String(value[key])));
  if (nameKey !== undefined) {
    const { [nameKey]: name, ...rest } = value;
    const optionKey = OPTION_KEYS.find((key) => key in rest);
    const isNested = optionKey !== undefined && Object.keys(rest).length === 1;
    return filterText(stringOf(name), isNested ? rest[optionKey] : rest);
  }
  const filters = Object.entries(value).map(([name, options]) => filterText(name, options));
  return filters.includes(undefined) ? undefined : filters.join(',');
}

function filterText(name: string, options: unknown): string | undefined {
  if (options === true || options === null || options === '') return name;
  const text = isMembers(options)
    ? pairs(options, quoteForFilter)
    : Array.isArray(options) && options.every((one) => scalarText(one) !== undefined)
      ? options.map((one) => quoteForFilter(String(one))).join(':')
      : scalarText(options);
  if (text === undefined || !/^\w+$/.test(name)) return undefined;
  return text === '' ? name : `${name}=${text}`;
}

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
