import { useQuery } from '@tanstack/react-query';
import type { Recipe } from '@telecine/client';
import { client } from '../app/client.ts';

/** Reads a recipe by its name. undefined: there is no name, or the recipe is not read yet. */
export function useRecipe(name = ''): Recipe | undefined {
  const found = useQuery({
    queryKey: ['recipe', name],
    queryFn: ({ signal }) => client.recipe(name, { signal }),
    enabled: name !== '',
    staleTime: 60_000,
  });
  return name === '' ? undefined : found.data;
}
