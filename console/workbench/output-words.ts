import type { Recipe } from '@telecine/client';
import { unitOf } from './argument-value.ts';
import type { Arguments } from './draft.ts';
import { cutsRegion, type ReadRecipe, takesRegion } from './region-recipe.ts';

type Argument = Recipe['arguments'][string];

/** What the name of an output says about the conversion. */
export interface OutputWords {
  /** The values of the recipe that the user has chosen: `8MB`, `720p`, `2s-5s`. '': none can be in a name. */
  readonly values: string;
  /** Used if the output would otherwise have the path of the input: `reverse`. */
  readonly instead: string;
}

export const NO_WORDS: OutputWords = { values: '', instead: 'converted' };

/** How the values of arguments are written in a name. Other arguments, such as colours and texts, are not in names. */
const WRITE: Readonly<Record<string, (value: string, argument: Argument) => string>> = {
  // In some recipes, `size` is the size of letters.
  size: (value, argument) => (unitOf(argument) === 'MB' ? `${value}MB` : ''),
  height: (value) => `${value}p`,
  top: (value) => `${value}p`,
  width: (value) => `${value}w`,
  fps: (value) => `${value}fps`,
  bitrate: (value) => `${value}k`,
  factor: (value) => `${value}x`,
  decibels: (value) => `${value}dB`,
  aspect: (value) => value.replace(':', 'x'),
  quality: (value, { type }) => (type === 'choice' ? value : `q${value}`),
  strength: (value, { type }) => (type === 'choice' ? value : ''),
  by: (value) => value,
  profile: (value) => value,
  at: (value) => (seconds(value) === undefined ? value.replace('%', 'pct') : timeText(value)),
};

/** What a recipe does to a rectangle of the frame, whose size is not that of the output. Otherwise, the name of the recipe says it. */
const DONE_TO_REGION: Readonly<Record<string, string>> = { 'blur-region': 'blurred' };

/** Looks up own properties only: an argument of a client's recipe may be called `constructor`. */
const writerOf = (name: string) => (Object.hasOwn(WRITE, name) ? WRITE[name] : undefined);

/** The characters that a value may have in a name. */
const PLAIN = /^-?[\w.]+$/;

/** Whether a number has no effect, because it is not below the height of the source, at which it is capped. */
const isCapped = (argument: Argument, value: string, sourceHeight = Infinity): boolean =>
  argument.type === 'number' && argument.cap === 'input.height' && Number(value) >= sourceHeight;

/**
 * The words for the name of an output of a recipe. `sent`: the arguments that the user has entered. `sourceHeight`: the height of the video,
 * because the name does not have a height that has no effect. undefined: unknown.
 */
export function outputWords(
  recipe: (ReadRecipe & Pick<Recipe, 'name'>) | undefined,
  sent: Arguments | undefined = {},
  sourceHeight?: number,
): OutputWords {
  if (recipe === undefined) return NO_WORDS;
  const texts = Object.fromEntries(
    Object.keys(recipe.arguments).map((name) => [name, String(sent[name] ?? '').trim()] as const),
  );
  const { width = '', height = '' } = texts;
  const isLaidOver = takesRegion(recipe) && !cutsRegion(recipe);
  const instead = isLaidOver ? (DONE_TO_REGION[recipe.name] ?? recipe.name) : recipe.name;
  const isWholeSize = width !== '' && height !== '';
  const words = Object.entries(recipe.arguments).flatMap(([name, argument]) => {
    const value = texts[name] ?? '';
    if (isLaidOver && (name === 'width' || name === 'height')) return name === 'width' ? [instead] : [];
    if (value === '' || (isWholeSize && name === 'height')) return [];
    if (isCapped(argument, value, sourceHeight)) return [];
    const word = isWholeSize && name === 'width' ? `${value}x${height}` : (writerOf(name)?.(value, argument) ?? '');
    return PLAIN.test(word) ? [word] : [];
  });
  return { values: [...words, ...rangeWords(recipe.arguments, texts)].join('-'), instead };
}

/** The part of the source that the arguments of a recipe choose. */
function rangeWords(all: Recipe['arguments'], sent: Readonly<Record<string, string>>): readonly string[] {
  const { start, end, length } = all;
  if (start?.type !== 'time' || (end ?? length) === undefined) return [];
  const from = seconds(sent['start'] ?? '') ?? 0;
  if (length === undefined) return partWords(from, seconds(sent['end'] ?? ''));
  // Without a start, only a length that the user has entered is in the name.
  const long = seconds(sent['length'] || (from > 0 ? String(length.default ?? '') : ''));
  if (long === undefined) return partWords(from, undefined);
  return from > 0 ? partWords(from, from + long) : [shown(long)];
}

/** Whether a recipe takes times. Then options of the source do not say alone which part the output has. */
export const takesTimes = (recipe: Pick<Recipe, 'arguments'> | undefined): boolean =>
  Object.values(recipe?.arguments ?? {}).some(({ type }) => type === 'time');

/** A part of the source, which ends at `end` seconds or with the source, in words: `2s-5s`, `from-2s` or `to-5s`. Empty: all of it. */
export function partWords(start: number, end: number | undefined): readonly string[] {
  if (start <= 0) return end === undefined ? [] : [`to-${shown(end)}`];
  return [end === undefined ? `from-${shown(start)}` : `${shown(start)}-${shown(end)}`];
}

/** Reads seconds, or `[hours:]minutes:seconds`. undefined: the text is neither. */
function seconds(text: string): number | undefined {
  if (!/^\d+(?::\d{1,2}){0,2}(?:\.\d+)?$/.test(text)) return undefined;
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

const timeText = (text: string): string => shown(seconds(text) ?? 0);

/** A time as a part of a name: `5s`, `1m05s`, `1h02m05s`. Names must not contain colons. */
function shown(exact: number): string {
  const time = Number(exact.toFixed(2));
  const rest = Number((time % 60).toFixed(2));
  const minutes = Math.floor(time / 60);
  if (minutes === 0) return `${rest}s`;
  const end = `${rest < 10 ? '0' : ''}${rest}s`;
  return minutes < 60
    ? `${minutes}m${end}`
    : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m${end}`;
}
