import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Recipe } from '@telecine/client';
import Clapperboard from 'lucide-react/icons/clapperboard';
import { useEffect, useState } from 'react';
import { BackLink } from '../ui/back-link.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Floating } from '../ui/floating.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { type Notice, UndoNotice } from '../ui/undo-notice.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { recipeQuery } from '../workbench/recipes-query.ts';
import { RecipeEditor } from './recipe-editor.tsx';
import { useRecipeDeletion } from './use-recipe-deletion.ts';

/** The editor of a recipe. */
interface Editor {
  readonly name: string;
  /** The name that the recipe has now, to which the address changes. */
  readonly next?: string;
  readonly isRenamed: boolean;
  /** Another number is another editor. */
  readonly number: number;
}

/** One of the client's own recipes, which is edited and tried here. */
export function RecipePage() {
  const { recipeName: name } = useParams({ from: '/recipes/$recipeName' });
  const deletion = useRecipeDeletion();
  const [notice, setNotice] = useState<Notice>();
  // The newest version, because the changes are made to what is read now.
  const read = useQuery({ ...recipeQuery(name), staleTime: 0, refetchOnWindowFocus: false });
  // With another name, the editor stays, and with it what is typed meanwhile.
  const [editor, setEditor] = useState<Editor>({ name, number: 0, isRenamed: false });
  if (editor.name !== name) {
    const isRenamed = editor.next === name;
    setEditor({ name, isRenamed, number: editor.number + (isRenamed ? 0 : 1) });
  }
  const isRead = read.isFetchedAfterMount || read.error !== null || editor.isRenamed;
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
        <QueryState query={isRead ? read : { ...read, data: undefined }}>
          {(recipe) =>
            recipe.source === 'own' ? (
              <OwnRecipe
                key={editor.number}
                recipe={recipe}
                onNotice={showNotice}
                onRename={(next) => setEditor((shown) => ({ ...shown, next }))}
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
  const navigate = useNavigate({ from: '/recipes/$recipeName' });
  const [arrival] = useState(search);
  const { file, saved, without } = search;
  // After a reload, the recipe is not new.
  const isNew = saved !== undefined || without !== undefined;
  useEffect(() => {
    if (isNew) void navigate({ search: { ...(file !== undefined && { file }) }, replace: true });
  }, [isNew, file, navigate]);
  return <RecipeEditor {...props} arrival={arrival} />;
}

/** A recipe that all clients have. */
const SharedRecipe = ({ recipe: { name, title, description, source } }: { readonly recipe: Recipe }) => (
  <>
    <PageHeader
      title={title}
      back={<BackLink to="/recipes">Your recipes</BackLink>}
      about={<WithCode text={description} />}
    >
      <Link to="/" search={{ recipe: name }} className={buttonClass('primary')}>
        <Clapperboard /> Use it
      </Link>
    </PageHeader>
    <p>
      All clients have this recipe of the {source === 'operator' ? 'operator' : 'service'}, so it is not changed here.
      To have one of your own like it, use it in the workbench, and save that as a recipe.
    </p>
  </>
);
