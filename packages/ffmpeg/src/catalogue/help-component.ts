import {
  AV_TYPES,
  type AvConstant,
  type AvOption,
  type AvType,
  type Component,
  type ComponentKind,
  type ComponentName,
  type Pad,
  type Pads,
} from './component.ts';

/** The first line of a component's help: `Encoder libx264 [libx264 H.264]:`, `Filter scale`, `Bit stream filter setts`. */
const TITLES: Readonly<Record<ComponentKind, RegExp>> = {
  encoder: /^Encoder \S+ \[(.*)\]:$/,
  decoder: /^Decoder \S+ \[(.*)\]:$/,
  muxer: /^Muxer \S+ \[(.*)\]:$/,
  demuxer: /^Demuxer \S+ \[(.*)\]:$/,
  filter: /^Filter \S+()$/,
  bsf: /^Bit stream filter \S+()$/,
};

const TITLE = /^(?:Encoder|Decoder|Muxer|Demuxer|Filter|Bit stream filter) /;

/** Parses the output of `ffmpeg -h KIND=NAME`. If ffmpeg prints no help for the name, the component has no options. */
export function parseComponent({ kind, name }: ComponentName, text: string): Component {
  const all = text.split('\n');
  const from = all.findIndex((line) => TITLES[kind].test(line));
  if (from < 0) return { kind, name, description: '', options: [] };
  // Several decoders may have one name. Each has its own title. Only the first is read.
  const next = all.findIndex((line, n) => n > from && TITLE.test(line));
  const lines = all.slice(from, next < 0 ? undefined : next);
  const description = TITLES[kind].exec(lines[0] ?? '')?.[1] ?? '';
  return {
    kind,
    name,
    description: kind === 'filter' ? (/^ {2}(\S.*)$/.exec(lines[1] ?? '')?.[1] ?? '') : description,
    options: unique(parseOptions(lines)),
    ...kindFields(kind, lines),
  };
}

/** Removes repeated options: ffmpeg prints a shared class twice. */
function unique(options: Component['options']): Component['options'] {
  const seen = new Set<string>();
  return options.filter(({ name }) => !seen.has(name) && seen.add(name));
}

type KindFields = Omit<Component, 'kind' | 'name' | 'description' | 'options'>;

function kindFields(kind: ComponentKind, lines: readonly string[]): KindFields {
  if (kind === 'filter')
    return {
      inputs: padsOf('Inputs', lines),
      outputs: padsOf('Outputs', lines),
      timeline: lines.some(isTimeline),
      positions: positionsOf(lines),
    };
  if (kind === 'bsf') return listed('codecs', words(lineOf('Supported codecs', lines)));
  if (kind === 'muxer' || kind === 'demuxer') {
    const mimeType = lineOf('Mime type', lines)?.replace(/\.$/, '');
    const codecs = defaultCodecs(lines);
    return {
      ...listed('extensions', lineOf('Common extensions', lines)?.replace(/\.$/, '').split(',')),
      ...(mimeType !== undefined && { mimeType }),
      ...(kind === 'muxer' && Object.keys(codecs).length > 0 && { defaultCodecs: codecs }),
    };
  }
  return {
    ...listed('pixelFormats', words(lineOf('Supported pixel formats', lines))),
    ...listed('sampleFormats', words(lineOf('Supported sample formats', lines))),
    ...listed('sampleRates', words(lineOf('Supported sample rates', lines))?.map(Number)),
    ...listed('channelLayouts', layouts(lineOf('Supported channel layouts', lines))),
    ...listed('frameRates', words(lineOf('Supported framerates', lines))),
  };
}

const CLASS = /^(\S.*) AVOptions:$/;

/** Classes of options that several filters share. A value without a name never sets one of these options. */
const HELPERS: ReadonlySet<string> = new Set(['framesync', 'SWScaler', 'SWResampler']);

/**
 * The options that values without a name set. The filter's own class comes first in the help. Like `process_options` of avfilter.c, this
 * skips an alias directly after its option. ffmpeg recognises an alias by its offset, which the help does not show; here, an option with
 * the same help text as the previous option counts as its alias.
 */
function positionsOf(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => CLASS.test(line));
  if (from < 0 || HELPERS.has(CLASS.exec(lines[from] ?? '')?.[1] ?? '')) return [];
  const next = lines.findIndex((line, n) => n > from && CLASS.test(line));
  const own = parseOptions(lines.slice(from, next < 0 ? undefined : next));
  return own.filter((option, n) => !isAlias(option, own[n - 1])).map(({ name }) => name);
}

const isAlias = (option: AvOption, before: AvOption | undefined): boolean =>
  before !== undefined &&
  option.type === before.type &&
  option.help === before.help &&
  option.fallback === before.fallback &&
  option.min === before.min &&
  option.max === before.max;

const isTimeline = (line: string): boolean => line.includes('This filter has support for timeline');

/** The value in the line `    LABEL: VALUE`. */
function lineOf(label: string, lines: readonly string[]): string | undefined {
  const start = `    ${label}: `;
  return lines.find((line) => line.startsWith(start))?.slice(start.length);
}

const words = (text: string | undefined): string[] | undefined => text?.trim().split(/[\s,]+/);

/** ffmpeg prints a layout without a name as `2 channels (FC+LFE)`, but reads only `FC+LFE`. */
const layouts = (text: string | undefined): string[] | undefined =>
  words(text?.replace(/\d+ channels \((\S+?)\)/g, '$1'));

const listed = <K extends string, T>(key: K, values: readonly T[] | undefined): { [P in K]?: readonly T[] } =>
  values === undefined ? {} : ({ [key]: values } as { [P in K]?: readonly T[] });

function defaultCodecs(lines: readonly string[]): NonNullable<Component['defaultCodecs']> {
  const found = lines.flatMap((line) => {
    const [, kind, codec] = /^ {4}Default (video|audio|subtitle) codec: (\S+?)\.$/.exec(line) ?? [];
    return kind === undefined || codec === undefined || codec === 'none' ? [] : [[kind, codec]];
  });
  return Object.fromEntries(found);
}

/**
 * Parses the lines `#0: main (video)` under `Inputs:` or `Outputs:`. For "scale", ffmpeg 7.1 prints the word "dynamic" after the listed
 * pads. Few graphs use such further pads, so only the listed pads are returned.
 */
function padsOf(side: 'Inputs' | 'Outputs', lines: readonly string[]): Pads {
  const from = lines.indexOf(`    ${side}:`) + 1;
  const pads: Pad[] = [];
  for (const line of lines.slice(from)) {
    if (line.trim().startsWith('dynamic')) return pads.length === 0 ? 'dynamic' : pads;
    const [, name, media] = /^ +#\d+: (\S+) \((video|audio)\)$/.exec(line) ?? [];
    if (name === undefined || (media !== 'video' && media !== 'audio')) break;
    pads.push({ name, media });
  }
  return pads;
}

/** One letter each: encoding, decoding, filtering, video, audio, subtitles, export, read-only, bsf, run time, deprecated. */
const FLAGS = '([E.][D.][F.][V.][A.][S.][X.][R.][B.][T.][P.]?)';

/** Matches ` -crf <float> E..V....... help (from -1 to FLT_MAX) (default -1)`. A list has `[<int> ]`. Options of filters have no dash. */
const OPTION = new RegExp(`^ {2}[ -](\\S+)\\s+(\\[?)<(\\w+)>\\s*\\]?\\s*${FLAGS}(?: (.*))?$`);

/** Matches `     none            0            E..V.......`. A long name shifts the columns; a few names contain spaces. */
const CONSTANT = new RegExp(`^ {5}(\\S.*?)\\s+(?:(-?\\d+)\\s+)?${FLAGS}(?: (.*))?$`);

/** Parses the options in lines of ffmpeg's help. The constants of an option follow on the lines below it. Other lines are ignored. */
export function parseOptions(lines: Iterable<string>): AvOption[] {
  const options: AvOption[] = [];
  let constants: AvConstant[] = [];
  for (const line of lines) {
    const option = OPTION.exec(line);
    if (option !== null) {
      constants = [];
      options.push(optionOf(option, constants));
      continue;
    }
    const [, name, value, , help] = CONSTANT.exec(line) ?? [];
    if (name !== undefined)
      constants.push({ name, ...(value === undefined ? {} : { value: Number(value) }), help: help ?? '' });
  }
  return options;
}

function optionOf([, name = '', list, type = '', flags = '', text = '']: RegExpExecArray, constants: AvConstant[]) {
  const [e, d, , v, a, s, , r, , t, p] = flags;
  return {
    name,
    type: typeOf(type),
    list: list === '[',
    encoding: e === 'E',
    decoding: d === 'D',
    media: `${v}${a}${s}`.replaceAll('.', ''),
    runtime: t === 'T',
    deprecated: p === 'P',
    readOnly: r === 'R',
    ...tailOf(text),
    constants,
  } satisfies AvOption;
}

const typeOf = (name: string): AvType =>
  name === 'unsigned' ? 'uint' : (AV_TYPES.find((type) => type === name) ?? 'string');

/** Splits the range and the default off the end of a help text. */
function tailOf(text: string): Pick<AvOption, 'help' | 'min' | 'max' | 'fallback'> {
  const [whole, fallback] = / ?\(default (?:"(.*)"|(.*?))\)$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  const head = whole === undefined ? text : text.slice(0, -whole.length);
  const range = / ?\(from (\S+) to (\S+)\)$/.exec(head);
  const min = range === null ? undefined : boundOf(range[1] ?? '', -1);
  const max = range === null ? undefined : boundOf(range[2] ?? '', 1);
  return {
    help: (range === null ? head : head.slice(0, -range[0].length)).trim(),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(fallback !== undefined && { fallback }),
  };
}

const FLOAT_MAX = 3.4028234663852886e38;
const FLOAT_MIN = 1.1754943508222875e-38;
const DOUBLE_MIN = 2.2250738585072014e-308;

const NAMED: Readonly<Record<string, number>> = {
  INT_MAX: 2147483647,
  INT_MIN: -2147483648,
  UINT32_MAX: 4294967295,
  I64_MAX: 2 ** 63,
  I64_MIN: -(2 ** 63),
  FLT_MAX: FLOAT_MAX,
  '-FLT_MAX': -FLOAT_MAX,
  FLT_MIN: FLOAT_MIN,
  '-FLT_MIN': -FLOAT_MIN,
  DBL_MAX: Number.MAX_VALUE,
  '-DBL_MAX': -Number.MAX_VALUE,
  DBL_MIN: DOUBLE_MIN,
  '-DBL_MIN': -DOUBLE_MIN,
};

/** Parses a bound of a range. If it is rounded, moves it outwards by the rounding error. undefined: infinite, or not a number. */
function boundOf(text: string, outward: 1 | -1): number | undefined {
  const named = NAMED[text];
  if (named !== undefined) return named;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  const [, mantissa = '', exponent] = /^-?([\d.]+)(?:e([+-]\d+))?$/.exec(text) ?? [];
  const digits = mantissa.replace('.', '').replace(/^0+/, '').length;
  if (digits < 6 || (exponent === undefined && !mantissa.includes('.'))) return value;
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return value + outward * 0.5 * 10 ** (Number(exponent ?? 0) - decimals);
}
