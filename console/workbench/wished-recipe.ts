import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Dispatch, useEffect } from 'react';
import type { Change } from './change-draft.ts';

/** Chooses the recipe of the address, and then removes it from the address, so that a reload keeps what was chosen since. */
export function useWishedRecipe(change: Dispatch<Change>): void {
  const { recipe, source, find } = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  useEffect(() => {
    if (recipe === undefined) return;
    change({ do: 'choose-recipe', name: recipe });
    void navigate({ search: { ...(source && { source }), ...(find && { find }) }, replace: true });
  }, [recipe, source, find, change, navigate]);
}
