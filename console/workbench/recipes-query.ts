import { queryOptions } from '@tanstack/react-query';
import { client } from '../app/client.ts';

/** The recipes that match a search. '': all recipes. */
export const recipesQuery = (q: string) =>
  queryOptions({
    queryKey: ['recipes', q],
    queryFn: ({ signal }) => client.recipes({ ...(q !== '' && { q }), signal }),
    staleTime: 60_000,
  });

/** A recipe with its definition. */
export const recipeQuery = (name: string) =>
  queryOptions({
    queryKey: ['recipe', name],
    queryFn: ({ signal }) => client.recipe(name, { signal }),
    staleTime: 60_000,
  });
