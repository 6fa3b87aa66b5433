import type { Recipe, RecipeDefinition } from '@telecine/client';
import { CUT_SETTINGS } from '../../packages/contract/src/domain/cut.ts';
import type { ArgumentUnit } from '../../packages/contract/src/domain/recipe.ts';
import { baseName, isGraph, kindOf, type OptionMeaning } from '../workbench/option-help.ts';
import { freeName } from './argument-names.ts';
import {
  isOption,
  type OptionGroup,
  optionGroups,
  type RecipeOption,
  type RecipePath,
  withText,
} from './option-texts.ts';

type Argument = Recipe['arguments'][string];

/** A value in the text of an option that can become an argument. */
export interface OptionValue {
  /** What the value is now. */
  readonly value: string;
  /** What it is of, in words: `width of scale`. undefined: it is the whole option. */
  readonly part?: string;
  /** The usual name of the argument. */
  readonly name: string;
  /** The argument, whose default is the value. */
  readonly argument: Argument;
  /** Whether people change such a value from file to file: a start, a length, a size, a quality. */
  readonly isLikely: boolean;
  /** Where the value is in the text, and what the text has after the reference, such as the `k` of a bit rate. */
  readonly from: number;
  readonly to: number;
  readonly after?: string;
}

/** A value of a recipe, and which text of which option has it. */
export interface FoundValue {
  readonly option: RecipeOption;
  readonly index: number;
  readonly value: OptionValue;
}

/** The recipe with values as arguments, in their order. */
export function withArguments(definition: RecipeDefinition, found: readonly FoundValue[]): RecipeDefinition {
  let named = definition;
  const edits = found.map((one) => {
    const name = freeName(named, one.value.name);
    named = {
      ...named,
      arguments: { ...named.arguments, [name]: one.value.argument } as RecipeDefinition['arguments'],
    };
    return { ...one, name };
  });
  // From the end of each text, because a reference moves what follows it.
  const backwards = edits.toSorted((a, b) => b.value.from - a.value.from);
  return backwards.reduce((changed, { option: { path }, index, name, value: { from, to, after = '' } }) => {
    const option = optionAt(changed, path);
    const text = option?.texts?.[index] ?? '';
    return option === undefined
      ? changed
      : withText(changed, option, index, `${text.slice(0, from)}{{${name}}}${after}${text.slice(to)}`);
  }, named);
}

/** The recipe with a value as an argument. */
export const withArgument = (
  definition: RecipeDefinition,
  option: RecipeOption,
  index: number,
  value: OptionValue,
): RecipeDefinition => withArguments(definition, [{ option, index, value }]);

const optionAt = (definition: RecipeDefinition, path: RecipePath): RecipeOption | undefined =>
  optionGroups(definition)
    .flatMap(({ options }) => options)
    .find((option) => option.path.join('.') === path.join('.'));

/** The values that people change from file to file. `meaningOf`: what ffmpeg says about an option. */
export const likelyValues = (
  groups: readonly OptionGroup[],
  meaningOf: (name: string, side: OptionGroup['side']) => OptionMeaning | undefined,
): readonly FoundValue[] =>
  groups.flatMap(({ side, options }) =>
    options.flatMap((option) =>
      (option.texts ?? []).flatMap((text, index) =>
        valuesOf(groups, option, text, isOption(option) ? meaningOf(option.name, side) : undefined)
          .filter(({ isLikely }) => isLikely)
          .map((value) => ({ option, index, value })),
      ),
    ),
  );

/** The values in a text of an option, by what the other options of the recipe make of it. */
export const valuesOf = (
  groups: readonly OptionGroup[],
  option: RecipeOption,
  text: string,
  meaning?: OptionMeaning,
): readonly OptionValue[] =>
  valuesIn(option, text, meaning).map((value) => (isLengthOf(groups, option) ? asLength(value) : value));

/** Whether an option is the length of a part: `to` of an output counts from the `ss` of an input. */
const isLengthOf = (groups: readonly OptionGroup[], { name, path }: RecipeOption): boolean =>
  name === 'to' &&
  path[0] === 'request' &&
  groups.some(({ side, options }) => side === 'input' && options.some((one) => one.name === 'ss'));

const asLength = (value: OptionValue): OptionValue => ({
  ...value,
  name: LENGTH.name,
  argument: { ...value.argument, description: LENGTH.description },
});

/** A value in words: `23, from 18 to 28 (crf)`. `isPending`: its range is not known yet. */
export function valueText({ option: { name }, value: { argument, part } }: FoundValue, isPending: boolean): string {
  const range = argument.type === 'number' && !isPending ? `, from ${argument.min} to ${argument.max}` : '';
  return `${argument.default}${range} (${part === undefined ? name : `${part}, ${name}`})`;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const TIME = /^(?:\d+:){0,2}\d+(?:\.\d+)?$/;

/** What is known of a value by the name of its option or of the parameter of its filter. */
interface Known {
  readonly name: string;
  readonly description: string;
  readonly type?: 'number' | 'time' | 'colour' | 'text';
  readonly range?: readonly [min: number, max: number];
  readonly isWhole?: boolean;
  readonly unit?: ArgumentUnit;
  readonly isLikely?: boolean;
}

const WIDTH: Known = {
  ...{ name: 'width', description: 'The width in pixels.' },
  ...{ range: [16, 8192], isWhole: true, unit: 'px', isLikely: true },
};
const HEIGHT: Known = { ...WIDTH, name: 'height', description: 'The height in pixels.', range: [16, 4320] };
const FPS: Known = { name: 'fps', description: 'Frames per second.', range: [1, 120], unit: 'fps', isLikely: true };
const COLOUR: Known = { name: 'colour', description: 'The colour.', type: 'colour', isLikely: true };
const START: Known = {
  ...{ name: 'start', description: 'Where the part begins, in seconds or as minutes:seconds.' },
  ...{ type: 'time', isLikely: true },
};
const LENGTH: Known = {
  ...{ name: 'length', description: 'How long the part is, in seconds or as minutes:seconds.' },
  ...{ type: 'time', isLikely: true },
};
const QUALITY: Known = { name: 'quality', description: 'The quality of the encoder.', isLikely: true };

/** Options that people change. The names are without stream specifiers. */
const OPTIONS: Readonly<Record<string, Known>> = {
  ss: START,
  t: LENGTH,
  to: { ...START, name: 'end', description: 'Where the part ends, in seconds or as minutes:seconds.' },
  r: FPS,
  crf: { ...QUALITY, description: 'The quality (crf). Less is better, and makes the file larger.' },
  cq: { ...QUALITY, description: 'The quality (cq). Less is better, and makes the file larger.' },
  qp: { ...QUALITY, description: 'The quality (qp). Less is better, and makes the file larger.' },
  q: { ...QUALITY, description: 'The quality (q). Less is better, and makes the file larger.' },
  qscale: { ...QUALITY, description: 'The quality (q). Less is better, and makes the file larger.' },
  global_quality: QUALITY,
  quality: QUALITY,
  duration: { ...LENGTH, name: 'seconds', description: 'How long the image is shown, in seconds.' },
  crossfade: { ...LENGTH, description: 'How long it fades in, in seconds.' },
};

/** Members of the request that people change. */
const SETTINGS: Readonly<Record<string, Known>> = {
  'quality.target': {
    ...{ name: 'target', description: 'How much the video is like its source, as SSIM: 0.98 looks the same.' },
    ...{ range: [0.8, 0.999], isLikely: true },
  },
  'ladder.target': {
    ...{ name: 'target', description: 'The quality of the best version, as SSIM: 0.98 looks like the source.' },
    ...{ range: [0.8, 0.999], isLikely: true },
  },
  'transcribe.language': {
    ...{ name: 'language', description: 'The code of the spoken language, or auto.' },
    ...{ type: 'text', isLikely: true },
  },
  'cut.remove.silence.minSeconds': {
    ...{ name: 'pause', description: 'From how many seconds on a silence is cut out.' },
    ...{ range: [CUT_SETTINGS.minSeconds.min, 60], unit: 's', isLikely: true },
  },
  'cut.remove.silence.noiseDb': {
    ...{ name: 'noise', description: 'Up to which level in dB it is silent.' },
    ...{ range: [CUT_SETTINGS.noiseDb.min, CUT_SETTINGS.noiseDb.max], unit: 'dB' },
  },
  'cut.keep.count': {
    ...{ name: 'scenes', description: 'How many scenes are kept.' },
    ...{ range: [CUT_SETTINGS.count.min, CUT_SETTINGS.count.max], isWhole: true, isLikely: true },
  },
  'cut.keep.partSeconds': {
    ...{ name: 'seconds', description: 'How many seconds of each scene are kept.' },
    ...{ range: [CUT_SETTINGS.partSeconds.min, 60], unit: 's', isLikely: true },
  },
};

const SIZE = { w: WIDTH, width: WIDTH, h: HEIGHT, height: HEIGHT };
const FADE_START: Known = { ...START, name: 'fadeStart', description: 'When it begins, in seconds.' };
const FADE_LENGTH: Known = { ...LENGTH, name: 'fadeLength', description: 'How long it takes, in seconds.' };
const FADE = { st: FADE_START, start_time: FADE_START, d: FADE_LENGTH, duration: FADE_LENGTH };
// Not `end`: the service compares the argument `end` with `start`, which can be a time of another option.
const TRIM = { start: START, end: { ...START, name: 'until', description: 'Where the part ends.' }, duration: LENGTH };

/** Parameters that people change, by the names of their filters: a name means something else in another filter. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, Known>>>> = {
  scale: SIZE,
  crop: SIZE,
  pad: { ...SIZE, color: COLOUR },
  drawbox: { ...SIZE, color: COLOUR },
  fps: { fps: FPS },
  volume: {
    volume: {
      ...{ name: 'volume', description: 'The volume: 1 changes nothing.' },
      ...{ range: [0, 10], unit: 'x', isLikely: true },
    },
  },
  atempo: {
    tempo: {
      ...{ name: 'speed', description: 'The speed: 1 changes nothing.' },
      ...{ range: [0.5, 2], unit: 'x', isLikely: true },
    },
  },
  drawtext: {
    text: { name: 'text', description: 'The text.', type: 'text', isLikely: true },
    fontsize: {
      ...{ name: 'size', description: 'The height of the letters in pixels.' },
      ...{ range: [6, 500], unit: 'px', isLikely: true },
    },
    fontcolor: { ...COLOUR, description: 'The colour of the letters.' },
  },
  fade: { ...FADE, color: COLOUR },
  afade: FADE,
  trim: TRIM,
  atrim: TRIM,
  eq: {
    brightness: { name: 'brightness', description: 'From -1 to 1; 0 changes nothing.', range: [-1, 1], isLikely: true },
    contrast: { name: 'contrast', description: '1 changes nothing.', range: [0, 4], isLikely: true },
    saturation: {
      ...{ name: 'saturation', description: '1 changes nothing, 0 removes all colours.' },
      ...{ range: [0, 3], isLikely: true },
    },
  },
  gblur: { sigma: { name: 'strength', description: 'How much it is blurred.', range: [0, 100], isLikely: true } },
};

/** The parameters of filters that are often written without their names. */
const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  scale: ['w', 'h'],
  crop: ['w', 'h', 'x', 'y'],
  pad: ['w', 'h', 'x', 'y', 'color'],
  overlay: ['x', 'y'],
  fps: ['fps'],
  volume: ['volume'],
  atempo: ['tempo'],
  gblur: ['sigma'],
};

/**
 * The values in a text of an option, in their order. None if the text has only references. `meaning`: what ffmpeg says about the option.
 * undefined: nothing is known.
 */
export function valuesIn(
  { name, path }: Pick<RecipeOption, 'name' | 'path'>,
  text: string,
  meaning?: OptionMeaning,
): readonly OptionValue[] {
  if (text === '' || /^\{\{[\w.]+\}\}$/.test(text)) return [];
  const whole = { value: text, from: 0, to: text.length };
  if (path[0] === 'request' && !isOption({ path })) {
    const known = SETTINGS[name];
    return text.includes('{{') ? [] : [{ ...whole, ...described(lastWord(name), text, known) }];
  }
  if (isGraph(name)) return graphValues(text);
  if (text.includes('{{')) return [];
  const base = baseName(name);
  if (base === 's') return sizeValues(text);
  if (base === 'metadata') return tagValues(text);
  const rate = rateValue(name, text);
  if (rate !== undefined) return [rate];
  return [{ ...whole, ...described(nameOfOption(name), text, OPTIONS[base], meaning) }];
}

const lastWord = (name: string): string => name.split('.').at(-1) ?? name;

/** The usual name of an argument for an option: `encoder` for `c:v`. */
const nameOfOption = (name: string): string => {
  const base = baseName(name);
  if (base === 'c' || base === 'codec') return 'encoder';
  const words = base.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return /^[a-z][A-Za-z0-9]*$/.test(words) ? words : 'value';
};

type Described = Pick<OptionValue, 'name' | 'argument' | 'isLikely'>;

/** An argument for a value, by what is known of it. */
function described(usualName: string, value: string, known?: Known, meaning?: OptionMeaning): Described {
  const name = known?.name ?? usualName;
  const description = known?.description ?? sentenceOf(meaning?.description) ?? `The value of ${usualName}.`;
  const isLikely = known?.isLikely === true;
  const text = { name, isLikely };
  if (known?.type === 'time' && TIME.test(value))
    return { ...text, argument: { type: 'time', min: 0, default: value, description } };
  if (known?.type === 'colour') return { ...text, argument: { type: 'colour', default: value, description } };
  if (known?.type === 'text')
    return { ...text, argument: { type: 'text', maxLength: 200, default: value, description } };
  if (NUMBER.test(value)) {
    const number = Number(value);
    const [min, max] = rangeOf(number, known?.range, meaning);
    const isWhole = known?.isWhole ?? (meaning?.type === 'int' && Number.isInteger(number));
    return {
      ...text,
      argument: {
        type: 'number',
        min,
        max,
        ...(isWhole && { integer: true as const }),
        ...(known?.unit && { unit: known.unit }),
        default: number,
        description,
      },
    };
  }
  const words = (meaning?.constants ?? []).map((one) => one.name).slice(0, MOST_CHOICES);
  const choices = [...new Set([...words, value])];
  return {
    ...text,
    isLikely: false,
    argument: {
      type: 'choice',
      choices: Object.fromEntries(choices.map((one) => [one, one])),
      default: value,
      description,
    },
  };
}

/** The most choices of an argument, without the value that is there now. */
const MOST_CHOICES = 29;

/** A number of ffmpeg with this bound has none. */
const UNBOUNDED = 1e6;

/** From and to: what is usual, otherwise the range of the option, otherwise up to some times the value. The value is always inside. */
function rangeOf(number: number, known: Known['range'], meaning: OptionMeaning | undefined): readonly [number, number] {
  const usual = /^(-?[\d.]+) to (-?[\d.]+)$/.exec(meaning?.usual ?? '');
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = meaning ?? {};
  const ofOption = Math.abs(min) < UNBOUNDED && Math.abs(max) < UNBOUNDED ? ([min, max] as const) : undefined;
  const [from, to] = known ??
    (usual ? ([Number(usual[1]), Number(usual[2])] as const) : ofOption) ?? [
      Math.min(0, number * 4),
      Math.max(1, number * 4),
    ];
  return [Math.min(from, number), Math.max(to, number)];
}

const sentenceOf = (text: string | undefined): string | undefined =>
  text === undefined || text === ''
    ? undefined
    : `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/(?<![.!?])$/, '.');

/** The two numbers of `1280x720`. */
function sizeValues(text: string): readonly OptionValue[] {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (width === undefined || height === undefined)
    return [{ value: text, from: 0, to: text.length, ...described('size', text) }];
  return [
    { value: width, part: 'width', from: 0, to: width.length, ...described('width', width, WIDTH) },
    { value: height, part: 'height', from: width.length + 1, to: text.length, ...described('height', height, HEIGHT) },
  ];
}

/** The text after the name of a tag: `title=Holidays`. */
function tagValues(text: string): readonly OptionValue[] {
  const at = text.indexOf('=') + 1;
  const [name, value] = [text.slice(0, Math.max(0, at - 1)), text.slice(at)];
  if (at === 0 || value === '') return [];
  const known: Known = { name: nameOfOption(name), description: `The tag ${name}.`, type: 'text', isLikely: true };
  return [{ value, part: name, from: at, to: text.length, ...described(name, value, known) }];
}

const RATES: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);

/** A bit rate, which people give in kbit/s. */
function rateValue(name: string, text: string): OptionValue | undefined {
  const base = baseName(name);
  const [, number, unit = ''] = (RATES.has(base) && /^(\d+(?:\.\d+)?)([kKM]?)$/.exec(text)) || [];
  if (number === undefined) return undefined;
  const kilobits = Number(number) * (unit === 'M' ? 1000 : unit === '' ? 0.001 : 1);
  const kind = kindOf(name);
  const known: Known = {
    name: base === 'b' ? (kind === 'audio' ? 'audioRate' : 'rate') : base,
    description: `The bit rate${kind === undefined ? '' : ` of the ${kind}`} in kbit/s.`,
    range: kind === 'audio' ? [32, 512] : [100, 50_000],
    unit: 'kbit/s',
    isLikely: base === 'b',
  };
  return { value: text, from: 0, to: text.length, after: 'k', ...described('rate', String(kilobits), known) };
}

/** The values of the parameters of the filters in a graph. Formulas, labels and values with references are left out. */
function graphValues(graph: string): readonly OptionValue[] {
  return parametersOf(graph).flatMap(({ filter, parameter, from, to }): readonly OptionValue[] => {
    const text = graph.slice(from, to);
    const quoted = /^'([^'\\]+)'$/.exec(text)?.[1];
    const value = quoted ?? text;
    const known = PARAMETERS[filter]?.[parameter];
    const isText = known?.type === 'text';
    if (value === '' || value.includes('{{') || !(isText ? /^[^\\%]+$/ : PLAIN).test(value)) return [];
    // -1 and -2 mean that the other side decides.
    if ((known === WIDTH || known === HEIGHT) && Number(value) < 0) return [];
    const words = nameOfOption(parameter);
    const part = parameter === filter ? filter : `${known?.name ?? parameter} of ${filter}`;
    return [{ value, part, from, to, ...described(words, value, known) }];
  });
}

/** A number or a word. */
const PLAIN = /^(?:-?\d+(?:\.\d+)?|[A-Za-z#][\w#@.-]*)$/;

interface Parameter {
  readonly filter: string;
  readonly parameter: string;
  readonly from: number;
  readonly to: number;
}

/** The parameters of the filters in a graph, with the places of their values. */
function parametersOf(graph: string): readonly Parameter[] {
  const found: Parameter[] = [];
  for (const { 0: text, index } of graph.matchAll(/(?:\\.|'[^']*'|\[[^\]]*\]|[^,;'[\\])+/gs)) {
    // Labels are before and after the filter.
    const [, before = '', filter = '', settings = ''] =
      /^((?:\s|\[[^\]]*\])*)([a-z]\w*)(?:@\w+)?=((?:\\.|'[^']*'|[^[\\'])*)/s.exec(text) ?? [];
    if (settings === '') continue;
    const start = index + text.indexOf('=', before.length) + 1;
    const names = POSITIONS[filter] ?? [];
    let position = 0;
    for (const { 0: part, index: at } of settings.matchAll(/(?:\\.|'[^']*'|[^:'\\])+|(?<=^|:)(?=:|$)/gs)) {
      const [named = '', name] = /^\s*(\w+)=/.exec(part) ?? [];
      const parameter = name ?? names[position] ?? filter;
      found.push({ filter, parameter, from: start + at + named.length, to: start + at + part.trimEnd().length });
      if (name === undefined) position += 1;
    }
  }
  return found;
}
