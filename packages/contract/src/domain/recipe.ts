import type { preset, recipeBody } from '../wire/recipe.ts';
import type { Shape } from '../wire/shape.ts';

/**
 * A recipe: a named conversion with typed arguments. It is plain data, so recipes of the service, of the operator and of a client have the
 * same form. `recipes/expand.ts` turns a request with a `preset` into a request without one.
 *
 * Texts of `request` and `inputs` contain references in double braces: `scale=-2:{{height}}`. `{{height}}` is the value of an argument, and
 * `{{rate}}` is one of `values`. An option whose text refers to an argument without a value is left out.
 *
 * A text can contain sections, such as `volume=0.2{{#fadeIn}},afade=d={{fadeIn}}{{/fadeIn}}`. A section stays if its name is set, by the
 * rules of `when`. `{{#colour|size}}` stays if one of the names is set. `{{^name}}` stays if the name is not set. If the resulting text
 * begins with a comma, the comma is left out. If nothing is left of the text, the option is left out.
 */
export interface Recipe extends Shape<typeof recipeBody> {
  /** Lower-case words with hyphens: `web-h264`. */
  readonly name: string;
}

/** A recipe without the texts that only people read. */
export type RecipeDefinition = Omit<Recipe, 'title' | 'description' | 'words' | 'result'>;

/** One file that a recipe reads. Inputs after an input with `many` can be sent only as arguments. */
export type RecipeInput = Recipe['inputs'][number];

/** What a recipe makes of its source. Each recipe of the service states it. */
export type RecipeResult = NonNullable<Recipe['result']>;

/** The part of a request that a recipe sets. Each text in `cut` and `thumbnailTrack` becomes a number. */
type RecipeRequest = Recipe['request'];

/** Either the silence to cut out of the input, or the scenes to keep. A crossfade of 0 means no crossfade. */
export type RecipeCut = NonNullable<RecipeRequest['cut']>;

/** One of several outputs of a recipe. The first output has neither `suffix` nor `when`. */
export type RecipeOutput = NonNullable<RecipeRequest['outputs']>[number];

/**
 * A text, or a choice between two texts. The choice depends on whether an argument, an input, a value or a fact is set, or on the extension
 * of the output (`output.jpg`). `false` and the number 0 count as not set, but a time of 0 counts as set. If the chosen text is missing,
 * the option is left out.
 */
export type RecipeValue = RecipeRequest['parameters'][string];

/**
 * An argument of a recipe. A time is sent as seconds or as `[hours:]minutes:seconds`, and becomes seconds. A `required` text must not be
 * empty. The text of a choice can refer to other names, but not to another choice.
 */
export type RecipeArgument = Recipe['arguments'][string];

/** The units that a number of a recipe can have. `x`: how many times as much. */
export const ARGUMENT_UNITS = ['MB', '%', 's', 'px', 'kbit/s', 'dB', 'LUFS', 'fps', 'Hz', 'x'] as const;

export type ArgumentUnit = (typeof ARGUMENT_UNITS)[number];

/** How people write a unit behind a number. A level in dB and one in LUFS are changed in the same steps. */
const WRITTEN: Readonly<Record<ArgumentUnit, RegExp>> = {
  MB: /^(?:mb|megabytes?)$/i,
  '%': /^(?:%|percent)$/i,
  s: /^(?:s|secs?|seconds?)$/i,
  px: /^(?:px|pixels?|p)$/i,
  'kbit/s': /^(?:k|kbps|kbit\/s|kb\/s)$/i,
  dB: /^(?:db|dbfs|dbtp|lufs)$/i,
  LUFS: /^(?:lufs|db|dbfs|dbtp)$/i,
  fps: /^fps$/i,
  Hz: /^hz$/i,
  x: /^(?:x|times)$/i,
};

/** Whether a text is a unit as people write it: `kbps` for `kbit/s`. */
export const isUnit = (unit: ArgumentUnit, text: string): boolean => WRITTEN[unit].test(text);

/** The value of an argument, as a client sends it. A number may be a text: `"720"`. */
export type ArgumentValue = NonNullable<Preset['arguments']>[string];

/**
 * The use of a recipe in a request. The fields below are not in the schema: the service adds them. They are hidden from clients.
 */
export interface Preset extends Shape<typeof preset> {
  /**
   * By role, the whole URLs of inputs that `arguments` have with hidden parts. The retry of a job adds them. They are only read as inputs, so
   * that neither an option nor an error that repeats arguments shows their secrets.
   */
  readonly inputUrls?: Readonly<Record<string, string>>;
  /** The size that the output must not exceed, in bytes. Absent if the recipe has none, or the client decides how many bits the video has. */
  readonly maxBytes?: number;
  /** Only in jobs that an earlier version has stored: the options that the recipe has set, as names of `parameters` or as JSON Pointers. */
  readonly options?: readonly string[];
}

/** A preset as clients see it, without the fields that the service adds. */
export const shownPreset = ({ inputUrls: _, maxBytes: __, options: ___, ...preset }: Preset): Preset => preset;

/** Who wrote a recipe: the authors of the service, the operator of the service, or the client that uses the recipe. */
export type RecipeSource = 'built-in' | 'operator' | 'own';

export interface ListedRecipe extends Recipe {
  readonly source: RecipeSource;
  /** Why no worker can run the recipe now, and what the operator can do about it, in sentences. */
  readonly unavailable?: string;
}

export const RECIPE_LIMITS = {
  /** The maximum version: an integer of 32 bits, because databases store it in this size. */
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
  /** How many recipes a client can store. */
  own: 100,
  /** Bytes of the JSON of a recipe that a client stores. */
  ownBytes: 32_768,
  values: 20,
  expressionLength: 300,
} as const;

/** Matches the name of a recipe: `web-h264`. */
export const RECIPE_NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
