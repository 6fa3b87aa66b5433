import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RecipeDryRun } from '@telecine/client';
import { client } from '../app/client.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import type { Checked } from '../workbench/use-dry-run.ts';

/** After this pause in typing, the recipe is checked. */
const PAUSE_MS = 300;

/** Checks a recipe while the user edits it, with a dry run of a request that uses it. `sent` undefined: the user may not write recipes. */
export function useRecipeCheck(name: string, sent: RecipeDryRun | undefined): Checked {
  const text = sent === undefined ? '' : JSON.stringify({ name, sent });
  const settled = useDebounced(text, PAUSE_MS);
  const check = useQuery({
    queryKey: ['recipe-dry-run', settled],
    queryFn: ({ signal }) => {
      const checked = JSON.parse(settled) as { readonly name: string; readonly sent: RecipeDryRun };
      return client.dryRunRecipe(checked.name, checked.sent, { signal });
    },
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  if (sent === undefined) return { plan: undefined, error: null, isOld: false };
  return {
    plan: check.error === null ? check.data : undefined,
    error: check.error,
    isOld: settled !== text || check.isPlaceholderData || check.isPending,
    checkAgain: () => void check.refetch(),
  };
}
