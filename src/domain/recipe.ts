import type { Join } from './join.ts';
import type { ThumbnailTrack } from './thumbnail-track.ts';

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
export interface Recipe {
  /** Lower-case words with hyphens: `web-h264`. */
  readonly name: string;
  /** Rises whenever the result of the same arguments changes. */
  readonly version: number;
  readonly title: string;
  /** What it is for, and what the result is, in one to three sentences. */
  readonly description: string;
  /** What people also say when they look for it: synonyms, devices, services. Only the search reads them. */
  readonly words: readonly string[];
  /** The files that it reads, in the order in which ffmpeg numbers them. At least one. */
  readonly inputs: readonly RecipeInput[];
  /** The extensions that are allowed for the output, or for the first of several: `mp4`. The usual one comes first. `jpg` allows `.jpeg` too. */
  readonly outputs: readonly string[];
  readonly arguments: Readonly<Record<string, RecipeArgument>>;
  /**
   * Numbers that are computed from arguments and from facts of the first input: `{"rate": "floor(8000 * size / input.duration)"}`.
   * Each may use those before it.
   */
  readonly values?: Readonly<Record<string, string>>;
  /** Limits of arguments that depend on other arguments or on the input: without them, the result would not be what was asked for. */
  readonly limits?: Readonly<Record<string, RecipeLimit>>;
  readonly request: RecipeRequest;
}

/** A limit of an argument that has a number. `min` and `max` are formulas, as in `values`. */
export interface RecipeLimit {
  readonly min?: string;
  readonly max?: string;
  /** Why, as the end of an error message: `The sound and the picture need so much.` */
  readonly reason: string;
}

/** One file that a recipe reads. */
export interface RecipeInput {
  /** A word for it: `film`, `music`. Requests may send it as an argument of this name, except the first. */
  readonly role: string;
  readonly description: string;
  readonly optional?: true;
  /** Whether all further inputs of the request have this role. Inputs after it can be sent as arguments only. */
  readonly many?: true;
  /** Options of this input. */
  readonly parameters?: Readonly<Record<string, RecipeValue>>;
  /** For pictures of a slideshow. See `InputSpec`. */
  readonly duration?: RecipeValue;
  readonly crossfade?: RecipeValue;
}

/** The part of a request that a recipe sets. */
interface RecipeRequest {
  readonly format?: string;
  /** See `ConversionRequest`. */
  readonly join?: Join;
  readonly cut?: RecipeCut;
  /** As in a request. */
  readonly transcribe?: { readonly language: string };
  readonly parameters: Readonly<Record<string, RecipeValue>>;
  /** Several outputs of one run. `parameters` apply to each. Without them, the recipe writes one. */
  readonly outputs?: readonly RecipeOutput[];
  /** See `ThumbnailTrack`. Each text stands for a number. */
  readonly thumbnailTrack?: Readonly<Record<keyof ThumbnailTrack, string>>;
}

/**
 * The silence that is cut out of the input, or the scenes that are kept, as in `cut` of a request: exactly one of the two. Each text
 * stands for a number.
 */
export interface RecipeCut {
  readonly remove?: {
    readonly silence: { readonly noiseDb: string; readonly minSeconds: string };
    readonly marginSeconds: string;
  };
  readonly keep?: {
    readonly scenes: { readonly threshold: string };
    readonly count: string;
    readonly partSeconds: string;
  };
  /** 0: none. */
  readonly crossfade?: string;
}

/** One of several outputs of a recipe. */
export interface RecipeOutput {
  /** A word for it: `poster`. */
  readonly role: string;
  readonly description: string;
  /** Its name beside the first output: `-poster.jpg` is `film-poster.jpg` for `film.mp4`. Absent for the first. */
  readonly suffix?: string;
  /** It is left out if this argument, value or fact is not set. Not for the first. */
  readonly when?: string;
  readonly format?: string;
  readonly parameters: Readonly<Record<string, RecipeValue>>;
}

/** A text with references, or a list of them for an option that is repeated. */
type RecipeText = string | readonly string[];

/**
 * A text, or one of two by whether an argument, an input, a value or a fact is there and neither false nor the number 0 (a
 * time may be 0), or by the extension of the output (`output.jpg`). Without that one, the option is left out.
 */
export type RecipeValue =
  | RecipeText
  | { readonly when: string; readonly value?: RecipeText; readonly otherwise?: RecipeText };

/** An argument of a recipe. Without a default it is optional, unless it is `required`. */
export type RecipeArgument = (
  | {
      readonly type: 'choice';
      /** The choices, with the text that each stands for in the request. It can refer to other names, but to no choice. */
      readonly choices: Readonly<Record<string, string>>;
      readonly default?: string;
    }
  | {
      readonly type: 'number';
      readonly min: number;
      readonly max: number;
      readonly integer?: true;
      readonly default?: number;
    }
  /** Seconds, or `[hours:]minutes:seconds`. It stands for seconds. `share`: also `middle`, or `25%` of the first input. */
  | {
      readonly type: 'time';
      readonly min?: number;
      readonly max?: number;
      readonly share?: true;
      readonly default?: string;
    }
  /** `#RRGGBB`, `#RRGGBBAA` or a name of ffmpeg, such as `white`. */
  | { readonly type: 'colour'; readonly default?: string }
  /** It is not empty if it is `required`, and has none of the characters of `without`. */
  | { readonly type: 'text'; readonly maxLength: number; readonly without?: string; readonly default?: string }
  | { readonly type: 'flag'; readonly default?: boolean }
) & { readonly description: string; readonly required?: true };

/** The value of an argument, as a client sends it. Numbers may be texts: `"720"`. */
export type ArgumentValue = string | number | boolean;

/** The use of a recipe in a request. */
export interface Preset {
  readonly name: string;
  /** Default: the newest one. */
  readonly version?: number;
  readonly arguments?: Readonly<Record<string, ArgumentValue>>;
  /**
   * Once it is applied: the options that the recipe set, without those that are all that one argument of the client has an
   * influence on. Names of `parameters`, and JSON Pointers to options of inputs. Clients do not see it.
   */
  readonly options?: readonly string[];
  /** Once it is applied: the arguments by the settings of `cut` that they are: `{minSeconds: 'pause'}`. Clients do not see it. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Once it is applied: the arguments in the text of each option that the recipe set: `{af: ['fadeIn']}`. Clients do not see it. */
  readonly argumentsOf?: Readonly<Record<string, readonly string[]>>;
}

/** Who wrote a recipe: the authors of the service, its operator, or the client that uses it. */
export type RecipeSource = 'built-in' | 'operator' | 'own';

/** A recipe of a catalogue. */
export interface ListedRecipe extends Recipe {
  readonly source: RecipeSource;
  /** Why no worker can run it now, and what the operator does about it, in sentences. */
  readonly unavailable?: string;
}

/** The limits of one recipe. */
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
