import { Link } from '@tanstack/react-router';
import type { Recipe } from '@telecine/client';
import Clapperboard from 'lucide-react/icons/clapperboard';
import { useMemo } from 'react';
import { client } from '../app/client.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { buttonClass } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import columns from '../ui/columns.module.css';
import { CopyButton } from '../ui/copy-button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import ink from '../ui/ink.module.css';
import { PageHeader } from '../ui/page-header.tsx';
import { Section } from '../ui/section.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { argumentLabel } from '../workbench/argument-label.ts';
import { exportRequest } from '../workbench/export-request.ts';
import { ChosenCodecsProvider } from '../workbench/use-chosen-codecs.tsx';
import { definitionOf } from './definition-of.ts';
import { RecipeCommand } from './recipe-command.tsx';
import { allowedText, defaultText } from './recipe-facts.ts';
import { RecipeFlow } from './recipe-flow.tsx';
import { RecipeSettings } from './recipe-settings.tsx';
import styles from './recipes.module.css';
import { exampleRequest, trialDraft } from './trial.ts';

/** A recipe that all clients have: what it does, what can be chosen, and how it is used. */
export function SharedRecipe({ recipe }: { readonly recipe: Recipe }) {
  const { name, title, description, source, unavailable } = recipe;
  const { data: session } = useSession();
  const definition = useMemo(() => definitionOf(recipe), [recipe]);
  const by = { url: client.url, clientId: session?.clientId ?? '' };
  const request = exampleRequest(definition, name, trialDraft(definition, name));
  const json = exportRequest('json', request, by);
  const command = exportRequest('curl', request, by);
  // The encoders of the options say what their values mean.
  const rows = useMemo(
    () =>
      Object.entries(definition.request.parameters).map(([option, value]) => ({
        ...{ id: option, name: option, value: typeof value === 'string' ? value : '' },
      })),
    [definition],
  );
  return (
    <>
      <PageHeader
        title={title}
        back={<BackLink to="/recipes">Your recipes</BackLink>}
        about={<WithCode text={description} />}
      >
        <Link to="/" search={{ recipe: name }} className={buttonClass('primary')}>
          <Clapperboard /> Use this recipe
        </Link>
      </PageHeader>
      {unavailable !== undefined && (
        <p>
          <WithCode text={unavailable} />
        </p>
      )}
      <RecipeFlow definition={definition} name={name} />
      <div className={columns.columns}>
        <div className={columns.column}>
          <Section variant="panel" title="Arguments">
            <div className={styles.inPanel}>
              <DataTable
                label="Arguments"
                rows={Object.entries(definition.arguments)}
                keyOf={([own]) => own}
                empty="None: each file is converted alike."
                columns={[
                  {
                    name: 'Argument',
                    cell: ([own]) => (
                      <>
                        {argumentLabel(own)} <code className={styles.name}>{own}</code>
                      </>
                    ),
                  },
                  { name: 'Default', cell: ([, argument]) => defaultText(argument) },
                  { name: 'Allowed', cell: ([, argument]) => allowedText(argument) },
                  {
                    name: 'What it is',
                    isPlain: true,
                    isWide: true,
                    cell: ([, argument]) => <WithCode text={argument.description} />,
                  },
                ]}
              />
            </div>
          </Section>
          <ChosenCodecsProvider plan={undefined} rows={rows}>
            <RecipeSettings definition={definition} />
          </ChosenCodecsProvider>
        </div>
        <div className={columns.column}>
          <Section
            variant="panel"
            title="From a program"
            actions={<CopyButton key={json} text={json} label="Copy" name="Copy the request" />}
          >
            <CodeBlock label="Request with the recipe">{json}</CodeBlock>
            <RecipeCommand summary="Show the command that sends it" command={command} />
          </Section>
          <Section variant="quiet" title="A recipe of your own">
            <p className={ink.soft}>
              All clients have this recipe of the {source === 'operator' ? 'operator' : 'service'}, so it is not changed
              here. In the workbench you can change it, and save that as a recipe of your own.
            </p>
            <div>
              <Link to="/" search={{ recipe: name }} className={buttonClass('plain')}>
                Change it in the workbench
              </Link>
            </div>
          </Section>
        </div>
      </div>
    </>
  );
}
