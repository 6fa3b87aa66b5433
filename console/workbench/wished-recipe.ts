import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Dispatch, useEffect } from 'react';
import type { Change } from './change-draft.ts';

/** The recipe that an address of the workbench chooses: `/?recipe=mp3`. */
export function readWishedRecipe(query: Readonly<Record<string, unknown>>): { readonly recipe?: string } {
  const { recipe } = query;
  return typeof recipe === 'string' && recipe !== '' ? { recipe } : {};
}

/** Chooses the recipe of the address, and then removes it from the address, so that a reload keeps what was chosen since. */
export function useWishedRecipe(change: Dispatch<Change>): void {
  const { recipe } = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  useEffect(() => {
    if (recipe === undefined) return;
    change({ do: 'choose-recipe', name: recipe });
    void navigate({ search: {}, replace: true });
  }, [recipe, change, navigate]);
}
