import type { RecipeDryRun } from '@telecine/client';
import { client } from '../app/client.ts';
import { DRY_RUNS } from '../workbench/dry-run-query.ts';
import { sourcesOf } from '../workbench/sources-of.ts';
import { type Checked, useCheck } from '../workbench/use-dry-run.ts';

/** Checks a recipe while the user edits it, with a dry run of a request that uses it. `sent` undefined: the user may not write recipes. */
export const useRecipeCheck = (name: string, sent: RecipeDryRun | undefined): Checked =>
  useCheck(sent && { name, sent }, sent?.request, (text) => ({
    queryKey: [...DRY_RUNS, 'recipe', text],
    queryFn: async ({ signal }) => {
      const checked = JSON.parse(text) as { readonly name: string; readonly sent: RecipeDryRun };
      const plan = await client.dryRunRecipe(checked.name, checked.sent, { signal });
      return { plan, sources: sourcesOf(checked.sent.request) };
    },
  }));
