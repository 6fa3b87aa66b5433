import { type Phrase, type PhraseValue, readPhrase } from '@telecine/contract/domain/phrase-values.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import type { ListedRecipe, RecipeArgument } from '@telecine/contract/domain/recipe.ts';
import { isInMegabytes } from './argument-words.ts';
import { choicesIn } from './choice-words.ts';

type Filled = Readonly<Record<string, number | string>>;

interface QueryArguments {
  readonly arguments: Filled;
  /** The words of the query that say these arguments. */
  readonly said: readonly string[];
}

type RecipeToFill = Pick<ListedRecipe, 'name' | 'arguments'>;

/** The arguments of a recipe whose values are in the words of a search: `{start: 2, length: 3}` for "gif of seconds 2 to 5". */
export const queryArguments = (recipe: RecipeToFill, query: string): Filled =>
  fillArguments(recipe, readPhrase(query), query).arguments;

/** Fills the arguments of a recipe from the values of a phrase. Values that an argument does not allow are left out. Pure. */
export function fillArguments(recipe: RecipeToFill, phrase: Phrase, query: string): QueryArguments {
  const filled: Record<string, number | string> = {};
  const said: string[] = [];
  for (const value of phrase) {
    const found = Object.entries(namesFor(recipe, value)).filter(
      ([name, one]) => recipe.arguments[name] !== undefined && allows(recipe.arguments[name], one),
    );
    if (found.length > 0) said.push(value.text);
    Object.assign(filled, Object.fromEntries(found));
  }
  for (const { name, value, text } of choicesIn(recipe.arguments, query))
    if (filled[name] === undefined) {
      filled[name] = value;
      if (text !== undefined) said.push(text);
    }
  const only = onlyNumber(recipe, filled, query);
  return { arguments: { ...filled, ...only }, said };
}

/** The arguments that one value of a phrase sets. The recipe may not have all of them. */
function namesFor({ name: recipe, arguments: known }: RecipeToFill, { values }: PhraseValue): Filled {
  const has = (name: string): boolean => Object.hasOwn(known, name);
  const about = (name: string, words: RegExp): boolean => words.test(known[name]?.description ?? '');
  const { start, end, length, partLength, every, at, megabytes, width, height, fps, factor } = values;
  const { times, decibels, lufs, kbps, columns, rows } = values;
  const isPart = has('start');
  const wholeLength = length ?? (start !== undefined && end !== undefined ? rounded(end - start) : undefined);
  const wholeEnd = end ?? (length === undefined ? undefined : rounded((start ?? 0) + length));
  return definedOnly({
    ...(isPart && { start: start ?? (has('at') ? undefined : at) }),
    ...(isPart &&
      has('length') && { length: wholeLength ?? (end !== undefined && start === undefined ? end : undefined) }),
    ...(isPart && has('end') && { end: wholeEnd }),
    ...(!isPart && has('length') && { length: partLength ?? every ?? length }),
    ...(has('at') && { at: at ?? start }),
    ...(has('every') && { every: every ?? (fps === undefined || has('fps') ? undefined : rounded(1 / fps, 6)) }),
    ...(recipe === 'fade' && { seconds: length }),
    ...(recipe === 'slideshow' && { seconds: every }),
    ...(isInMegabytes(known['size']) && { size: megabytes }),
    ...(has('top') ? { top: height } : { height, width }),
    fps,
    ...(about('factor', /times as/) && { factor: factor ?? times }),
    times,
    decibels,
    ...(about('target', /LUFS|loud/i) && { target: lufs }),
    ...(about('bitrate', /kbit/) && { bitrate: kbps }),
    columns,
    rows,
  });
}

const definedOnly = (values: Readonly<Record<string, number | undefined>>): Filled =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined));

function allows(argument: RecipeArgument, value: number | string): boolean {
  if (argument.type === 'choice') return Object.hasOwn(argument.choices, String(value));
  if (argument.type === 'time') {
    const { min = 0, max = Number.POSITIVE_INFINITY } = argument;
    return typeof value === 'number' && value >= min && value <= max;
  }
  if (argument.type !== 'number' || typeof value !== 'number') return false;
  if (argument.integer === true && !Number.isInteger(value)) return false;
  return value >= argument.min && value <= argument.max;
}

/** Matches a number, with a decimal point or comma: `8`, `1.5`. Does not match the `4` of `mp4`. */
const NUMBER = /(?<![\p{L}\d.,:])\d{1,9}(?:[.,]\d{1,9})?(?![\d:])/gu;

/** If a recipe requires one number that the phrase has not set, and the query has only one number, it is this one. */
function onlyNumber({ arguments: known }: RecipeToFill, filled: Filled, query: string): Filled {
  const required = Object.entries(known).filter(([name, one]) => one.required === true && filled[name] === undefined);
  const [said, ...more] = query.match(NUMBER) ?? [];
  const [[name, argument] = []] = required;
  if (required.length !== 1 || name === undefined || argument === undefined) return {};
  if (said === undefined || more.length > 0 || Object.keys(filled).length > 0) return {};
  const value = Number(said.replace(',', '.'));
  return argument.type === 'number' && allows(argument, value) ? { [name]: value } : {};
}
