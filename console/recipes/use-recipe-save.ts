import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { ClientError, type Recipe, type RecipeDefinition } from '@telecine/client';
import { client } from '../app/client.ts';
import { useSession } from '../session/use-session.ts';
import type { Notice } from '../ui/undo-notice.tsx';
import { recipeQuery } from '../workbench/recipes-query.ts';
import { contentOf, definitionOf } from './definition-of.ts';
import { forgetNewRecipe } from './new-recipe.ts';
import type { RecipeSearch } from './recipe-search-params.ts';
import { watchesText, watchesWith } from './watches-with.ts';

/** What the form has. */
export interface RecipeForm {
  readonly name: string;
  readonly draft: RecipeDefinition;
}

/**
 * Stores a recipe that is edited, also under another name, which can be taken back. What the user changes meanwhile stays.
 * `onStored`: called with what is stored now, and with what the form had when it was sent.
 */
export function useRecipeSave(
  stored: Recipe,
  form: RecipeForm,
  onStored: (stored: Recipe, sent: RecipeForm) => void,
  onNotice: (notice: Notice | undefined) => void,
) {
  const queries = useQueryClient();
  const clientId = useSession().data?.clientId ?? '';
  const navigate = useNavigate();
  const { history } = useRouter();
  const { name, draft } = form;
  const isNew = stored.version === 0;
  // Another name is another recipe, which begins with version 1. So it cannot replace one that has this name.
  const version = name === stored.name ? stored.version + 1 : 1;
  const keep = (saved: Recipe): void => {
    queries.setQueryData(recipeQuery(saved.name).queryKey, saved);
    void queries.invalidateQueries({ queryKey: ['recipes'] });
  };
  const goTo = (recipeName: string, search: (before: RecipeSearch) => RecipeSearch): Promise<void> =>
    navigate({
      to: '/recipes/$recipeName',
      params: { recipeName },
      search,
      replace: true,
      // What was changed meanwhile stays in the form.
      ignoreBlocker: true,
    });
  const saveVersion = async (number: number): Promise<void> => {
    const saved = await client.putRecipe(name, { ...draft, version: number });
    keep(saved);
    // The user may have left the page meanwhile.
    const isLeft = history.location.pathname !== `/recipes/${stored.name}`;
    onStored(saved, form);
    // The bar says that it is saved. What could be undone before is in what is stored.
    onNotice(undefined);
    if (!isNew) return;
    forgetNewRecipe(clientId);
    if (!isLeft) await goTo(saved.name, ({ file }) => ({ ...(file !== undefined && { file }) }));
  };
  /** Stores a recipe under another name, deletes it under the former one, and changes the address of the page. */
  const move = async (from: string, to: string, definition: RecipeDefinition, sent: RecipeForm): Promise<void> => {
    const saved = await client.putRecipe(to, definition);
    await client.removeRecipe(from).finally(() => keep(saved));
    // The user may have left the page meanwhile.
    if (history.location.pathname !== `/recipes/${from}`) return;
    onStored(saved, sent);
    await goTo(to, (before) => before);
  };
  const rename = async (): Promise<void> => {
    const [before, watches] = await Promise.all([
      client.recipe(stored.name),
      watchesWith(queries, stored.name, clientId),
    ]);
    if (before.version !== stored.version)
      throw new Error(
        `The recipe "${before.name}" has version ${before.version} now, and this page shows version ${stored.version}. Reload the page before you rename it.`,
      );
    await move(before.name, name, { ...draft, version }, form);
    onNotice({
      text: `Renamed to ${name}. Programs that name ${before.name} must name ${name}.${watchesText(watches, before.name, `changed to ${name}`)}`,
      undo: () => void undoRename(before, name).catch((error: unknown) => onNotice({ text: '', error })),
    });
  };
  const undoRename = async (before: Recipe, from: string): Promise<void> => {
    const renamed = definitionOf(await client.recipe(from));
    const isSame = contentOf(renamed) === contentOf(definitionOf(before));
    const definition = { ...renamed, version: isSame ? before.version : before.version + 1 };
    await move(from, before.name, definition, { name: from, draft: renamed });
    onNotice({ text: `Renamed back to ${before.name}.` });
  };
  const save = useMutation({
    mutationFn: async (how: 'save' | 'replace') => {
      if (how === 'replace') await saveVersion((await client.recipe(name)).version + 1);
      else if (name === stored.name || isNew) await saveVersion(version);
      else await rename();
    },
  });
  return {
    error: save.error,
    isPending: save.isPending,
    /** The version that the form becomes. */
    version,
    /** Whether someone else has stored another version, which `replace` replaces. */
    isTaken:
      save.error instanceof ClientError && save.error.code === 'RECIPE_CONFLICT' && (name === stored.name || isNew),
    save: () => save.mutate('save'),
    replace: () => save.mutate('replace'),
    /** Saves before another step. Rejects if that fails. */
    saveFirst: () => save.mutateAsync('save'),
    /** Forgets why the last save has failed, because the user has changed the form. A save that runs goes on. */
    forgetError: () => {
      if (save.isError) save.reset();
    },
  };
}
