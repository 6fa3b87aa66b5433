import { nearestName } from '@telecine/contract/domain/aliases.ts';
import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { sendValue } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { ArgumentUnit, ArgumentValue, Recipe, RecipeArgument } from '@telecine/contract/domain/recipe.ts';
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
 * mistakes are reported elsewhere. `duration`: the seconds of the first input, for times that are a share of the input.
 */
export function readArguments(
  { name: recipe, arguments: known }: Recipe,
  sent: Readonly<Record<string, ArgumentValue>>,
  errors: FieldError[],
  duration?: number,
): ReadonlyMap<string, ReadArgument> {
  const read = new Map<string, ReadArgument>();
  for (const [name, argument] of Object.entries(known)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    const used = value ?? argument.default;
    if (used === undefined) {
      if (argument.required === true) errors.push(missingArgument(recipe, name, argument));
      continue;
    }
    const result = readValue(argument, inSeconds(argument, used, duration));
    if ('mustBe' in result && shareOf(argument, used) !== undefined)
      errors.push({
        field: argumentField(name),
        code: 'BAD_ARGUMENT',
        message: `"${name}" is a share of the duration, which the input does not state.`,
        fix: 'Send the time in seconds, or minutes:seconds.',
      });
    else if ('mustBe' in result) errors.push(wrongValue(name, used, { ...result, isTime: argument.type === 'time' }));
    else read.set(name, { ...result, isSent: value !== undefined });
  }
  return read;
}

export const argumentField = (name: string): string => `/preset/arguments/${pointerToken(name)}`;

interface WrongValue {
  /** What the value must be, as a part of a sentence: `a number from 1 to 5`. */
  readonly mustBe: string;
  /** What the argument is for. Set if the number is far out of range or in another unit. */
  readonly about?: string;
  readonly allowed?: readonly string[];
  readonly fix?: Hint;
  readonly isTime?: boolean;
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
        : { mustBe: 'a colour: #RRGGBB, #RRGGBBAA or a name', fix: 'Send, for example, "#1e90ff" or "white".' };
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
  const near = nearestName(chosen, allowed);
  return {
    mustBe: `one of ${allowed.join(', ')}`,
    allowed,
    ...(near !== undefined && { fix: sendValue(near) }),
  };
}

function readNumber(argument: RecipeArgument & { readonly type: 'number' }, value: ArgumentValue) {
  const { min, max, integer } = argument;
  const number = typeof value === 'number' ? value : typeof value === 'string' ? numberIn(value) : undefined;
  const isInRange = number !== undefined && number >= min && number <= max;
  if (isInRange && (integer !== true || Number.isInteger(number)))
    return { value: number, text: printNumber(number), number, kind: 'plain' as const };
  const mustBe = `a ${integer === true ? 'whole number' : 'number'} from ${min} to ${max}`;
  if (number === undefined) return { mustBe };
  return isInRange ? { mustBe, fix: sendValue(Math.round(number)) } : { mustBe, ...rangeFix(argument, number, mustBe) };
}

function readTime(argument: RecipeArgument & { readonly type: 'time' }, value: ArgumentValue) {
  const { min = 0, max } = argument;
  const seconds = typeof value === 'number' ? value : typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined || !(seconds >= 0 && Number.isFinite(seconds)))
    return {
      mustBe: 'a time: seconds, minutes:seconds or hours:minutes:seconds',
      fix: 'Send, for example, 12.5, "1:30" or "1:02:03".',
    };
  if (seconds >= min && seconds <= (max ?? seconds))
    return { value, text: printNumber(seconds), number: seconds, kind: 'plain' as const };
  const mustBe = max === undefined ? `a time of at least ${min} seconds` : `a time from ${min} to ${max} seconds`;
  return { mustBe, ...rangeFix({ ...argument, min, max: max ?? Number.POSITIVE_INFINITY }, seconds, mustBe) };
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
    : { mustBe: 'true or false', allowed: ['true', 'false'] };
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
  fix: `Send, for example, "preset": {"name": "${recipe}", "arguments": {"${name}": ${exampleOf(argument)}}}${
    argument.type === 'number' ? `, with a number from ${argument.min} to ${argument.max}` : ''
  }.`,
});

/** An example number. Most arguments allow it. */
const EXAMPLE = 8;

function exampleOf(argument: RecipeArgument): string {
  switch (argument.type) {
    case 'choice':
      return JSON.stringify(Object.keys(argument.choices)[0]);
    case 'number':
      return String(Math.min(Math.max(EXAMPLE, argument.min), argument.max));
    case 'time':
      return '10';
    case 'colour':
      return '"white"';
    case 'text':
      return '"…"';
    case 'flag':
      return 'true';
  }
}

const wrongValue = (
  name: string,
  value: ArgumentValue,
  { mustBe, about, allowed, fix, isTime = false }: WrongValue,
): FieldError => ({
  field: argumentField(name),
  code: 'BAD_ARGUMENT',
  message: `"${name}" must be ${mustBe}, not ${JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value)}.${about === undefined ? '' : ` It means: ${about}`}`,
  ...(allowed && { allowed }),
  ...(fix !== undefined && { fix }),
  ...(isTime && { about: 'time' }),
});

interface Range {
  readonly type: 'number' | 'time';
  readonly description: string;
  readonly min: number;
  readonly max: number;
  readonly integer?: true;
  readonly unit?: ArgumentUnit;
}

/** If a number is outside the range by at most this share of the limit, the fix is the limit: 50 for 70 if the limit is 50. */
const NEAR = 0.5;

/** Other units that people use, and how many of them make one unit of the argument. */
type OtherUnits = readonly (readonly [unit: string, count: number])[];

/** By the unit of an argument. */
const OTHER_UNITS: Partial<Readonly<Record<ArgumentUnit, OtherUnits>>> = {
  MB: [
    ['bytes', 1e6],
    ['kilobytes', 1e3],
  ],
  'kbit/s': [['bit/s', 1000]],
  s: [['milliseconds', 1000]],
  '%': [['a share of 1', 0.01]],
};

/** For a number from 0 to 1 without a unit. */
const OF_SHARES: OtherUnits = [['percent', 100]];

/** The description of an argument, for use within a sentence. */
const aboutOf = ({ description }: { readonly description: string }): string =>
  description.charAt(0).toLowerCase() + description.slice(1);

/**
 * The fix for a number out of range. If the number is near a limit, the fix is the limit. Otherwise it asks whether another unit was meant.
 * `mustBe`: what the value must be, as a part of a sentence.
 */
export function rangeFix(
  { type, description, min, max, integer, unit }: Range,
  number: number,
  mustBe: string,
): { readonly fix: Hint; readonly about?: string } {
  const limit = number < min ? min : max;
  const isNear = limit !== 0 && number / limit > 0 && Math.abs(number - limit) <= NEAR * Math.abs(limit);
  if (isNear) return { fix: sendValue(limit) };
  const own = type === 'time' ? 's' : unit;
  const units = own === undefined ? (min === 0 && max === 1 ? OF_SHARES : []) : (OTHER_UNITS[own] ?? []);
  const meant = units.flatMap(([other, count]) => {
    const exact = Number((number / count).toPrecision(6));
    const value = integer === true ? Math.round(exact) : exact;
    return value >= min && value <= max ? [`If ${number} is in ${other}, send ${value}. `] : [];
  });
  return {
    about: aboutOf({ description }),
    fix: `${meant.join('')}${meant.length > 0 ? 'Else send' : 'Send'} ${mustBe}.`,
  };
}
