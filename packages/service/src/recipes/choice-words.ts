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

const EDGE = '(top|upper|bottom|lower)';
const SIDE = '(left|right)';

/** How a place in a picture is written. A corner comes before its edge: "bottom left". "On top of the film" is no place in it. */
const PLACES: readonly RegExp[] = [
  new RegExp(`\\b${EDGE}[ -]?(?:hand )?${SIDE}(?:[ -]hand)?(?: corner)?\\b`, 'i'),
  new RegExp(`\\b${SIDE}[ -]?${EDGE}(?: corner)?\\b`, 'i'),
  /\b(?:in the )?(centre|center|middle|centred|centered)\b/i,
  /\b(?:(?:at|on|to|along) the )?(?<!on )(top|bottom)\b(?! (?:left|right|\d))/i,
];

const EDGES: Readonly<Record<string, string>> = { top: 'top', upper: 'top', bottom: 'bottom', lower: 'bottom' };

function placeIn(argument: Choice, phrase: string): Found | undefined {
  for (const form of PLACES) {
    const [text, ...words] = form.exec(phrase) ?? [];
    if (text === undefined) continue;
    const lower = words.map((word) => word.toLowerCase());
    const edge = lower.flatMap((word) => EDGES[word] ?? []);
    const side = lower.filter((word) => word === 'left' || word === 'right');
    const names = edge.length > 0 ? [[...edge, ...side].join('-')] : ['centre', 'center', 'middle'];
    const value = names.find((one) => has(argument, one));
    if (value !== undefined) return { value, text };
  }
  return undefined;
}

/** Matches the word of a part that has a colour of its own, after its colour. */
const OUTLINE = /^ (?:outlines?|borders?|edges?|boxe?s?|background)\b/i;

/** "Yellow words with a black outline": the colour of the letters, and that of their outline. */
function colourIn(name: string, argument: Choice, phrase: string): Found | undefined {
  if (name !== 'colour' && name !== 'outline') return undefined;
  for (const value of Object.keys(argument.choices).filter((one) => /^[a-z]+$/i.test(one)))
    for (const { 0: text, index } of phrase.matchAll(new RegExp(`\\b${value}\\b`, 'gi')))
      if (OUTLINE.test(phrase.slice(index + text.length)) === (name === 'outline')) return { value, text };
  return undefined;
}
