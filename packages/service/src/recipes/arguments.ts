import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { ArgumentValue, RecipeArgument, RecipeDefinition } from '@telecine/contract/domain/recipe.ts';
import type { FilledName } from './template.ts';

/** The value of an argument, in the forms that templates and formulas need. */
export interface ReadArgument {
  /** The value that the client can send again: the sent value or the default. */
  readonly value: ArgumentValue;
  /** The text of the argument in templates. */
  readonly text: string;
  /** The number of the argument in formulas (seconds for a time). Absent if it has none. */
  readonly number?: number;
  readonly kind: FilledName['kind'];
  readonly isSent: boolean;
}

/**
 * Reads the arguments of a recipe. Missing arguments get their defaults. Ignores other names, because inputs are read by `assignInputs` and
 * mistakes are reported elsewhere. `duration`: the seconds of the first input, for times that are a share of the input. `unread`: such times are
 * left out.
 */
export function readArguments(
  { name: recipe, arguments: known }: RecipeDefinition,
  sent: Readonly<Record<string, ArgumentValue>>,
  errors: FieldError[],
  duration?: number | 'unread',
): ReadonlyMap<string, ReadArgument> {
  const read = new Map<string, ReadArgument>();
  for (const [name, argument] of Object.entries(known)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    const used = value ?? argument.default;
    if (used === undefined) {
      if (argument.required === true) errors.push(missingArgument(recipe, name, argument));
      continue;
    }
    const isShare = shareOf(argument, used) !== undefined;
    if (isShare && duration === 'unread') continue;
    const result = readValue(argument, inSeconds(argument, used, duration === 'unread' ? undefined : duration));
    if ('mustBe' in result && isShare)
      errors.push({
        field: argumentField(name),
        code: 'BAD_ARGUMENT',
        message: `"${name}" is a share of the duration, which the input does not state. It can be a time in seconds.`,
      });
    else if ('mustBe' in result) errors.push(wrongValue(name, used, result));
    else read.set(name, { ...result, isSent: value !== undefined });
  }
  return read;
}

export const argumentField = (name: string): string => `/preset/arguments/${pointerToken(name)}`;

interface WrongValue {
  /** What the value must be, as a part of a sentence: `a number from 1 to 5`. */
  readonly mustBe: string;
  readonly nearest?: FieldError['nearest'];
}

/** Reads a share of the first input from a value: 0.5 from `middle`. undefined: the value is a time, or the argument accepts no share. */
export function shareOf(argument: RecipeArgument | undefined, value: ArgumentValue): number | undefined {
  if (argument?.type !== 'time' || argument.share !== true) return undefined;
  const [, middle, percent] =
    /^(?:(half|middle|centre|center)|(\d{1,2}(?:\.\d{1,3})?)\s?%)$/i.exec(String(value).trim()) ?? [];
  if (middle !== undefined) return 0.5;
  return percent === undefined ? undefined : Number(percent) / 100;
}

/** Converts a share of the first input to a time in seconds. Returns other values unchanged. */
function inSeconds(argument: RecipeArgument, value: ArgumentValue, duration: number | undefined): ArgumentValue {
  const share = shareOf(argument, value);
  return share === undefined || duration === undefined ? value : Number((share * duration).toFixed(3));
}

/** Reads the value of an argument. */
export function readValue(argument: RecipeArgument, value: ArgumentValue): Omit<ReadArgument, 'isSent'> | WrongValue {
  switch (argument.type) {
    case 'choice':
      return readChoice(argument.choices, value);
    case 'number':
      return readNumber(argument, value);
    case 'time':
      return readTime(argument, value);
    case 'colour':
      return typeof value === 'string' && COLOUR.test(value)
        ? { value, text: value, kind: 'free' as const }
        : { mustBe: 'a colour: #RRGGBB, #RRGGBBAA or a name' };
    case 'text':
      return readText(argument, value);
    case 'flag':
      return readFlag(value);
  }
}

function readChoice(choices: Readonly<Record<string, string>>, value: ArgumentValue) {
  const allowed = Object.keys(choices);
  const chosen = String(value);
  const text = Object.hasOwn(choices, chosen) ? choices[chosen] : undefined;
  if (text !== undefined) {
    const number = numberIn(text);
    return { value: chosen, text, kind: 'template' as const, ...(number !== undefined && { number }) };
  }
  const nearest = { given: chosen, names: allowed, is: 'value' as const };
  return { mustBe: `one of ${allowed.join(', ')}`, nearest };
}

function readNumber({ min, max, integer }: RecipeArgument & { readonly type: 'number' }, value: ArgumentValue) {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? numberIn(value) : undefined;
  const isInRange = number !== undefined && number >= min && number <= max;
  if (isInRange && (integer !== true || Number.isInteger(number)))
    return { value: number, text: printNumber(number), number, kind: 'plain' as const };
  const mustBe = `a ${integer === true ? 'whole number' : 'number'} from ${min} to ${max}`;
  return number === undefined || isInRange ? { mustBe } : { mustBe, nearest: boundOf(number, min, max) };
}

function readTime({ min = 0, max }: RecipeArgument & { readonly type: 'time' }, value: ArgumentValue) {
  const seconds = typeof value === 'number' ? value : typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined || !(seconds >= 0 && Number.isFinite(seconds)))
    return { mustBe: 'a time: seconds, minutes:seconds or hours:minutes:seconds' };
  if (seconds >= min && seconds <= (max ?? seconds))
    return { value, text: printNumber(seconds), number: seconds, kind: 'plain' as const };
  const mustBe = max === undefined ? `a time of at least ${min} seconds` : `a time from ${min} to ${max} seconds`;
  return { mustBe, nearest: boundOf(seconds, min, max ?? Number.POSITIVE_INFINITY) };
}

function readText(
  {
    maxLength,
    without = '',
    required,
  }: Pick<RecipeArgument & { readonly type: 'text' }, 'maxLength' | 'without' | 'required'>,
  value: ArgumentValue,
) {
  const text = String(value);
  if (required === true && text === '') return { mustBe: 'a text' };
  const other = [...without].find((one) => text.includes(one));
  if (other !== undefined) return { mustBe: `a text without ${JSON.stringify(other)}` };
  return text.length <= maxLength
    ? { value: text, text, kind: 'free' as const }
    : { mustBe: `at most ${maxLength} characters long` };
}

function readFlag(value: ArgumentValue) {
  const flag = typeof value === 'string' ? { true: true, false: false, '': true }[value] : value;
  return typeof flag === 'boolean'
    ? { value: flag, text: String(flag), kind: 'plain' as const }
    : { mustBe: 'true or false' };
}

/** A colour as a number or a name, with an optional opacity: `#ff0000`, `0xff0000`, `white`, `black@0.5`. ffmpeg checks the names. */
const COLOUR = /^(?:(?:#|0x)(?:[\da-f]{6}|[\da-f]{8})|[a-z]{3,30})(?:@(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?))?$/i;

/** Reads a plain decimal number. undefined: another text. */
const numberIn = (text: string): number | undefined =>
  /^-?\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;

/** Formats a number for ffmpeg: without an exponent, with at most six decimals. */
export const printNumber = (number: number): string => String(Number(number.toFixed(6)));

const missingArgument = (recipe: string, name: string, argument: RecipeArgument): FieldError => ({
  field: argumentField(name),
  code: 'MISSING',
  message: `The recipe "${recipe}" needs the argument "${name}": ${argument.description}`,
  ...(argument.type === 'choice' && { allowed: Object.keys(argument.choices) }),
});

const wrongValue = (name: string, value: ArgumentValue, { mustBe, nearest }: WrongValue): FieldError => ({
  field: argumentField(name),
  code: 'BAD_ARGUMENT',
  message: `"${name}" must be ${mustBe}, not ${JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value)}.`,
  nearest,
});

/** The allowed number that is nearest to one out of range. */
const boundOf = (number: number, min: number, max: number): NonNullable<FieldError['nearest']> =>
  number < min ? { bound: min, others: 'more' } : { bound: max, others: 'less' };
