import { useQuery } from '@tanstack/react-query';
import { recipesQuery } from '../workbench/recipes-query.ts';
import { recipeText } from './recipe-text.ts';

/** A recipe by its title, as it was chosen, and its name. Only the name, if the recipe was deleted or belongs to another client. */
export function RecipeName({ name }: { readonly name: string }) {
  const recipes = useQuery(recipesQuery(''));
  return <>{recipeText(name, recipes.data?.recipes)}</>;
}
