import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { sendMember, sendValue } from '@telecine/contract/domain/edit.ts';
import { hint } from '@telecine/contract/domain/hint.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { ListedRecipe, Preset } from '@telecine/contract/domain/recipe.ts';
import { recipeSearch } from './search.ts';
import { correctArguments } from './unknown-arguments.ts';

/** The error for a preset with an unknown name. Recipes that write `output` are suggested first. */
export async function unknownRecipe(
  { name, version, arguments: sent }: Preset,
  recipes: readonly ListedRecipe[],
  output?: string,
): Promise<FieldError> {
  const error = { field: '/preset/name', code: 'UNKNOWN_RECIPE' };
  const message = `There is no recipe ${JSON.stringify(name.slice(0, 100))}.`;
  const near = await nearRecipes({ name, ...(sent && { arguments: sent }) }, recipes, output);
  const [best] = near;
  if (best === undefined) return { ...error, message, fix: hint`Find one: ${{ do: 'find-recipe' }}.` };
  const names = near.map((one) => `"${one.name}"`);
  // The sent version belongs to the unknown recipe, so the fix must not keep it.
  const send =
    version === undefined
      ? sendValue(best.name)
      : sendMember('preset', { name: best.name, ...(sent && { arguments: sent }) });
  return {
    ...error,
    message: `${message} Did you mean ${names.join(' or ')}?`,
    allowed: near.map((one) => one.name),
    fix:
      near.length === 1 || isPartOf(best.name, name)
        ? send
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

/** The fix for an output that a recipe cannot write. `or`: an alternative, as the end of the sentence. */
export const otherOutput = (extension: string, or = ''): string => `Send an output that ends with "${extension}"${or}.`;
