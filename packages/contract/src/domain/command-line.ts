import type { ConversionRequest } from './conversion.ts';
import { readFfmpegCommand } from './ffmpeg-command.ts';
import { isMembers, joinedValue, LIST_OPTIONS, optionsOfObject, stringOf } from './structured-values.ts';
import { fieldOfOption } from './synonyms/field-words.ts';
import { joinedMaps, optionMeanings } from './synonyms/option-meanings.ts';
import { FIT_NAME, fittedSize, GRAVITY_NAME } from './synonyms/value-words.ts';

/** The parts of a request that Telecine derives from an ffmpeg command or from a request for another API. */
export type MeantRequest = Pick<
  ConversionRequest,
  'input' | 'inputs' | 'join' | 'output' | 'outputs' | 'format' | 'parameters'
>;

type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** The maximum length of a command or of options that are parsed, in characters. Nobody writes longer ones by hand. */
const MAX_LENGTH = 4000;

/** Options of ffmpeg that take no value. */
const FLAGS: ReadonlySet<string> = new Set(
  'an vn sn dn y n shortest copyts start_at_zero bitexact re accurate_seek noaccurate_seek autorotate noautorotate'.split(
    ' ',
  ),
);
/**
 * Options of a command that are left out of the request: ffmpeg's console output, and `threads`, which the service sets itself. `true`: the
 * option takes a value.
 */
const DROPPED: ReadonlyMap<string, boolean> = new Map([
  ...'hide_banner nostdin stats nostats'.split(' ').map((name): [string, boolean] => [name, false]),
  ...'loglevel v threads'.split(' ').map((name): [string, boolean] => [name, true]),
]);

/**
 * Splits a text into words at spaces outside quotes, like a shell. A backslash before a quote, a backslash, a space or `$` is removed; other
 * backslashes stay, because ffmpeg reads them (`\,` in a filter). undefined: a quote is not closed.
 */
function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === undefined && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (char === quote) quote = undefined;
    else if (char === '\\' && quote !== "'" && at + 1 < text.length && /["'\\\s$]/.test(text.charAt(at + 1))) {
      at += 1;
      word = `${word ?? ''}${text.charAt(at)}`;
    } else word = `${word ?? ''}${char}`;
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}

const isOption = (word: string): boolean => /^-[a-z]/i.test(word);

function addOption(to: Record<string, string | readonly string[]>, name: string, value: string): void {
  const before = to[name];
  // If an option with a value is repeated, ffmpeg uses the last value.
  to[name] = before === undefined || !LIST_OPTIONS.test(name) ? value : [before, value].flat();
}

/** Parses a command such as `ffmpeg -i in.mp4 -c:v libx264 out.mp4`. undefined if a request cannot express it. */
export const readCommand = (text: string): MeantRequest | undefined =>
  text.length > MAX_LENGTH ? undefined : readFfmpegCommand(text).request;

/** An option and its value in one text: `crf=23`, `--crf: 23`. A colon without a space belongs to the name: `c:v`. */
const PAIR = /^-{0,2}([A-Za-z_][\w:-]{0,60})(?: ?= ?|: )(.+)$/s;

/**
 * Reads options from a list of pairs, `[["crf", 23]]`, of objects, `[{"name": "crf", "value": 23}]`, or of texts, `["crf=23"]`. undefined:
 * the list contains something else.
 */
function pairedOptions(value: unknown): Parameters | undefined {
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string' && value.length <= MAX_LENGTH && !/(?:^|\s)-[a-z]/i.test(value)
      ? value.trim().split(/[\s;]+/)
      : [];
  const pairs = list.map((one): readonly (readonly [string, unknown])[] | undefined => {
    if (typeof one === 'string') {
      const [, name, text] = PAIR.exec(one) ?? [];
      return name === undefined ? undefined : [[name, text]];
    }
    if (Array.isArray(one)) return one.length === 2 && typeof one[0] === 'string' ? [[one[0], one[1]]] : undefined;
    if (typeof one !== 'object' || one === null) return undefined;
    const entries = Object.entries(one);
    const of = (word: RegExp): unknown => entries.find(([key]) => word.test(key))?.[1];
    const [name, own] = [of(/^(?:name|key|option|parameter|param|flag)$/i), of(/^(?:value|val|arg)$/i)];
    return typeof name === 'string' && entries.length <= 2 ? [[name, own ?? '']] : entries;
  });
  if (pairs.length === 0 || pairs.includes(undefined)) return undefined;
  const options: Record<string, string | readonly string[]> = {};
  for (const [name, own] of pairs.flatMap((one) => one ?? [])) {
    const text = own === true ? '' : scalar(own);
    if (text === undefined) return undefined;
    addOption(options, name.replace(/^-+/, ''), text);
  }
  return options;
}

/**
 * Parses options of a command line without files: `-c:v libx264 -crf 28`. A list of such texts, or of pairs, is allowed too. undefined: the
 * value contains something else.
 */
export function readOptions(value: unknown): Parameters | undefined {
  const texts = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  if (texts === undefined || !texts.every((one) => typeof one === 'string')) return pairedOptions(value);
  const paired = pairedOptions(value);
  if (paired !== undefined) return paired;
  const words = texts.join(' ').length > MAX_LENGTH ? undefined : texts.flatMap((one) => splitOption(one));
  if (words === undefined || words.length === 0) return undefined;
  const options: Record<string, string | readonly string[]> = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!isOption(word)) return undefined;
    const name = word.slice(1);
    if (FLAGS.has(name)) addOption(options, name, '');
    else if (DROPPED.has(name)) at += DROPPED.get(name) === true ? 1 : 0;
    else {
      at += 1;
      if (words[at] === undefined || name === 'i') return undefined;
      addOption(options, name, words[at] ?? '');
    }
  }
  return options;
}

/** Splits a text of a list into words if it contains an option: `-crf 23`. Any other text with spaces is one value: `drawtext=text=a b`. */
const splitOption = (text: string): readonly string[] =>
  isOption(text) ? (splitWords(text) ?? [text]) : text.includes(' -') ? (splitWords(text) ?? [text]) : [text];

const COMMON =
  /^(?:c|codec|b|q|r|s|f|t|ss|to|an|vn|sn|crf|preset|tune|profile|level|vf|af|filter_complex|map|pix_fmt|ar|ac|g|maxrate|bufsize|movflags|aspect|acodec|vcodec|threads|strict)(?::[\w:]+)?$/;

/** Whether a name is an option that no recipe has as an argument. "profile" and "aspect" are both. */
export const isOptionOnly = (name: string): boolean =>
  /^-|:/.test(name) || (COMMON.test(name) && !/^(?:profile|aspect)$/.test(name));

/** Options of muxers that write segments. No other tool has options with these names. */
const OF_SEGMENTS =
  /^(?:hls_\w+|segment_(?:time|times|list|format|frames|start_number)|seg_duration|master_pl_name|var_stream_map)$/;

/** What the settings in an object of another service apply to: streams of one kind, or the segments of one container. */
type GroupKind = 'video' | 'audio' | 'hls' | 'dash';

/** The ffmpeg options for words in settings objects of other services, such as "video" or "audio". */
const SETTINGS: Readonly<Record<GroupKind, Readonly<Record<string, string>>>> = {
  video: {
    codec: 'c:v',
    bitrate: 'b:v',
    profile: 'profile:v',
    framerate: 'r',
    fps: 'r',
    pixelformat: 'pix_fmt',
    quality: 'crf',
  },
  audio: { codec: 'c:a', bitrate: 'b:a', channels: 'ac', samplerate: 'ar', profile: 'profile:a' },
  hls: { segmentlength: 'hls_time' },
  dash: { segmentlength: 'seg_duration', fragmentlength: 'frag_duration' },
};

const scalar = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : value === true ? 'true' : undefined;

/** Names of settings objects of other services, with the kind of settings: `{"CodecSettings": {"H264Settings": {"Bitrate": 5000000}}}`. */
const GROUPS: readonly (readonly [names: RegExp, kind: GroupKind])[] = [
  [/^hlsgroupsettings$/, 'hls'],
  [/^dash(?:iso)?groupsettings$/, 'dash'],
  [
    /^(?:outputgroupsettings|videodescription|videosettings|videooptions|codecsettings|videocodecsettings|(?:h26[45]|hevc|av1|vp9|prores)settings|videopreset)$/,
    'video',
  ],
  [/^(?:audiodescriptions?|audiosettings|audiooptions|audiocodecsettings|(?:aac|mp3|opus|ac3|wav)settings)$/, 'audio'],
];

/** The kind of settings in an object with this name. undefined for other names. */
const groupOf = (name: string): GroupKind | undefined =>
  GROUPS.find(([names]) => names.test(name.toLowerCase().replaceAll(/[\s._-]/g, '')))?.[1];

/** A codec in the upper-case spelling of other services: `H_264`, `AAC`. */
const CODEC_WORD = /^[A-Z][A-Z0-9_]*$/;

const codecName = (text: string): string => (CODEC_WORD.test(text) ? text.replaceAll('_', '').toLowerCase() : text);

/** The ffmpeg options for a word of another service. undefined: the word is unknown. */
function optionsOf(name: string, value: unknown, kind?: GroupKind): Parameters | undefined {
  const bare = name.toLowerCase().replaceAll(/[\s._-]/g, '');
  const group = groupOf(name);
  // A list with one settings object describes the only track, so read this object.
  const [settings, ...more] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (group !== undefined && isMembers(settings) && more.length === 0)
    // The name "CodecSettings" does not say the kind. Use the kind of the object that contains these settings.
    return mergeOptions(nested(settings, /^(?:hls|dash)$/.test(group) ? group : (kind ?? group)));
  // `{"Type": "HLS_GROUP_SETTINGS"}` adds nothing: it only says which other member contains the settings.
  if (kind !== undefined && bare === 'type' && /_settings$/i.test(stringOf(value))) return {};
  if ((bare === 'video' || bare === 'audio') && isMembers(value)) return mergeOptions(nested(value, bare));
  // `{"overwrite": false}` needs no option: a request replaces no file unless it has `y`.
  if (value === false && optionMeanings(name)?.some(({ send }) => send['y'] !== undefined)) return {};
  if (
    kind === undefined &&
    Array.isArray(value) &&
    LIST_OPTIONS.test(name) &&
    value.every((one) => scalar(one) !== undefined)
  )
    return { [name]: value.map(String) };
  const text = scalar(value) ?? filtersOf(name, value);
  if (text === undefined) return undefined;
  if (kind === undefined && (bare === 'codec' || bare === 'c') && text !== 'copy')
    return { [AUDIO_CODEC.test(text) ? 'c:a' : 'c:v']: codecName(text) };
  const own = kind !== undefined && Object.hasOwn(SETTINGS[kind], bare) ? SETTINGS[kind][bare] : undefined;
  if (own !== undefined) return { [own]: bare === 'codec' ? codecName(text) : text };
  if (COMMON.test(name)) return { [name]: text === 'true' ? '' : text };
  const meaning = optionMeanings(name)?.find(
    ({ value: pattern, output, muxer }) =>
      muxer === undefined && pattern?.test(text) === true && (output ?? kind ?? 'video') === (kind ?? 'video'),
  );
  const pattern = meaning?.value;
  // In a settings object, keep a setting for which the client must choose an option. The reply to the corrected request then asks for the
  // choice.
  if (meaning?.advice !== undefined) return typeof meaning.advice !== 'string' ? {} : kind && { [name]: text };
  if ((meaning === undefined || pattern === undefined) && OF_SEGMENTS.test(name)) return { [name]: text };
  if (meaning === undefined || pattern === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(meaning.send).map(([key, template]) => [
      key,
      typeof template === 'string'
        ? text.replace(pattern, template)
        : template.map((one) => text.replace(pattern, one)),
    ]),
  );
}

const AUDIO_CODEC =
  /^(?:lib)?(?:aac|fdk|mp3|opus|vorbis|flac|alac|ac-?3|e-?ac-?3|pcm|wav|dts|dca|mp2|amr|speex|shine|twolame)/i;

/** The filters in a list or an object, as the text of one option. undefined: the value does not describe filters. */
function filtersOf(name: string, value: unknown): string | undefined {
  const chains = [name, ...(optionMeanings(name) ?? []).flatMap(({ send }) => Object.keys(send))];
  const chain = chains.find((one) => /^[va]f$/.test(one));
  if (chain === undefined) return undefined;
  if (!Array.isArray(value)) return asText(optionsOfObject(chain, value)?.[chain]);
  const parts = value.map((one: unknown) => scalar(one) ?? asText(optionsOfObject(chain, one)?.[chain]));
  return parts.every((one) => one !== undefined) && parts.length > 0 ? joinedValue(chain, parts) : undefined;
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The ffmpeg options for each setting in an object "video" or "audio". */
function nested(settings: Readonly<Record<string, unknown>>, kind: GroupKind): readonly (Parameters | undefined)[] {
  const size = sizeOf(settings, Object.keys(settings));
  const isConstant = ([key, value]: readonly [string, unknown]): boolean =>
    optionMeanings(key) === optionMeanings('RateControlMode') && /^cbr$/i.test(stringOf(value));
  const others = Object.entries(settings).filter(([key]) => size?.names.has(key) !== true);
  const options = others.filter((one) => !isConstant(one)).map(([key, value]) => optionsOf(key, value, kind));
  const rate = options.find((one) => one?.['b:v'] !== undefined)?.['b:v'];
  const constant = others.filter(isConstant).map(([key, value]) => {
    // Audio encoders keep a constant bit rate without an option.
    if (kind === 'audio') return {};
    return rate === undefined ? optionsOf(key, value, kind) : { minrate: rate, maxrate: rate, bufsize: rate };
  });
  return [size?.options ?? {}, ...options, ...constant];
}

/** Joins options. Filters for the same option follow each other. undefined: one element is undefined, or two values contradict. */
function mergeOptions(all: readonly (Parameters | undefined)[]): Parameters | undefined {
  const merged: Record<string, string | readonly string[]> = {};
  for (const options of all) {
    if (options === undefined) return undefined;
    for (const [key, value] of Object.entries(options)) {
      const before = merged[key];
      if (before === undefined || before === value) merged[key] = value;
      else if (/^[va]f$/.test(key)) merged[key] = `${String(before)},${String(value)}`;
      else if (key === 'map') merged[key] = joinedMaps(before, value);
      else return undefined;
    }
  }
  return merged;
}

const SIDES = /^(?:width|height|w|h)$/i;

/** The options for a size, and the names of the fields that these options replace. */
interface MeantSize {
  readonly options: Parameters;
  readonly names: ReadonlySet<string>;
}

/** The options for the width and the height in `parent`, and for how the video fits in. undefined: the width or the height is missing. */
function sizeOf(parent: Readonly<Record<string, unknown>>, unknown: readonly string[]): MeantSize | undefined {
  const named = (name: RegExp): string | undefined => unknown.find((one) => name.test(one));
  const [w = '', h = '', fit = '', place = ''] = [/^w(?:idth)?$/i, /^h(?:eight)?$/i, FIT_NAME, GRAVITY_NAME].map(named);
  const [width, height, mode, gravity] = [w, h, fit, place].map((name) => scalar(parent[name]));
  if (width === undefined || height === undefined) return undefined;
  const fitted = mode === undefined ? undefined : fittedSize(width, height, mode, gravity);
  // `g` is short for gravity, a position. With a number, it is ffmpeg's option for the distance of key frames.
  const ofPlace = /^\d+$/.test(gravity ?? '') ? [] : [place];
  if (fitted !== undefined) return { options: { vf: fitted }, names: new Set([w, h, fit, ...ofPlace]) };
  // `scale` computes a negative width or height from the other side. `s` does not accept it.
  const isOpen = [width, height].some((one) => one.startsWith('-'));
  const options: Parameters = isOpen ? { vf: `scale=${width}:${height}` } : { s: `${width}x${height}` };
  return { options, names: new Set([w, h]) };
}

/**
 * The "parameters" of an object, with options for its unknown fields: `{"start": 2}` in an input becomes `{"ss": "2"}`. undefined: the
 * meaning of a field is unknown. `keepsWords`: whether a word whose meaning depends on the rest of the request becomes an option with the
 * same name.
 */
export function fieldsAsParameters(
  parent: Readonly<Record<string, unknown>>,
  unknown: readonly string[],
  { keepsWords = false }: { readonly keepsWords?: boolean } = {},
): Parameters | undefined {
  const { parameters } = parent;
  if (parameters !== undefined && !isMembers(parameters)) return undefined;
  const sent = (parameters ?? {}) as Parameters;
  const size = sizeOf(parent, unknown);
  // The width or the height may already be a part of `s`, which the fix for another field has sent.
  const isSet = (name: string): boolean =>
    String(sent['s'] ?? '')
      .split('x')
      .includes(scalar(parent[name]) ?? '');
  const others = unknown.filter(
    (name) => size?.names.has(name) !== true && !(size === undefined && SIDES.test(name) && isSet(name)),
  );
  const word = (name: string): Parameters | undefined => {
    const text = keepsWords && optionMeanings(name) !== undefined ? scalar(parent[name]) : undefined;
    return text === undefined ? undefined : { [name]: text };
  };
  return mergeOptions([
    sent,
    size?.options ?? {},
    ...others.map((name) => optionsOf(name, parent[name]) ?? word(name)),
  ]);
}

/** "parameters" in which ffmpeg options replace settings objects of other services: `{"VideoDescription": {…}}`. Other options stay. */
export function withoutGroups(parameters: unknown): Parameters | undefined {
  if (!isMembers(parameters)) return undefined;
  const groups = Object.keys(parameters).filter((name) => groupOf(name) !== undefined);
  const { parameters: _own, ...others } = parameters;
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !groups.includes(name)));
  return groups.length === 0 ? undefined : fieldsAsParameters({ ...others, parameters: rest }, groups);
}

/** Reads an object that a client sends instead of "parameters". Unknown names stay. undefined: a value cannot be the value of an option. */
export function objectAsParameters(value: unknown): Parameters | undefined {
  if (!isMembers(value)) return undefined;
  const sent = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(sent);
  const size = sizeOf(sent, names);
  const rest = names.filter((name) => size?.names.has(name) !== true);
  const own = (name: string): Parameters | undefined => {
    const one = sent[name];
    const text = scalar(one);
    if (text !== undefined) return { [name]: text };
    return Array.isArray(one) && one.every((part) => typeof part === 'string') ? { [name]: one } : undefined;
  };
  return mergeOptions([size?.options ?? {}, ...rest.map((name) => optionsOf(name, sent[name]) ?? own(name))]);
}

/** The parts of a request in an object that a client of another service sends as the output: `{"path": …, "video": {…}}`. */
export function outputObject(value: unknown, parameters: unknown): MeantRequest | undefined {
  if (!isMembers(value)) return undefined;
  const entries = Object.entries(value);
  const path = entries.find(
    ([key, one]) => /^(?:path|file|filename|name|url|output|key|uri)$/i.test(key) && typeof one === 'string',
  );
  if (path === undefined) return undefined;
  const format = entries.find(
    ([key, one]) => fieldOfOption(key) === 'format' && typeof one === 'string' && /^\.?\w{2,12}$/.test(one),
  );
  const rest = Object.fromEntries(entries.filter((entry) => entry !== path && entry !== format));
  const meant = fieldsAsParameters({ ...rest, ...(parameters === undefined ? {} : { parameters }) }, Object.keys(rest));
  if (meant === undefined) return undefined;
  return { output: stringOf(path[1]), ...(format !== undefined && { format: stringOf(format[1]) }), parameters: meant };
}
