import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import { sendMember, sendValue, withMore } from '@telecine/contract/domain/edit.ts';
import { hint } from '@telecine/contract/domain/hint.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { ArgumentValue, ListedRecipe, Preset, Recipe } from '@telecine/contract/domain/recipe.ts';
import {
  isEncoderPreset,
  recipeOfHandBrake,
  recipeOfName,
} from '@telecine/contract/domain/synonyms/encoder-presets.ts';
import { meantValue } from './argument-words.ts';
import { readValue } from './arguments.ts';
import { recipeSearch } from './search.ts';
import { correctArguments, withMeantValues } from './unknown-arguments.ts';

/**
 * The error for a preset with an unknown name. Recipes that write `output` are suggested first. If the name is a preset of an encoder, the
 * fix sends `parameters` with that preset added.
 */
export async function unknownRecipe(
  { name, version, arguments: sent }: Preset,
  recipes: readonly ListedRecipe[],
  {
    parameters = {},
    output,
  }: { readonly parameters?: Parameters | undefined; readonly output?: string | undefined } = {},
): Promise<FieldError> {
  const error = { field: '/preset/name', code: 'UNKNOWN_RECIPE' };
  const shown = JSON.stringify(name.slice(0, 100));
  if (isEncoderPreset(name)) {
    const options = JSON.stringify({ ...parameters, preset: name.trim() });
    return {
      ...error,
      message: `There is no recipe ${shown}. This is a preset of encoders, which is an option in "parameters".`,
      fix: [`Send "parameters": ${options}, and leave "preset" out. For a recipe: `, { do: 'find-recipe' }, '.'],
    };
  }
  if (JOINS.test(name.trim()))
    return {
      field: '/preset',
      code: error.code,
      message: `There is no recipe ${shown}. The field "join" joins files.`,
      fix: {
        ...withMore(sendMember('join', 'encode'), { do: 'remove', name: 'preset' }),
        note: 'The files go in "inputs".',
      },
    };
  const recipe = sent === undefined ? recipeOfHandBrake(name) : undefined;
  if (recipe !== undefined)
    return {
      ...error,
      message: `There is no recipe ${shown}. This is a preset of HandBrake.`,
      fix: sendMember('preset', recipe),
    };
  const isKnown = (one: string): boolean => recipes.some(({ name: own }) => own === one);
  const other = sent === undefined ? recipeOfName(name, extension((output ?? '') as MediaPath)) : undefined;
  if (other !== undefined && isKnown(other.name) && !recipes.some((one) => isPartOf(one.name, name)))
    return {
      ...error,
      message: `There is no recipe ${shown}. ${JSON.stringify(other.name)} does what the name says.`,
      fix: other.arguments === undefined ? sendValue(other.name) : sendMember('preset', other),
    };
  const near = await nearRecipes({ name, ...(sent && { arguments: sent }) }, recipes, output);
  const [best] = near;
  if (best === undefined)
    return {
      ...error,
      message: `There is no recipe ${shown}.`,
      fix: hint`Find one: ${{ do: 'find-recipe' }}.`,
    };
  const corrected = correctArguments(best, sent);
  const own = { ...sent, ...corrected.arguments };
  const isUnknown = (argument: string): boolean => corrected.misnamed.has(argument);
  const right = withMeantValues(best, Object.fromEntries(Object.entries(own).filter(([one]) => !isUnknown(one))));
  // The sent version belongs to the unknown recipe, so the fix must not keep it.
  const isOther = version !== undefined || JSON.stringify(right) !== JSON.stringify(sent ?? {});
  const isCorrected = isOther && (corrected.isWhole || isPartOf(best.name, name));
  const isSure = near.length === 1 || isPartOf(best.name, name) || (corrected.isWhole && sent !== undefined);
  const names = near.map((one) => `"${one.name}"`);
  return {
    ...error,
    message: `There is no recipe ${shown}. Did you mean ${names.join(' or ')}?`,
    allowed: near.map((one) => one.name),
    fix: isCorrected
      ? sendMember('preset', { name: best.name, ...(sent && { arguments: right }) })
      : isSure
        ? sendValue(best.name)
        : [`Send ${JSON.stringify(best.name)} if it does what you mean, or find another: `, { do: 'find-recipe' }, '.'],
  };
}

/** Whether a name contains all words of a recipe: `resize-video` contains `resize`. */
const isPartOf = (recipe: string, name: string): boolean => {
  const words = wordsOf(name);
  return wordsOf(recipe).every((word) => words.includes(word));
};

const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** The sorted digits of a name. Names whose digits differ are not misspellings: "mp4" is not "mp3", but "h246" is "h264". */
const digitsOf = (name: string): string => name.replaceAll(/\D/g, '').split('').sort().join('');

/** How many recipes are compared by their arguments at most. */
const COMPARED = 5;
/** How many search results are checked for their outputs at most. */
const SEARCHED = 10;
/** How many recipes an error names at most. */
const NAMED = 3;

const AUDIO: ReadonlySet<string> = new Set('mp3 m4a m4b aac wav flac ogg opus mka aiff'.split(' '));
const IMAGES: ReadonlySet<string> = new Set('jpg jpeg png webp avif gif bmp tiff'.split(' '));

/** The kind of file of an extension. */
const kindOf = (name: string): 'audio' | 'image' | 'video' =>
  AUDIO.has(name) ? 'audio' : IMAGES.has(name) ? 'image' : 'video';

/** Names for joining files. Joining is a field of the request and not a recipe. */
const JOINS =
  /^(?:concat(?:enat(?:e|ion))?|merge|join|append|stitch|combine)[ _-]?(?:videos?|files?|clips?|audios?|films?|sounds?|mp4s?)?$/i;

const search = recipeSearch();

/**
 * The recipes that a name can mean, most likely first. These are recipes with a similar spelling, or search results for the words of the
 * name and the arguments. Recipes that write `output` and have all sent arguments come first.
 */
export async function nearRecipes(
  { name, arguments: sent = {} }: Preset,
  recipes: readonly ListedRecipe[],
  output?: string,
): Promise<readonly ListedRecipe[]> {
  const inName = recipes.filter((one) => isPartOf(one.name, name));
  const typo = closestMatch(name, new Set(recipes.map((one) => one.name)));
  if (inName.length === 0 && typo !== undefined && digitsOf(typo) === digitsOf(name))
    return recipes.filter((one) => one.name === typo);
  const words = [name, ...Object.keys(sent)].join(' ').replaceAll(/[_-]/g, ' ').slice(0, 200);
  const all = [...new Set([...inName, ...(await search(recipes, words)).recipes])];
  const written = extension((output ?? '') as MediaPath);
  // If the best result writes another kind of file (audio, video or image), the extension of the output does not show which recipe is meant.
  const isOfKind = all[0]?.outputs.some((one) => kindOf(one) === kindOf(written)) === true;
  const writing = isOfKind ? all.slice(0, SEARCHED).filter(({ outputs }) => outputs.includes(written)) : [];
  const found = (writing.length > 0 ? writing : all).slice(0, COMPARED);
  const fits = (recipe: ListedRecipe): boolean => correctArguments(recipe, sent).isWhole;
  return [...found.filter(fits), ...found.filter((one) => !fits(one))].slice(0, NAMED);
}

/*
 * Recipes whose names contain the name in a request: `crop-to-aspect` for `crop`, `video-loudness` for
 * `loudness`. If one of them accepts the output and the arguments, the request means it.
 */

type Arguments = NonNullable<Preset['arguments']>;

/**
 * Converts the arguments to values that the recipe accepts: `-16 LUFS` becomes `-16`. undefined: the recipe lacks an argument, requires
 * another one, or rejects a value.
 */
function argumentsFor(recipe: Recipe, sent: Arguments): Arguments | undefined {
  if (correctArguments(recipe, sent).errors.length > 0) return undefined;
  const known = Object.entries(recipe.arguments);
  const meant = known.flatMap(([name, argument]): readonly (readonly [string, ArgumentValue | undefined])[] => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined) return argument.required === true ? [[name, undefined]] : [];
    if (!('mustBe' in readValue(argument, value))) return [[name, value]];
    const other = meantValue(argument, name, value);
    return [[name, other === undefined || 'mustBe' in readValue(argument, other) ? undefined : other]];
  });
  if (meant.some(([, value]) => value === undefined)) return undefined;
  return { ...sent, ...(Object.fromEntries(meant) as Arguments) };
}

const presetOf = (name: string, own: Arguments = {}): Preset => ({
  name,
  ...(Object.keys(own).length > 0 && { arguments: own }),
});

/** The fix for an output that a recipe cannot write. `or`: an alternative, as the end of the sentence. */
export const otherOutput = (extension: string, or = ''): string => `Send an output that ends with "${extension}"${or}.`;

/**
 * If the request means another recipe, replaces the errors about unknown arguments or the output by one error. Its fix sends the other
 * recipe.
 */
export function withOtherRecipe(
  errors: readonly FieldError[],
  { preset, output = '' }: { readonly preset: Preset; readonly output?: string | undefined },
  recipes: readonly ListedRecipe[],
): readonly FieldError[] {
  const about = errors.find(({ code }) => code === 'OTHER_EXTENSION' || code === 'UNKNOWN_ARGUMENT');
  if (about === undefined) return errors;
  const { arguments: sent = {} } = preset;
  const written = extension(output as MediaPath);
  const other = recipes.find(
    (one) =>
      one.name !== preset.name &&
      wordsOf(preset.name).every((word) => wordsOf(one.name).includes(word)) &&
      one.outputs.includes(written) &&
      argumentsFor(one, sent) !== undefined,
  );
  if (other === undefined) return errors.map((one) => withRecipeOfOutput(one, preset, written, recipes));
  return [{ ...about, fix: sendMember('preset', presetOf(other.name, argumentsFor(other, sent))) }];
}

/**
 * Returns `error`, the error about the output, with a fix that names a recipe for the extension of the output. Prefers a
 * recipe whose first extension is that one, and which writes few others.
 */
function withRecipeOfOutput(
  error: FieldError,
  { name, arguments: sent = {} }: Preset,
  written: string,
  recipes: readonly ListedRecipe[],
): FieldError {
  const [allowed] = error.allowed ?? [];
  if (error.code !== 'OTHER_EXTENSION' || allowed === undefined) return error;
  const [purpose] = wordsOf(name);
  const writing = recipes
    .filter((one) => one.outputs.includes(written))
    .toSorted((a, b) => a.outputs.indexOf(written) - b.outputs.indexOf(written) || a.outputs.length - b.outputs.length);
  const found =
    writing.find((one) => one.name === written) ??
    writing.find((one) => wordsOf(one.name)[0] === purpose && argumentsFor(one, sent) !== undefined);
  if (found === undefined) return error;
  const preset = JSON.stringify(presetOf(found.name, argumentsFor(found, sent)));
  return { ...error, fix: otherOutput(allowed, `, or "preset": ${preset} for a .${written}`) };
}
