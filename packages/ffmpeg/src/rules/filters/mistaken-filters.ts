import { sendOption } from '@telecine/contract/domain/edit.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { DECIBEL_OPTIONS } from '../../allowlist/filter-text.ts';
import { wordSet } from '../../allowlist/words.ts';
import { type Graph, type GraphChain, type GraphFilter, printGraph, walkOf } from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import { withApostrophes } from '../../filtergraph/parse.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import { type Rules, unusualValue } from '../contexts.ts';
import { followedBy, newFilter } from '../facts/graph-fixes.ts';
import { optionValue } from '../facts/media-facts.ts';
import { sendGraph, type WrittenGraph, writtenGraphs } from '../facts/written-graphs.ts';

/** Formats of images. For them, the client may want the palette itself. */
const IMAGES: ReadonlySet<string> = new Set(['image2', 'apng', 'webp']);

const finding = (graph: WrittenGraph, message: string, chains: Graph['chains'], code = 'UNUSUAL_VALUE'): Warning => ({
  ...{ field: graph.option.field, code, message },
  fix: sendGraph(graph, { ...graph.written, chains }),
});

/** Warns about two apostrophes in a text of `drawtext` (`It's Bob's`), which ffmpeg reads as quotes, and about lost line breaks. */
function mistakenText(option: ArgvOption, text: string): Warning | undefined {
  const inQuotes = withApostrophes(text);
  const meant = inQuotes ?? withLineBreaks(text);
  if (meant === undefined) return undefined;
  return unusualValue(
    inQuotes === undefined
      ? 'ffmpeg draws "\\n" in a text as the letter n. A new line is the character itself, which JSON writes as "\\n".'
      : 'Apostrophes between letters are quotes here, and are not drawn.',
    sendOption(sentName(option), meant),
    { field: option.field },
  );
}

/** Replaces a backslash with an "n" in a text of `drawtext` by a line break. Four or more backslashes may mean a visible backslash. */
function withLineBreaks(text: string): string | undefined {
  if (text.length > 500 || !text.includes('\\n') || !text.includes('drawtext=')) return undefined;
  const meant = text.replaceAll(/(?<=text=[^:]{0,300})(?<!\\)\\{1,3}n(?=[A-Z\s'"\d]|$)/g, '\n');
  return meant === text ? undefined : meant;
}

const LINEARIZING: ReadonlySet<string> = new Set(['zscale', 'libplacebo', 'setparams', 'lut3d', 'hwupload']);

const keyed = (values: Readonly<Record<string, string>>): readonly GraphOption[] =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

/** Finds `tonemap` without a conversion to linear light before it. The filter needs linear light, and frames of a video have gamma. */
function gammaTones(graph: WrittenGraph): Warning | undefined {
  const [chain = [], ...others] = graph.written.chains;
  const at = chain.findIndex(({ name }) => name === 'tonemap');
  const tonemap = chain[at];
  if (tonemap === undefined || others.length > 0) return undefined;
  if (chain.slice(0, at).some(({ name }) => LINEARIZING.has(name))) return undefined;
  const isFormatted = chain[at + 1]?.name === 'format';
  const meant: GraphChain = [
    ...chain.slice(0, at),
    newFilter('zscale', keyed({ t: 'linear', npl: '100' }), { inputs: tonemap.inputs }),
    newFilter('format', [{ value: 'gbrpf32le' }]),
    newFilter('zscale', keyed({ p: 'bt709' })),
    ...followedBy({ ...tonemap, inputs: [] }, newFilter('zscale', keyed({ t: 'bt709', m: 'bt709', r: 'tv' }))),
    ...(isFormatted ? [] : [newFilter('format', [{ value: 'yuv420p' }])]),
    ...chain.slice(at + 1),
  ];
  return finding(graph, 'The filter "tonemap" reads linear light, which the frames of a video are not.', [meant]);
}

/** Finds `split=3[a][b]`: it has more outputs than labels, and ffmpeg adds the third output to the first output file. */
function unusedSplits(graph: WrittenGraph): Warning | undefined {
  let found: GraphFilter | undefined;
  const chains = graph.written.chains.map((chain) =>
    chain.map((filter): GraphFilter => {
      const [count, ...others] = filter.options;
      const isCounted = /^a?split$/.test(filter.name) && others.length === 0 && /^\d{1,3}$/.test(count?.value ?? '');
      const { length } = filter.outputs;
      if (!isCounted || filter !== chain.at(-1) || length < 1 || length >= Number(count?.value)) return filter;
      found ??= filter;
      return { ...filter, options: count === undefined ? [] : [{ ...count, value: String(length) }] };
    }),
  );
  if (found === undefined) return undefined;
  const { length } = found.outputs;
  const count = found.options[0]?.value;
  const labelled = length === 1 ? 'one has a label' : `${length} have labels`;
  return finding(
    graph,
    `"${found.name}=${count}" makes ${count} streams, and ${labelled}: the rest is added to the first output.`,
    chains,
  );
}

/** Finds a graph that ends with `palettegen`, so that the output is only the palette, an image of 16x16 pixels. */
function paletteAlone(graph: WrittenGraph): Warning | undefined {
  const [chain, ...others] = graph.written.chains;
  const last = chain?.at(-1);
  if (chain === undefined || last?.name !== 'palettegen' || others.length > 0) return undefined;
  const before = chain.slice(0, -1);
  const inputs = before.length > 0 ? [] : last.inputs;
  return finding(
    graph,
    `"${sentName(graph.option)}" ends with "palettegen", so the output is only the palette, an image of 16x16.`,
    [
      [...before, newFilter('split', [], { inputs, outputs: ['film', 'copy'] })],
      [{ ...last, inputs: ['copy'], outputs: ['colors'] }],
      [newFilter('paletteuse', [], { inputs: ['film', 'colors'], outputs: last.outputs })],
    ],
    'PALETTE_ONLY',
  );
}

/** Aspect ratios that clients send as a size: `crop=16:9` outputs frames of 16x9 pixels. */
const RATIOS = wordSet('16:9 9:16 4:3 3:4 1:1 4:5 5:4 21:9 3:2 2:3');

/** Returns the numbers of an aspect ratio that stands in the place of width and height. undefined: other values, or further options. */
function ratioIn({ options }: GraphFilter, names: RegExp): readonly string[] | undefined {
  const isSize = options.length === 2 && options.every(({ key = '' }) => names.test(key));
  const text = options.map(({ value }) => value).join(':');
  return isSize && RATIOS.has(text) ? text.split(':') : undefined;
}

function ratioCrop(filter: GraphFilter): readonly GraphOption[] | undefined {
  const [x, y] = ratioIn(filter, /^(?:out_)?[wh]$/) ?? [];
  return x === undefined ? undefined : [{ value: `min(iw,ih*${x}/${y})` }, { value: `min(ih,iw*${y}/${x})` }];
}

function ratioPad(filter: GraphFilter): readonly GraphOption[] | undefined {
  const [x, y] = ratioIn(filter, /^(?:w|width|h|height)$/) ?? [];
  if (x === undefined) return undefined;
  const [w, h] = [`ceil(max(iw,ih*${x}/${y})/2)*2`, `ceil(max(ih,iw*${y}/${x})/2)*2`];
  return keyed({ w, h, x: '(ow-iw)/2', y: '(oh-ih)/2' });
}

/** Converts values of `afade` without names to seconds: ffmpeg reads samples, so `afade=out:5:2` lasts two samples. */
function secondsOfFade(filter: GraphFilter): readonly GraphOption[] | undefined {
  const isShort = (text: string | undefined): text is string => /^\d{1,2}$/.test(text ?? '');
  const length = optionValue(filter, 'nb_samples', 'ns');
  const start = optionValue(filter, 'start_sample', 'ss');
  const t = optionValue(filter, 'type', 't') ?? 'in';
  if (filter.options.length === 2 && length === undefined && isShort(start)) return keyed({ t, d: start });
  return filter.options.length === 3 && isShort(length) ? keyed({ t, st: start ?? '0', d: length }) : undefined;
}

/** Returns what `equalizer=1000:3` means: a gain of 3 dB. ffmpeg reads the 3 as the width type, and changes nothing. */
function gainOfBand({ options: [frequency, type, ...others] }: GraphFilter): readonly GraphOption[] | undefined {
  const isType = type?.key === 'width_type' && /^\+?[1-5](?:\.\d+)?$/.test(type.value);
  if (frequency === undefined || !isType || others.length > 0) return undefined;
  return keyed({ f: frequency.value, g: type.value });
}

const inPixels = ({ name, options }: GraphFilter): string =>
  `The filter "${name}" reads pixels, so the video is only ${options.map(({ value }) => value).join('x')}.`;

type MistakenTogether = Readonly<{
  meant: (filter: GraphFilter) => readonly GraphOption[] | undefined;
  message: (filter: GraphFilter) => string;
}>;

const MISTAKEN_TOGETHER: Readonly<Record<string, MistakenTogether>> = {
  crop: { meant: ratioCrop, message: inPixels },
  pad: { meant: ratioPad, message: inPixels },
  afade: { meant: secondsOfFade, message: () => 'Values of "afade" without a name count samples, not seconds.' },
  equalizer: {
    meant: gainOfBand,
    message: () => 'The second value of "equalizer" is the kind of its width, and without a gain it changes nothing.',
  },
};

/** A value of a filter option that ffmpeg accepts and that certainly means something else than intended. */
interface Mistake {
  readonly code?: 'DEGREES';
  readonly options: readonly string[];
  /** Larger absolute values are a mistake. */
  readonly limit: number;
  readonly message: (value: string, option: string) => string;
  /** Matches the values to check. Default: plain numbers. */
  readonly pattern?: RegExp;
  readonly meant: (value: string) => string;
}

const angle = (filter: string): Mistake => ({
  code: 'DEGREES',
  options: ['angle', 'a'],
  limit: 2 * Math.PI,
  message: (value) => `The filter "${filter}" reads its angle in radians: ${value} is not ${value} degrees.`,
  meant: (value) => `${value}*PI/180`,
});

/** A percentage, sent where the filter reads a factor: `eq=contrast=120`. */
const factor = (options: readonly string[], limit: number, effect: (value: string) => string): Mistake => ({
  options,
  limit,
  message: (value) => `"${options[0]}" is a factor, not a percentage: ${value} ${effect(value)}.`,
  meant: (value) => String(Number((Number(value) / 100).toPrecision(6))),
});

/** Decibels, sent where the filter reads a factor: `volume=-6`. Not -1: this factor inverts the wave at the same loudness. */
const SIGNED_VOLUME: Mistake = {
  options: ['volume'],
  limit: 0,
  pattern: /^(?!-1(?:\.0*)?$)[-+][\d.]+$/,
  message: (value) =>
    `"volume" is a factor, not decibels: ${value} makes the audio ${Math.abs(Number(value))} times as loud.`,
  meant: (value) => `${value}dB`,
};

/** A speed, sent where the filter reads times: `setpts=0.5` gives every frame the same time. */
const speed = (filter: string): Mistake => ({
  options: ['expr'],
  limit: 0,
  message: (value) => `${value} in "${filter}" gives all frames the same time.`,
  meant: (value) => `${value}*PTS`,
});

/** A `volume` from 20 on is a percentage. The factor 20 would be 26 dB, more than any intact recording needs. */
const MAX_GAIN = 19.99;

/** The unit `dB`, sent for an option that is already in decibels. ffmpeg reads `3dB` as the factor 1.41. */
const decibels = (filter: string, options: readonly string[]): Mistake => ({
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
  volume: [SIGNED_VOLUME, factor(['volume'], MAX_GAIN, (value) => `makes the audio ${value} times louder`)],
  eq: [
    factor(['brightness'], 1, () => 'is cut to 1'),
    factor(['contrast'], 10, () => 'leaves only black and white'),
    factor(['saturation'], 3, () => 'is cut to 3'),
    factor(['gamma', 'gamma_r', 'gamma_g', 'gamma_b'], 10, () => 'is cut to 10'),
  ],
  hue: [factor(['s'], 10, () => 'is cut to 10'), factor(['b'], 10, () => 'is cut to 10')],
};

function mistakenValues(graph: WrittenGraph): readonly Warning[] {
  const { written, checked } = graph;
  if (!walkOf(checked).filters.some(isMistaken)) return [];
  const found: Pick<Warning, 'code' | 'message'>[] = [];
  const chains = written.chains.map((chain, row) =>
    chain.flatMap((filter, column): GraphChain => {
      const named = checked.chains[row]?.[column];
      const together = MISTAKEN_TOGETHER[filter.name];
      const meantOptions = named && together?.meant(named);
      if (named !== undefined && together !== undefined && meantOptions !== undefined) {
        found.push({ code: 'UNUSUAL_VALUE', message: together.message(named) });
        return [{ ...filter, options: meantOptions }];
      }
      let meant: GraphChain = [filter];
      for (const [at, { key = '', value }] of (named?.options ?? []).entries()) {
        const mistake = mistakeOf(filter.name, key, value);
        if (mistake === undefined || meant.length > 1) continue;
        found.push({ code: mistake.code ?? 'UNUSUAL_VALUE', message: mistake.message(value, key) });
        meant = meant.flatMap((one) => replaceValue(one, at, value, mistake));
      }
      return meant;
    }),
  );
  const fix = sendOption(sentName(graph.option), printGraph({ ...written, chains }));
  return found.map((one) => ({ field: graph.option.field, ...one, fix }));
}

const isMistaken = (filter: GraphFilter): boolean =>
  MISTAKEN_TOGETHER[filter.name]?.meant(filter) !== undefined ||
  filter.options.some(({ key = '', value }) => mistakeOf(filter.name, key, value) !== undefined);

const mistakeOf = (filter: string, key: string, value: string): Mistake | undefined =>
  MISTAKES[filter]?.find(
    ({ options, limit, pattern = /^[-+]?[\d.]+$/ }) =>
      options.includes(key) && pattern.test(value) && Math.abs(readPlainNumber(value) ?? 0) > limit,
  );

/** Returns the filter with the intended value. A rotation by a quarter turn becomes `transpose`, which also swaps width and height. */
function replaceValue(filter: GraphFilter, index: number, value: string, mistake: Mistake): GraphChain {
  const isTurn = filter.name === 'rotate' && filter.options.length === 1;
  const turn = isTurn ? ((Number(value) % 360) + 360) % 360 : undefined;
  if (turn === 90 || turn === 270)
    return [{ ...filter, name: 'transpose', options: [{ value: turn === 90 ? '1' : '2' }] }];
  if (turn === 180)
    return followedBy({ ...filter, name: 'hflip', options: [] }, { ...filter, name: 'vflip', options: [], inputs: [] });
  const meant = mistake.meant(value);
  return [{ ...filter, options: filter.options.map((one, at) => (at === index ? { ...one, value: meant } : one)) }];
}

export const MISTAKEN_FILTER_RULES: Rules = {
  'mistaken-filters': {
    finds: 'a filter or a value of one that ffmpeg accepts and that is a mistake, such as degrees for radians',
    about: ['filter', 'filter_complex'],
    plan: ({ options, muxer }) =>
      options.flatMap((option) => {
        const text = option.graphs?.length === 1 ? (option.texts?.[0] ?? '') : '';
        const inText = mistakenText(option, text);
        if (inText !== undefined) return inText;
        return writtenGraphs([option]).flatMap((graph) => {
          const palette = IMAGES.has(muxer) ? undefined : paletteAlone(graph);
          return [mistakenValues(graph), gammaTones(graph) ?? [], unusedSplits(graph) ?? [], palette ?? []].flat();
        });
      }),
  },
};
