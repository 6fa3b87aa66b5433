import { useQuery } from '@tanstack/react-query';
import type { Recipe } from '@telecine/client';
import { recipeQuery } from './recipes-query.ts';

/** Reads a recipe by its name. undefined: there is no name, or the recipe is not read yet. */
export function useRecipe(name = ''): Recipe | undefined {
  const found = useQuery({ ...recipeQuery(name), enabled: name !== '' });
  return name === '' ? undefined : found.data;
}
