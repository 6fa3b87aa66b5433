import { isDeepStrictEqual } from 'node:util';
import { arePlaces, placeOf } from '@telecine/contract/domain/place.ts';
import type { RecipeArgument } from '@telecine/contract/domain/recipe.ts';
import { meantValue } from './argument-words.ts';

/*
 * The choices of a recipe in the words of a search for it: "logo lower left", "yellow subtitles".
 */

type Arguments = Readonly<Record<string, RecipeArgument>>;
type Choice = RecipeArgument & { readonly type: 'choice' };

/** A choice that a phrase names. */
interface NamedChoice {
  /** The argument. */
  readonly name: string;
  readonly value: string;
  /** The words of the phrase that say nothing else. undefined: they also say what is done, such as "square". */
  readonly text?: string;
}

/** The choices that a phrase names, at most one of each argument. Pure. */
export const choicesIn = (known: Arguments, phrase: string): readonly NamedChoice[] =>
  Object.entries(known).flatMap(([name, argument]) => {
    if (argument.type !== 'choice') return [];
    const found =
      name === 'aspect' ? shapeIn(argument, phrase) : (placeIn(argument, phrase) ?? colourIn(name, argument, phrase));
    return found === undefined ? [] : [{ name, ...found }];
  });

type Found = Omit<NamedChoice, 'name'>;

const has = ({ choices }: Choice, value: string): boolean => Object.hasOwn(choices, value);

/** A shape, such as 9:16 or 4:5. */
const SHAPE = /(?<![\w:.])\d{1,2}:\d{1,2}(?![\w:])/g;

function shapeIn(argument: Choice, phrase: string): Found | undefined {
  const words = [
    ...(phrase.match(SHAPE) ?? []),
    ...(phrase.match(/\b(?:square|widescreen|portrait|landscape)\b/gi) ?? []),
  ];
  const chosen = words.flatMap((word) => meantValue(argument, 'aspect', word) ?? []).map(String);
  const value = chosen.find((one) => has(argument, one));
  return value === undefined ? undefined : { value };
}

const EDGE = '(?:top|upper|bottom|lower)';
const SIDE = '(?:left|right)';

/** How a place in a picture is written. "On top of the film", "top quality" and "in the middle of the film" are no places in it. */
const PLACES: readonly RegExp[] = [
  new RegExp(`\\b${EDGE}[ -]?(?:hand )?${SIDE}(?:[ -]hand)?(?: corner)?\\b`, 'i'),
  new RegExp(`\\b${SIDE}[ -]?${EDGE}(?: corner)?\\b`, 'i'),
  /\b(?:(?:in|at) the (?:centre|center|middle)|centred|centered)\b(?! of (?!the (?:picture|image|frame|screen)\b))/i,
  /\b(?:at|on|to|along) the (?:top|bottom)\b(?! (?:left|right|\d))|(?<!\bon )\b(?:top|bottom)$/i,
];

function placeIn({ choices }: Choice, phrase: string): Found | undefined {
  const names = Object.keys(choices);
  if (!arePlaces(names)) return undefined;
  for (const form of PLACES) {
    const [text] = form.exec(phrase) ?? [];
    if (text === undefined) continue;
    const value = names.find((name) => isDeepStrictEqual(placeOf(name), pointOf(text)));
    if (value !== undefined) return { value, text };
  }
  return undefined;
}

/** The point of words such as "lower left", in shares of the width and of the height. */
const pointOf = (words: string) => ({
  x: /left/i.test(words) ? 0 : /right/i.test(words) ? 1 : 0.5,
  y: /top|upper/i.test(words) ? 0 : /bottom|lower/i.test(words) ? 1 : 0.5,
});

/** What has a colour: the letters of subtitles, or the outline around them. */
const COLOURED: Readonly<Record<string, string>> = {
  colour: 'subtitles?|subs|captions?|words?|text|letters?|writing|font',
  outline: 'outlines?|borders?|edges?',
};

/** "Yellow words with a black outline", "words in yellow": a colour counts only beside what has it. */
function colourIn(name: string, argument: Choice, phrase: string): Found | undefined {
  const what = COLOURED[name];
  if (what === undefined) return undefined;
  for (const value of Object.keys(argument.choices).filter((one) => /^[a-z]+$/i.test(one))) {
    const form = new RegExp(
      `\\b(${value})(?= (?:${what})\\b)|\\b(?:${what})(?: (?:is|are))?(?: in)? (${value})\\b(?! \\w+ (?:${what})\\b)`,
      'i',
    );
    const [, before, after] = form.exec(phrase) ?? [];
    const text = before ?? after;
    if (text !== undefined) return { value, text };
  }
  return undefined;
}
