import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { DECIBEL_OPTIONS } from '../../allowlist/filter-text.ts';
import {
  type Graph,
  type GraphChain,
  type GraphFilter,
  isGraphError,
  printGraph,
  walkOf,
} from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import { withApostrophes } from '../../filtergraph/parse.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { Rule } from '../contexts.ts';

/**
 * Warns about filters with values that ffmpeg accepts, but that are certainly mistakes. Each fix is the whole
 * filtergraph.
 *
 * @param isFilm Whether the output has more than one picture.
 */
export const mistakenFilters = (options: readonly ArgvOption[], isFilm: boolean): readonly Warning[] =>
  options.flatMap((option) =>
    (option.graphs?.length === 1 ? option.graphs : []).flatMap((written, index) => {
      const apostrophes = lostApostrophes(option, index);
      if (apostrophes !== undefined) return [apostrophes];
      const lines = lostLines(option, index);
      if (lines !== undefined) return [lines];
      const checked = option.checkedGraphs?.[index];
      if (isGraphError(written) || checked === undefined) return [];
      return [
        ...mistakenValues(option, written, checked),
        ...gammaTones(option, written),
        ...unusedSplits(option, written, walkOf(checked).names),
        ...(isFilm ? paletteAlone(option, written) : []),
      ];
    }),
  );

/** Filters that can make light linear. */
const LINEARIZING: ReadonlySet<string> = new Set(['zscale', 'libplacebo', 'setparams', 'lut3d', 'hwupload']);

/** `tonemap` reads linear light, and pictures of films are not linear. */
function gammaTones(option: ArgvOption, written: Graph): readonly Warning[] {
  const [chain, ...others] = written.chains;
  const at = chain?.findIndex(({ name }) => name === 'tonemap') ?? -1;
  const tonemap = chain?.[at];
  if (chain === undefined || tonemap === undefined || others.length > 0) return [];
  if (chain.slice(0, at).some(({ name }) => LINEARIZING.has(name))) return [];
  const filter = (name: string, options: readonly GraphOption[]): GraphFilter => ({
    inputs: [],
    name,
    options,
    outputs: [],
    at: 0,
  });
  const key = (name: string, value: string): GraphOption => ({ key: name, value });
  const meant: GraphChain = [
    ...chain.slice(0, at),
    { ...filter('zscale', [key('t', 'linear'), key('npl', '100')]), inputs: tonemap.inputs },
    filter('format', [{ value: 'gbrpf32le' }]),
    filter('zscale', [key('p', 'bt709')]),
    { ...tonemap, inputs: [], outputs: [] },
    {
      ...filter('zscale', [key('t', 'bt709'), key('m', 'bt709'), key('r', 'tv')]),
      outputs: tonemap.outputs,
    },
    ...(chain[at + 1]?.name === 'format' ? [] : [filter('format', [{ value: 'yuv420p' }])]),
    ...chain.slice(at + 1),
  ];
  return [
    {
      field: option.field,
      code: 'UNUSUAL_VALUE',
      message: 'The filter "tonemap" reads linear light, which the pictures of a film are not.',
      fix: sendOption(sentName(option), printGraph({ ...written, chains: [meant] })),
    },
  ];
}

/** `split=3[a][b]`: ffmpeg adds a stream without a label to the first output, beside those that are mapped. */
function unusedSplits(option: ArgvOption, written: Graph, names: ReadonlySet<string>): readonly Warning[] {
  if (!names.has('split') && !names.has('asplit')) return [];
  let found: GraphFilter | undefined;
  const chains = written.chains.map((chain) =>
    chain.map((filter, at): GraphFilter => {
      const [count, ...others] = filter.options;
      const isLast = at === chain.length - 1;
      const isSplit = /^a?split$/.test(filter.name) && others.length === 0 && /^\d{1,3}$/.test(count?.value ?? '');
      const { length } = filter.outputs;
      if (!isSplit || !isLast || length < 1 || length >= Number(count?.value)) return filter;
      found ??= filter;
      return { ...filter, options: count === undefined ? [] : [{ ...count, value: String(length) }] };
    }),
  );
  if (found === undefined) return [];
  const { name, options, outputs } = found;
  return [
    {
      field: option.field,
      code: 'UNUSUAL_VALUE',
      message: `"${name}=${options[0]?.value}" makes ${options[0]?.value} streams, and ${outputs.length === 1 ? 'one has a label' : `${outputs.length} have labels`}: the rest is added to the first output.`,
      fix: sendOption(sentName(option), printGraph({ ...written, chains })),
    },
  ];
}

/** Two apostrophes of a text are a pair of quotes, so ffmpeg removes them: `It's Bob's`. */
function lostApostrophes(option: ArgvOption, index: number): Warning | undefined {
  const text = option.texts?.[index];
  const meant = text === undefined ? undefined : withApostrophes(text);
  if (text === undefined || meant === undefined) return undefined;
  return {
    field: option.field,
    code: 'UNUSUAL_VALUE',
    message: 'Apostrophes between letters are quotes here, and are not drawn.',
    fix: sendOption(sentName(option), meant),
  };
}

/**
 * `\\n` in a text is an escaped "n", so ffmpeg draws that letter. A new line is the character itself. Of four backslashes and more, one can be
 * left that is drawn.
 */
function lostLines(option: ArgvOption, index: number): Warning | undefined {
  const text = option.texts?.[index] ?? '';
  if (text.length > 500 || !text.includes('\\n') || !text.includes('drawtext=')) return undefined;
  const meant = text.replaceAll(/(?<=text=[^:]{0,300})(?<!\\)\\{1,3}n(?=[A-Z\s'"\d]|$)/g, '\n');
  if (meant === text) return undefined;
  return {
    field: option.field,
    code: 'UNUSUAL_VALUE',
    message:
      'ffmpeg draws "\\n" in a text as the letter n. A new line is the character itself, which JSON writes as "\\n".',
    fix: sendOption(sentName(option), meant),
  };
}

/** `crop=16:9` takes a picture of 16 by 9 pixels. */
const RATIOS: ReadonlySet<string> = new Set('16:9 9:16 4:3 3:4 1:1 4:5 5:4 21:9 3:2 2:3'.split(' '));

/** The crop to an aspect ratio, if a crop has the numbers of one. */
function ratioCrop({ name, options }: GraphFilter): readonly GraphOption[] | undefined {
  const text = options
    .filter(({ key }) => key === 'out_w' || key === 'w' || key === 'out_h' || key === 'h')
    .map(({ value }) => value)
    .join(':');
  if (name !== 'crop' || options.length !== 2 || !RATIOS.has(text)) return undefined;
  const [x, y] = text.split(':');
  return [{ value: `min(iw,ih*${x}/${y})` }, { value: `min(ih,iw*${y}/${x})` }];
}

/** The frame with an aspect ratio around the whole picture, if a frame has the numbers of one. */
function ratioPad({ name, options }: GraphFilter): readonly GraphOption[] | undefined {
  const text = options.map(({ value }) => value).join(':');
  const isSize = options.every(({ key = '' }) => /^(?:w|width|h|height)$/.test(key));
  if (name !== 'pad' || options.length !== 2 || !isSize || !RATIOS.has(text)) return undefined;
  const [x, y] = text.split(':');
  return [
    { key: 'w', value: `ceil(max(iw,ih*${x}/${y})/2)*2` },
    { key: 'h', value: `ceil(max(ih,iw*${y}/${x})/2)*2` },
    { key: 'x', value: '(ow-iw)/2' },
    { key: 'y', value: '(oh-ih)/2' },
  ];
}

/** Positional values of `afade` count samples: `afade=out:5:2` lasts two samples. */
function secondsOfFade({ name, options }: GraphFilter): readonly GraphOption[] | undefined {
  const value = (...names: readonly string[]): string | undefined =>
    options.find(({ key = '' }) => names.includes(key))?.value;
  const length = value('nb_samples', 'ns');
  const start = value('start_sample', 'ss');
  // `afade=out:2`
  if (name === 'afade' && options.length === 2 && length === undefined && /^\d{1,2}$/.test(start ?? ''))
    return [
      { key: 't', value: value('type', 't') ?? 'in' },
      { key: 'd', value: start ?? '' },
    ];
  if (name !== 'afade' || length === undefined || !/^\d{1,2}$/.test(length) || options.length !== 3) return undefined;
  return [
    { key: 't', value: value('type', 't') ?? 'in' },
    { key: 'st', value: value('start_sample', 'ss') ?? '0' },
    { key: 'd', value: length },
  ];
}

/** The gain of a band, if an equalizer has only a kind of width: `equalizer=1000:3` changes nothing. */
function gainOfBand({ name, options }: GraphFilter): readonly GraphOption[] | undefined {
  const [frequency, type, ...others] = options;
  const isType = type?.key === 'width_type' && /^\+?[1-5](?:\.\d+)?$/.test(type.value);
  if (name !== 'equalizer' || frequency === undefined || type === undefined || !isType || others.length > 0)
    return undefined;
  return [
    { key: 'f', value: frequency.value },
    { key: 'g', value: type.value },
  ];
}

/** The options that a filter is meant to have, if all of its values together are mistaken. */
function otherOptions(
  filter: GraphFilter,
): { readonly options: readonly GraphOption[]; readonly message: string } | undefined {
  const way = WAYS[filter.name];
  const options = way?.meant(filter);
  return way && options && { options, message: way.message(filter) };
}

const inPixels = ({ name, options }: GraphFilter): string =>
  `The filter "${name}" reads pixels, so the picture is only ${options.map(({ value }) => value).join('x')}.`;

/** How the options of a filter can be mistaken together. */
const WAYS: Readonly<
  Record<
    string,
    {
      readonly meant: (filter: GraphFilter) => readonly GraphOption[] | undefined;
      readonly message: (filter: GraphFilter) => string;
    }
  >
> = {
  crop: { meant: ratioCrop, message: inPixels },
  pad: { meant: ratioPad, message: inPixels },
  afade: { meant: secondsOfFade, message: () => 'Values of "afade" without a name count samples, not seconds.' },
  equalizer: {
    meant: gainOfBand,
    message: () => 'The second value of "equalizer" is the kind of its width, and without a gain it changes nothing.',
  },
};

/** A plain value of a filter option that is certainly meant otherwise. */
interface Mistake {
  readonly code: 'DEGREES' | 'UNUSUAL_VALUE';
  readonly options: readonly string[];
  /** The largest absolute value that can be meant. */
  readonly limit: number;
  readonly message: (value: string, option: string) => string;
  /** Matches values that can be mistaken. Default: plain numbers. */
  readonly pattern?: RegExp;
  /** What is meant. */
  readonly meant: (value: string) => string;
}

const angle = (filter: string): Mistake => ({
  code: 'DEGREES',
  options: ['angle', 'a'],
  limit: 2 * Math.PI,
  message: (value) => `The filter "${filter}" reads its angle in radians: ${value} is not ${value} degrees.`,
  meant: (value) => `${value}*PI/180`,
});

/** A percentage where the filter reads a factor. */
const factor = (options: readonly string[], limit: number, effect: (value: string) => string): Mistake => ({
  code: 'UNUSUAL_VALUE',
  options,
  limit,
  message: (value) => `"${options[0]}" is a factor, not a percentage: ${value} ${effect(value)}.`,
  meant: (value) => String(Number((Number(value) / 100).toPrecision(6))),
});

/**
 * Decibels where the filter reads a factor: people give only those a sign. -1 is another matter: it turns the wave over and
 * keeps the loudness.
 */
const SIGNED_VOLUME: Mistake = {
  code: 'UNUSUAL_VALUE',
  options: ['volume'],
  limit: 0,
  pattern: /^(?!-1(?:\.0*)?$)[-+][\d.]+$/,
  message: (value) =>
    `"volume" is a factor, not decibels: ${value} makes the sound ${Math.abs(Number(value))} times as loud.`,
  meant: (value) => `${value}dB`,
};

/** A number without the time of the frame gives all frames the same time. */
const speed = (filter: string): Mistake => ({
  code: 'UNUSUAL_VALUE',
  options: ['expr'],
  limit: 0,
  message: (value) => `${value} in "${filter}" gives all frames the same time.`,
  meant: (value) => `${value}*PTS`,
});

/** 20 times louder is 26 dB: more than recordings need that are not broken. */
const MAX_GAIN = 19.99;

/** A level with a unit, for an option that is in decibels itself: ffmpeg reads `3dB` as the factor 1.41. */
const decibels = (filter: string, options: readonly string[]): Mistake => ({
  code: 'UNUSUAL_VALUE',
  options,
  limit: 0,
  pattern: /^[-+]?[\d.]+dB$/,
  message: (value, option) =>
    `"${filter}=${option}" is in decibels, and ffmpeg reads "${value}" as the factor ${Number(readPlainNumber(value)?.toPrecision(3))}.`,
  meant: (value) => value.replace(/^\+|dB$/g, ''),
});

const MISTAKES: Readonly<Record<string, readonly Mistake[]>> = {
  ...Object.fromEntries([...DECIBEL_OPTIONS].map(([name, options]) => [name, [decibels(name, options)]])),
  rotate: [angle('rotate')],
  vignette: [angle('vignette')],
  setpts: [speed('setpts')],
  asetpts: [speed('asetpts')],
  volume: [SIGNED_VOLUME, factor(['volume'], MAX_GAIN, (value) => `makes the sound ${value} times louder`)],
  eq: [
    factor(['brightness'], 1, () => 'is cut to 1'),
    factor(['contrast'], 10, () => 'leaves only black and white'),
    factor(['saturation'], 3, () => 'is cut to 3'),
    factor(['gamma', 'gamma_r', 'gamma_g', 'gamma_b'], 10, () => 'is cut to 10'),
  ],
  hue: [factor(['s'], 10, () => 'is cut to 10'), factor(['b'], 10, () => 'is cut to 10')],
};

function mistakenValues(option: ArgvOption, written: Graph, checked: Graph): readonly Warning[] {
  if (!walkOf(checked).filters.some(isMistaken)) return [];
  const found: Omit<Warning, 'fix'>[] = [];
  const chains = written.chains.map((chain, row) =>
    chain.flatMap((filter, column): GraphChain => {
      let meant: GraphChain = [filter];
      const named = checked.chains[row]?.[column];
      const other = named && otherOptions(named);
      if (other !== undefined) {
        found.push({ field: option.field, code: 'UNUSUAL_VALUE', message: other.message });
        return [{ ...filter, options: other.options }];
      }
      for (const [at, { key = '', value }] of (checked.chains[row]?.[column]?.options ?? []).entries()) {
        const mistake = mistakeOf(filter.name, key, value);
        if (mistake === undefined || meant.length > 1) continue;
        found.push({ field: option.field, code: mistake.code, message: mistake.message(value, key) });
        meant = meant.flatMap((one) => replaceValue(one, at, value, mistake));
      }
      return meant;
    }),
  );
  const fix = sendOption(sentName(option), printGraph({ ...written, chains }));
  return found.map((one) => ({ ...one, fix }));
}

const isMistaken = (filter: GraphFilter): boolean =>
  otherOptions(filter) !== undefined ||
  filter.options.some(({ key = '', value }) => mistakeOf(filter.name, key, value) !== undefined);

const mistakeOf = (filter: string, key: string, value: string): Mistake | undefined =>
  MISTAKES[filter]?.find((one) => one.options.includes(key) && isBeyond(value, one));

const isBeyond = (value: string, { limit, pattern = /^[-+]?[\d.]+$/ }: Mistake): boolean =>
  pattern.test(value) && Math.abs(readPlainNumber(value) ?? 0) > limit;

const replaceValue = (filter: GraphFilter, at: number, value: string, mistake: Mistake): GraphChain =>
  filter.name === 'rotate'
    ? turned(filter, at, value, mistake.meant(value))
    : [withValue(filter, at, mistake.meant(value))];

const withValue = (filter: GraphFilter, index: number, value: string): GraphFilter => ({
  ...filter,
  options: filter.options.map((one, at) => (at === index ? { ...one, value } : one)),
});

/**
 * Returns the filters that turn the picture by `degrees`. For a quarter turn, `transpose` also swaps width and height.
 * Other angles stay with the filter that was sent.
 */
function turned(filter: GraphFilter, index: number, value: string, radians: string): GraphChain {
  const isAlone = filter.options.length === 1;
  const turn = isAlone ? ((Number(value) % 360) + 360) % 360 : undefined;
  if (turn === 90 || turn === 270)
    return [{ ...filter, name: 'transpose', options: [{ value: turn === 90 ? '1' : '2' }] }];
  if (turn === 180)
    return [
      { ...filter, name: 'hflip', options: [], outputs: [] },
      { ...filter, name: 'vflip', options: [], inputs: [] },
    ];
  return [withValue(filter, index, radians)];
}

/** A graph that ends with `palettegen` outputs one picture of 16 by 16 pixels: the palette. */
function paletteAlone(option: ArgvOption, written: Graph): readonly Warning[] {
  const [chain, ...others] = written.chains;
  const last = chain?.at(-1);
  if (chain === undefined || last?.name !== 'palettegen' || others.length > 0) return [];
  const before = chain.slice(0, -1);
  const split = { name: 'split', inputs: before.length > 0 ? [] : last.inputs, outputs: ['film', 'copy'] };
  const use = { name: 'paletteuse', inputs: ['film', 'colors'], outputs: last.outputs };
  const meant: Graph = {
    ...written,
    chains: [
      [...before, { ...split, options: [], at: 0 }],
      [{ ...last, inputs: ['copy'], outputs: ['colors'] }],
      [{ ...use, options: [], at: 0 }],
    ],
  };
  return [
    {
      field: option.field,
      code: 'PALETTE_ONLY',
      message: `"${sentName(option)}" ends with "palettegen", so the output is only the palette, a picture of 16x16.`,
      fix: sendOption(sentName(option), printGraph(meant)),
    },
  ];
}

/** Formats in which a palette is a usual output. */
const PICTURES: ReadonlySet<string> = new Set(['image2', 'apng', 'webp']);

const MISTAKEN_FILTERS: Rule = {
  id: 'mistaken-filters',
  finds: 'a filter or a value of one that ffmpeg accepts and that is a mistake, such as degrees for radians',
  about: ['filter', 'filter_complex'],
  plan: ({ options, muxer }) => mistakenFilters(options, !PICTURES.has(muxer)),
};

export const MISTAKEN_FILTER_RULES: readonly Rule[] = [MISTAKEN_FILTERS];
