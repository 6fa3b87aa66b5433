import { useQueryClient } from '@tanstack/react-query';
import type { Recipe } from '@telecine/client';
import { useRef, useState } from 'react';
import { client } from '../app/client.ts';
import { useSession } from '../session/use-session.ts';
import type { Notice } from '../ui/undo-notice.tsx';
import { recipeQuery } from '../workbench/recipes-query.ts';
import { definitionOf } from './definition-of.ts';
import { watchesText, watchesWith } from './watches-with.ts';

/** Deletes recipes, and stores them again if the user wants. */
export function useRecipeDeletion() {
  const queries = useQueryClient();
  const { data: session } = useSession();
  const [notice, setNotice] = useState<Notice>();
  const [deleted, setDeleted] = useState<Recipe>();
  const element = useRef<HTMLDivElement>(null);
  const showNotice = (shown: Notice): void => {
    setNotice(shown);
    // The button that was pressed has disappeared.
    element.current?.focus();
  };
  const run = async (name: string, act: () => Promise<Notice>): Promise<void> => {
    try {
      showNotice(await act());
    } catch (error) {
      showNotice({ text: '', error });
    }
    for (const queryKey of [['recipes'], recipeQuery(name).queryKey]) void queries.invalidateQueries({ queryKey });
  };
  const restore = (recipe: Recipe): Promise<void> =>
    run(recipe.name, async () => {
      await client.putRecipe(recipe.name, definitionOf(recipe));
      setDeleted(undefined);
      return { text: `Restored “${recipe.title}”.` };
    });
  const remove = (name: string): Promise<void> =>
    run(name, async () => {
      const [recipe, watches] = await Promise.all([
        client.recipe(name),
        watchesWith(queries, name, session?.clientId ?? ''),
      ]);
      await client.removeRecipe(name);
      setDeleted(recipe);
      const used = watchesText(watches, 'it', 'it is back');
      return { text: `Deleted “${recipe.title}”.${used}`, undo: () => void restore(recipe), stays: true };
    });
  return {
    notice,
    element,
    /** The recipe that was deleted last, until it is restored. */
    deleted,
    remove: (name: string) => void remove(name),
    close: () => setNotice(undefined),
  };
}
