import type { ListedRecipe } from '../domain/recipe.ts';
import type { RecipeSummaryView, RecipeView } from './recipe.ts';

/** A recipe as a list shows it. */
export const recipeSummaryView = (recipe: ListedRecipe): RecipeSummaryView => {
  const { name, version, source, title, description, outputs, inputs, arguments: own, unavailable } = recipe;
  return {
    name,
    version,
    source,
    title,
    description,
    outputs: [...outputs],
    inputs: inputs.map(({ role }) => role),
    arguments: Object.keys(own),
    ...(unavailable !== undefined && { unavailable }),
  };
};

/** The whole recipe. The types differ only in `readonly`; nothing writes through the view. */
export const recipeView = (recipe: ListedRecipe): RecipeView => recipe as unknown as RecipeView;
