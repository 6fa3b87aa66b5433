import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { Recipe } from '@telecine/client';
import { useState } from 'react';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Floating } from '../ui/floating.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { type Notice, UndoNotice } from '../ui/undo-notice.tsx';
import { recipeQuery } from '../workbench/recipes-query.ts';
import { newRecipe } from './new-recipe.ts';
import { RecipeEditor } from './recipe-editor.tsx';
import { SharedRecipe } from './shared-recipe.tsx';
import { useRecipeDeletion } from './use-recipe-deletion.ts';

/** The editor of a recipe. */
interface Editor {
  readonly name: string;
  /** The name that the recipe has now, to which the address changes. */
  readonly next?: string;
  /** Whether it has changed what is stored, so that nothing must be read. */
  readonly hasStored: boolean;
  /** The recipe, while it is not stored. */
  readonly unsaved: Recipe | undefined;
  /** Another number is another editor. */
  readonly number: number;
}

/** One of the client's own recipes, which is edited and tried here. */
export function RecipePage() {
  const { recipeName: name } = useParams({ from: '/recipes/$recipeName' });
  const { new: isNew } = useSearch({ from: '/recipes/$recipeName' });
  const clientId = useSession().data?.clientId ?? '';
  const deletion = useRecipeDeletion();
  const [notice, setNotice] = useState<Notice>();
  // With another name, the editor stays, and with it what is typed meanwhile.
  const opened = (number: number): Editor => ({
    ...{ name, number, hasStored: false },
    unsaved: isNew ? newRecipe(clientId, name) : undefined,
  });
  const [editor, setEditor] = useState(() => opened(0));
  if (editor.name !== name)
    setEditor(
      editor.next === name ? { ...editor, name, hasStored: true, unsaved: undefined } : opened(editor.number + 1),
    );
  const { unsaved } = editor;
  // The newest version, because the changes are made to what is read now.
  const read = useQuery({
    ...recipeQuery(name),
    ...{ staleTime: 0, refetchOnWindowFocus: false, enabled: unsaved === undefined },
  });
  const isRead = read.isFetchedAfterMount || read.error !== null || editor.hasStored;
  const shown = unsaved !== undefined ? { data: unsaved, error: null } : isRead ? {} : { data: undefined };
  const isDeleted = deletion.deleted?.name === name;
  const showNotice = (shown: Notice | undefined): void => {
    deletion.close();
    setNotice(shown);
    // The button that was pressed has disappeared.
    if (shown?.undo !== undefined) deletion.element.current?.focus();
  };
  return (
    <>
      {isDeleted ? (
        <PageHeader title="Deleted recipe" back={<BackLink to="/recipes">Your recipes</BackLink>} />
      ) : (
        <QueryState query={{ ...read, ...shown }}>
          {(recipe) =>
            recipe.source === 'own' ? (
              <OwnRecipe
                key={editor.number}
                recipe={recipe}
                onNotice={showNotice}
                onStored={(next) =>
                  // With another name, until the address has it: nothing is stored under this one.
                  setEditor(({ unsaved, ...shown }) => ({
                    ...{ ...shown, next, hasStored: true },
                    unsaved: next === shown.name ? undefined : unsaved,
                  }))
                }
                onDelete={() => deletion.remove(name)}
              />
            ) : (
              <SharedRecipe recipe={recipe} />
            )
          }
        </QueryState>
      )}
      <Floating isAboveBar={!isDeleted}>
        <UndoNotice notice={deletion.notice ?? notice} onClose={() => showNotice(undefined)} ref={deletion.element} />
      </Floating>
    </>
  );
}

function OwnRecipe(props: Omit<Parameters<typeof RecipeEditor>[0], 'arrival'>) {
  const search = useSearch({ from: '/recipes/$recipeName' });
  const [arrival] = useState(search);
  return <RecipeEditor {...props} arrival={arrival} />;
}
