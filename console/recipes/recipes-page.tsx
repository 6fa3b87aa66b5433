import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecipeList } from '@telecine/client';
import Clapperboard from 'lucide-react/icons/clapperboard';
import Plus from 'lucide-react/icons/plus';
import Search from 'lucide-react/icons/search';
import Trash2 from 'lucide-react/icons/trash-2';
import WandSparkles from 'lucide-react/icons/wand-sparkles';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { Floating } from '../ui/floating.tsx';
import ink from '../ui/ink.module.css';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { Section } from '../ui/section.tsx';
import { UndoNotice } from '../ui/undo-notice.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { argumentLabel } from '../workbench/argument-label.ts';
import { purposeOf } from '../workbench/first-sentence.ts';
import { recipesQuery } from '../workbench/recipes-query.ts';
import styles from './recipes.module.css';
import { useRecipeDeletion } from './use-recipe-deletion.ts';

type Summary = RecipeList['recipes'][number];

/** The recipes that the signed-in client has stored. */
export function RecipesPage() {
  const { data: session } = useSession();
  const recipes = useQuery(recipesQuery(''));
  const deletion = useRecipeDeletion();
  const mayWrite = mayDo(session, 'jobs:write');
  const own = recipes.data?.recipes.filter(({ source }) => source === 'own') ?? [];
  return (
    <>
      <PageHeader
        title="Your recipes"
        back={<BackLink to="/">Workbench</BackLink>}
        about={own.length > 0 && `Only the client ${session?.clientId} can use and see these.`}
      >
        {/* An empty list has the link itself. */}
        {mayWrite && own.length > 0 && (
          <Link to="/" className={buttonClass('primary')}>
            <Plus /> Make a recipe
          </Link>
        )}
      </PageHeader>
      <QueryState query={recipes} columns={['Recipe', 'What it does', 'Arguments', 'Version']}>
        {() =>
          own.length === 0 ? (
            <Empty icon={WandSparkles}>
              <p>
                <strong>You have no recipes of your own yet.</strong>
              </p>
              <p>
                A recipe keeps the settings of a conversion under a name, for you, your programs and your watches. What
                changes from file to file becomes an argument, such as the start or the quality.
              </p>
              {mayWrite && (
                <>
                  <Link to="/" className={buttonClass('primary')}>
                    <Plus /> Make one in the workbench
                  </Link>
                  <p>
                    Set up a conversion there, and give it a title at “Save as a recipe”. Or choose “Save as recipe” in
                    the menu “More” of a{' '}
                    <Link to="/jobs" search={{ status: 'COMPLETED' }}>
                      finished job
                    </Link>
                    .
                  </p>
                </>
              )}
            </Empty>
          ) : (
            <DataTable
              label="Your recipes"
              rows={own}
              keyOf={({ name }) => name}
              empty={null}
              columns={[
                { name: 'Recipe', cell: (recipe) => <RecipeLink recipe={recipe} /> },
                {
                  name: 'What it does',
                  isPlain: true,
                  cell: ({ description }) => <WithCode text={purposeOf(description)} />,
                },
                {
                  name: 'Arguments',
                  cell: ({ arguments: names }) => names.map(argumentLabel).join(', '),
                },
                { name: 'Version', isNumber: true, cell: ({ version }) => version },
                {
                  name: '',
                  isMenu: true,
                  cell: ({ name, title }) => (
                    <RowMenu label={`Actions for ${title}`}>
                      <Link to="/" search={{ recipe: name }}>
                        <Clapperboard /> Use it
                      </Link>
                      {mayWrite && (
                        <Button variant="danger" aria-label={`Delete ${title}`} onClick={() => deletion.remove(name)}>
                          <Trash2 /> Delete
                        </Button>
                      )}
                    </RowMenu>
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
      <Starters recipes={recipes.data?.recipes ?? []} />
      <Floating>
        <UndoNotice notice={deletion.notice} onClose={deletion.close} ref={deletion.element} />
      </Floating>
    </>
  );
}

/** Recipes of the service that many need, and that others are like. */
const STARTERS = ['web-h264', 'compress', 'trim', 'gif', 'mp3', 'hls'];

/** Some of the recipes that all clients have, from which an own one can be made. */
function Starters({ recipes }: { readonly recipes: readonly Summary[] }) {
  const shown = STARTERS.flatMap((name) => recipes.filter((one) => one.name === name && one.source !== 'own'));
  if (shown.length === 0) return null;
  return (
    <Section title="Recipes of the service">
      <ul className={styles.starters}>
        {shown.map(({ name, title, description }) => (
          <li key={name}>
            <Link to="/recipes/$recipeName" params={{ recipeName: name }}>
              {title}
            </Link>
            <p className={ink.soft}>
              <WithCode text={purposeOf(description)} />
            </p>
          </li>
        ))}
      </ul>
      <div>
        <Link to="/" className={buttonClass('plain')}>
          <Search /> Search all {recipes.filter(({ source }) => source !== 'own').length} in the workbench
        </Link>
      </div>
    </Section>
  );
}

const RecipeLink = ({ recipe: { name, title } }: { readonly recipe: Summary }) => (
  <>
    <Link to="/recipes/$recipeName" params={{ recipeName: name }}>
      {title}
    </Link>
    <code className={styles.name}>{name}</code>
  </>
);
