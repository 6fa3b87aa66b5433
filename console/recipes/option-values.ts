import type { Recipe } from '@telecine/client';
import { filtersIn } from '../workbench/filters-in.ts';
import { baseName, isGraph, kindOf, type OptionMeaning } from '../workbench/option-help.ts';
import {
  HEIGHT,
  type KnownValue,
  knownMember,
  knownOption,
  knownSetting,
  LENGTH,
  settingAt,
  WIDTH,
} from './known-values.ts';
import { isOption, type OptionGroup, type RecipeOption } from './option-texts.ts';

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

/** A place in the text of an option that has a value, or the reference that has taken the place of one. */
export interface ValuePlace extends Pick<OptionValue, 'part'> {
  readonly value?: OptionValue;
  /** The name in the reference. */
  readonly reference?: string;
}

/** The places of values in a text of an option, by what the other options of the recipe make of it. */
export const placesOf = (
  groups: readonly OptionGroup[],
  option: RecipeOption,
  text: string,
  meaning?: OptionMeaning,
): readonly ValuePlace[] =>
  placesIn(option, text, meaning).map(({ value, ...place }) => ({
    ...place,
    ...(value && { value: isLengthOf(groups, option) ? asLength(value) : value }),
  }));

/** The values in a text of an option, by what the other options of the recipe make of it. */
export const valuesOf = (...found: Parameters<typeof placesOf>): readonly OptionValue[] =>
  placesOf(...found).flatMap(({ value = [] }) => value);

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

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const TIME = /^(?:\d+:){0,2}\d+(?:\.\d+)?$/;

/** The values in a text of an option, in their order. */
export const valuesIn = (...found: Parameters<typeof placesIn>): readonly OptionValue[] =>
  placesIn(...found).flatMap(({ value = [] }) => value);

/** A reference, and the unit that may follow it. */
const REFERENCE = /^\{\{\s*([\w.-]+)\s*\}\}k?$/;

/**
 * The places of values in a text of an option, in their order. `meaning`: what ffmpeg says about the option. undefined: nothing is known.
 */
function placesIn(
  { name, path }: Pick<RecipeOption, 'name' | 'path'>,
  text: string,
  meaning?: OptionMeaning,
): readonly ValuePlace[] {
  const [, reference] = REFERENCE.exec(text) ?? [];
  if (reference !== undefined) return [{ reference }];
  if (text === '') return [];
  const whole = { value: text, from: 0, to: text.length };
  if (path[0] === 'request' && !isOption({ path })) {
    return text.includes('{{') ? [] : [{ value: { ...whole, ...described(lastWord(name), text, knownMember(name)) } }];
  }
  if (isGraph(name)) return graphPlaces(text);
  const base = baseName(name);
  if (base === 's') return sizePlaces(text);
  if (base === 'metadata') return tagPlaces(text);
  if (text.includes('{{')) return [];
  const rate = rateValue(name, text);
  if (rate !== undefined) return [{ value: rate }];
  return [{ value: { ...whole, ...described(nameOfOption(name), text, knownOption(base), meaning) } }];
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
function described(usualName: string, value: string, known?: KnownValue, meaning?: OptionMeaning): Described {
  const name = known?.name ?? usualName;
  const description = known?.description ?? sentenceOf(meaning?.description) ?? `The value of ${usualName}.`;
  const isLikely = known !== undefined && known.isSeldom !== true;
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
function rangeOf(
  number: number,
  known: KnownValue['range'],
  meaning: OptionMeaning | undefined,
): readonly [number, number] {
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
function sizePlaces(text: string): readonly ValuePlace[] {
  const [, width = '', height = ''] = /^(\d+|\{\{[^{}]+\}\})x(\d+|\{\{[^{}]+\}\})$/.exec(text) ?? [];
  if (width === '')
    return text.includes('{{')
      ? []
      : [{ value: { value: text, from: 0, to: text.length, ...described('size', text) } }];
  return [
    placeOf(width, 'width', () => ({ from: 0, ...described('width', width, WIDTH) })),
    placeOf(height, 'height', () => ({ from: width.length + 1, ...described('height', height, HEIGHT) })),
  ];
}

/** The place of a part, whose text is a value or a reference. */
function placeOf(text: string, part: string, describe: () => Described & Pick<OptionValue, 'from'>): ValuePlace {
  const [, reference] = REFERENCE.exec(text) ?? [];
  if (reference !== undefined) return { part, reference };
  const { from, ...described } = describe();
  return { part, value: { value: text, part, from, to: from + text.length, ...described } };
}

/** The text after the name of a tag: `title=Holidays`. */
function tagPlaces(text: string): readonly ValuePlace[] {
  const at = text.indexOf('=') + 1;
  const [name, value] = [text.slice(0, Math.max(0, at - 1)), text.slice(at)];
  if (at === 0 || value === '' || (value.includes('{{') && !REFERENCE.test(value))) return [];
  const known: KnownValue = { name: nameOfOption(name), description: `The tag ${name}.`, type: 'text' };
  return [placeOf(value, name, () => ({ from: at, ...described(name, value, known) }))];
}

const RATES: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);

/** A bit rate, which people give in kbit/s. */
function rateValue(name: string, text: string): OptionValue | undefined {
  const base = baseName(name);
  const [, number, unit = ''] = (RATES.has(base) && /^(\d+(?:\.\d+)?)([kKM]?)$/.exec(text)) || [];
  if (number === undefined) return undefined;
  const kilobits = Number(number) * (unit === 'M' ? 1000 : unit === '' ? 0.001 : 1);
  const kind = kindOf(name);
  const known: KnownValue = {
    name: base === 'b' ? (kind === 'audio' ? 'audioRate' : 'rate') : base,
    description: `The bit rate${kind === undefined ? '' : ` of the ${kind}`} in kbit/s.`,
    range: kind === 'audio' ? [32, 512] : [100, 50_000],
    unit: 'kbit/s',
    isSeldom: base !== 'b',
  };
  return { value: text, from: 0, to: text.length, after: 'k', ...described('rate', String(kilobits), known) };
}

/** The places of the settings of the filters in a graph. Formulas, labels and values that contain references are left out. */
function graphPlaces(graph: string): readonly ValuePlace[] {
  return (filtersIn(graph) ?? []).flatMap(({ name: filter, settings }) => {
    let place = 0;
    return settings.flatMap(({ name = settingAt(filter, place++), from, to }) =>
      settingPlaces(graph.slice(from, to).trimEnd(), { filter, name, from }),
    );
  });
}

function settingPlaces(
  text: string,
  { filter, name, from }: { readonly filter: string; readonly name: string; readonly from: number },
): readonly ValuePlace[] {
  const known = knownSetting(filter, name);
  const part = name === filter ? filter : `${known?.name ?? name} of ${filter}`;
  const [, reference] = REFERENCE.exec(text) ?? [];
  if (reference !== undefined) return [{ part, reference }];
  const quoted = /^'([^'\\]+)'$/.exec(text)?.[1];
  const value = quoted ?? text;
  if (value.includes('{{') || !(known?.type === 'text' ? /^[^\\%]+$/ : PLAIN).test(value)) return [];
  // -1 and -2 mean that the other side decides.
  if ((known === WIDTH || known === HEIGHT) && Number(value) < 0) return [];
  const found = { value, part, from, to: from + text.length, ...described(nameOfOption(name), value, known) };
  return [{ part, value: found }];
}

/** A number or a word. */
const PLAIN = /^(?:-?\d+(?:\.\d+)?|[A-Za-z#][\w#@.-]*)$/;
