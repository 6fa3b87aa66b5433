/** The meaning of lists and objects as values of options that take one text: filters in a list, settings of an encoder in an object. */

const FILTER_CHAINS = /^(?:filter|vf|af|bsf|vbsf|absf)(?::|$)/;

/** How the parts of a value are separated, by the name of the option. */
const SEPARATORS: readonly (readonly [name: RegExp, separator: string])[] = [
  [FILTER_CHAINS, ','],
  [/-params(?::|$)|^x264opts(?::|$)|^(?:hls_ts|hls_segment|segment_format|format|http)_options$/, ':'],
  [/^(?:force_key_frames(?::|$)|segment_times$|segment_frames$)/, ','],
  [/^(?:var_stream_map|adaptation_sets)$/, ' '],
];

/** Options whose values are names that are switched on and off: `+faststart`. */
const FLAGS = /flags2?(?::|$)|^disposition(?::|$)/;

const WIDTH_AND_HEIGHT: ReadonlyMap<string, string> = new Map([
  ['s', 'x'],
  ['aspect', ':'],
]);

/** Options that may be sent as a list, so that the argv repeats them for each value. */
export const LIST_OPTIONS = /^(?:map|map_channel|metadata(?::.*)?|filter_complex|lavfi|program|streamid)$/;

const baseOf = (name: string): string => name.split(':', 1)[0] ?? name;

/** The text that a list means as the value of one option. undefined if the list has no meaning as one value. */
export function joinedValue(name: string, values: readonly string[]): string | undefined {
  const [first = ''] = values;
  if (values.every((value) => value === first)) return first;
  if (FLAGS.test(name)) return joinFlags(values);
  const between = WIDTH_AND_HEIGHT.get(baseOf(name));
  if (between !== undefined)
    return values.length === 2 && values.every((value) => /^-?\d{1,5}$/.test(value)) ? values.join(between) : undefined;
  const separator = SEPARATORS.find(([pattern]) => pattern.test(name))?.[1];
  if (separator === undefined) return undefined;
  // Labels say how graphs are connected, which a comma would change.
  if (FILTER_CHAINS.test(name) && values.some((value) => /^\s*\[|;|\]\s*$/.test(value))) return undefined;
  const parts = values.map((value) => trimmed(value, separator)).filter((value) => value !== '');
  return parts.length === 0 ? undefined : parts.join(separator);
}

/** Without the separator at its ends, which a list often has too: `["scale=640:-2,", "hflip"]`. */
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

/** Options and their values, as they belong in "parameters". */
type MeantOptions = Readonly<Record<string, string | readonly string[]>>;

/** A text or a number as text. undefined for other values. */
export const scalarText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** The longest object that a fix repeats as a text. */
const MAX_LENGTH = 500;

/** The options that an object means as the value of an option. undefined if its meaning is not known. */
export function optionsOfObject(name: string, value: unknown): MeantOptions | undefined {
  if (!isMembers(value) || Object.keys(value).length === 0) return undefined;
  const byKind = name.includes(':') ? undefined : perKind(name, value);
  if (byKind !== undefined) return byKind;
  const text = textOfObject(name, value);
  return text === undefined || text.length > MAX_LENGTH ? undefined : { [name]: text };
}

/** The letter of a kind of streams, by words for it. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ v: 'v', video: 'v', a: 'a', audio: 'a', s: 's', subtitle: 's', subtitles: 's' }),
);

/** `"c": {"video": "libx264", "a": "aac"}`: an option for each kind of streams. */
function perKind(name: string, value: Fields): MeantOptions | undefined {
  const parts = Object.entries(value).map(([key, one]) => [KINDS.get(key.toLowerCase()), scalarText(one)] as const);
  if (!parts.every(([kind, text]) => kind !== undefined && text !== undefined)) return undefined;
  // A number alone counts the streams of that kind.
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

/** `keyint=60:bframes=2`. undefined if a value is not a plain one. */
function pairs(value: Fields, write = (text: string): string => text): string | undefined {
  const all = Object.entries(value).map(([key, one]) => {
    const text = typeof one === 'boolean' ? String(Number(one)) : scalarText(one);
    return text === undefined ? undefined : `${key}=${write(text)}`;
  });
  return all.includes(undefined) ? undefined : all.join(':');
}

/** Members of an object that name its filter, and members that have the options of it. */
const NAME_KEYS = ['filter', 'name', 'type'] as const;
const OPTION_KEYS = ['options', 'params', 'parameters', 'args', 'arguments', 'value'] as const;

/** Filters in an object: `{"scale": "640:-2", "hflip": true}`, or one as `{"name": "scale", "options": {"w": 640}}`. */
function chainOfObject(value: Fields): string | undefined {
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === 'string' && /^\w+$/.test(String(value[key])));
  if (nameKey !== undefined) {
    const { [nameKey]: name, ...rest } = value;
    const optionKey = OPTION_KEYS.find((key) => key in rest);
    const isNested = optionKey !== undefined && Object.keys(rest).length === 1;
    return filterText(String(name), isNested ? rest[optionKey] : rest);
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

/** A value as a filtergraph takes it: once quoted for the options of its filter, and once for the graph. */
export function quoteForFilter(text: string): string {
  const body = text.trim();
  const start = text.length - text.trimStart().length;
  const quoted = body.replaceAll(/[\\':]/g, '\\$&').replaceAll(/[\\',;[\]]/g, '\\$&');
  return `${quoteSpaces(text.slice(0, start))}${quoted}${quoteSpaces(text.slice(start + body.length))}`;
}

/** ffmpeg drops spaces at the ends of a value. */
const quoteSpaces = (spaces: string): string => spaces.replaceAll(/./gs, String.raw`\\\$&`);

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. Lists and null are not. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at the end of a path of names and indices. undefined if one of them is missing. */
export const memberAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
