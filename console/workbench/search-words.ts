import type { RecipeList } from '@telecine/client';

export type FoundRecipe = RecipeList['recipes'][number];

/** What is typed into the search of recipes, while no recipe is chosen. */
export interface SearchWords {
  readonly text: string;
  /** Whether the search has ended. */
  readonly isSearched?: boolean;
  /** The best recipe for the words. undefined: it is being searched, or none is close to them. */
  readonly best?: FoundRecipe | undefined;
}

/** The number of characters of the longest text that a message repeats without cutting it. */
const MAX_TEXT = 40;

/** Says that words are not part of the request. undefined: there are no words. */
export function unappliedText({ text, isSearched = false, best }: SearchWords): string | undefined {
  if (text === '') return undefined;
  const shown = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
  const said = `"${shown}" is not applied.`;
  if (!isSearched) return said;
  return `${said} ${best === undefined ? 'Choose a recipe, or remove the words.' : 'Press Enter in Recipe, or choose one.'}`;
}
