import type { preset, recipeBody } from '../wire/recipe.ts';
import type { Shape } from '../wire/shape.ts';

/**
 * A recipe: a conversion by name, with typed arguments. It is data, so that those of the service, of the operator and of a
 * client have one form. `recipes/expand.ts` turns a request with a `preset` into one without.
 *
 * Texts of `request` and `inputs` contain references in double braces: `scale=-2:{{height}}`. `{{height}}` is the value of an
 * argument, and `{{rate}}` one of `values`. An option whose text refers to an argument without a value is left out. A section, such as
 * `volume=0.2{{#fadeIn}},afade=d={{fadeIn}}{{/fadeIn}}`, counts only if its name is set as for `when`, or one of them
 * (`{{#colour|size}}`), and with `{{^name}}` if it is not; a comma with which the text then
 * begins is left out, and so is an option of which nothing is left.
 */
export interface Recipe extends Shape<typeof recipeBody> {
  /** Lower-case words with hyphens: `web-h264`. */
  readonly name: string;
}

/** One file that a recipe reads. Inputs after one with `many` can be sent as arguments only. */
export type RecipeInput = Recipe['inputs'][number];

/** The part of a request that a recipe sets. Each text in `cut` and `thumbnailTrack` stands for a number. */
type RecipeRequest = Recipe['request'];

/** The silence that is cut out of the input, or the scenes that are kept: exactly one of the two. A crossfade of 0 is none. */
export type RecipeCut = NonNullable<RecipeRequest['cut']>;

/** One of several outputs of a recipe. The first has neither `suffix` nor `when`. */
export type RecipeOutput = NonNullable<RecipeRequest['outputs']>[number];

/**
 * A text, or one of two by whether an argument, an input, a value or a fact is there and neither false nor the number 0 (a
 * time may be 0), or by the extension of the output (`output.jpg`). Without that one, the option is left out.
 */
export type RecipeValue = RecipeRequest['parameters'][string];

/**
 * An argument of a recipe. A time is seconds, or `[hours:]minutes:seconds`, and stands for seconds. A text is not empty if it is
 * `required`. The text of a choice can refer to other names, but to no choice.
 */
export type RecipeArgument = Recipe['arguments'][string];

/** The value of an argument, as a client sends it. Numbers may be texts: `"720"`. */
export type ArgumentValue = NonNullable<Preset['arguments']>[string];

/** The use of a recipe in a request. What it has besides the fields of the schema is there once the recipe is applied. Clients do not see it. */
export interface Preset extends Shape<typeof preset> {
  /** The options that the recipe set and no argument of the client sets alone: names of `parameters`, or JSON Pointers. */
  readonly options?: readonly string[];
  /** The arguments by the settings of `cut` that they are: `{minSeconds: 'pause'}`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The arguments in the text of each option that the recipe set: `{af: ['fadeIn']}`. */
  readonly argumentsOf?: Readonly<Record<string, readonly string[]>>;
}

/** Who wrote a recipe: the authors of the service, its operator, or the client that uses it. */
export type RecipeSource = 'built-in' | 'operator' | 'own';

export interface ListedRecipe extends Recipe {
  readonly source: RecipeSource;
  /** Why no worker can run it now, and what the operator does about it, in sentences. */
  readonly unavailable?: string;
}

export const RECIPE_LIMITS = {
  /** The largest version: an integer of 32 bits, as databases store it. */
  version: 2_147_483_647,
  nameLength: 64,
  titleLength: 80,
  descriptionLength: 500,
  words: 60,
  inputs: 10,
  arguments: 30,
  choices: 30,
  options: 60,
  outputs: 10,
  /** Recipes that a client writes itself. */
  own: 100,
  /** Bytes of the JSON of such a recipe. */
  ownBytes: 32_768,
  values: 20,
  expressionLength: 300,
} as const;

/** `web-h264`. */
export const RECIPE_NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
