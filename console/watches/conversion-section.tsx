import type { Recipe } from '@telecine/client';
import { type Dispatch, useMemo } from 'react';
import { Button } from '../ui/button.tsx';
import ink from '../ui/ink.module.css';
import { Section } from '../ui/section.tsx';
import type { Change } from '../workbench/change-draft.ts';
import type { Draft } from '../workbench/draft.ts';
import { errorOfRequest } from '../workbench/messages-of-request.ts';
import { RecipeSection } from '../workbench/recipe-section.tsx';
import { DraftProvider } from '../workbench/use-draft.tsx';
import { MessagesProvider } from '../workbench/use-messages.tsx';
import type { WatchRequest } from './watch-draft.ts';
import styles from './watches.module.css';

interface Props {
  /** Settings that are more than a recipe. undefined: a recipe is chosen here. */
  readonly settings: WatchRequest | undefined;
  /** The draft with the recipe and its arguments. */
  readonly draft: Draft;
  readonly change: Dispatch<Change>;
  readonly recipe: Recipe | undefined;
  /** What the service says about the watch. null: it has no objections. */
  readonly error: Error | null;
  /** Called when the user wants a recipe in place of `settings`. */
  readonly onDrop: () => void;
  /** Called when the user wants to make the settings in the workbench. undefined: that is not possible. */
  readonly onWorkbench: (() => void) | undefined;
}

/** What a watch does with each file: a recipe with its arguments, or settings of the workbench. */
export function ConversionSection({ settings, draft, change, recipe, error, onDrop, onWorkbench }: Props) {
  const requestError = useMemo(() => errorOfRequest(error), [error]);
  const workbench = onWorkbench !== undefined && (
    <p className={`${ink.soft} ${styles.workbench}`}>
      For single options, several outputs or a priority:{' '}
      <Button variant="quiet" onClick={onWorkbench}>
        Set it up in the workbench
      </Button>
    </p>
  );
  if (settings !== undefined)
    return (
      <>
        <Settings request={settings} onDrop={onDrop} />
        {workbench}
      </>
    );
  return (
    <DraftProvider state={{ draft, change }}>
      <MessagesProvider
        draft={draft}
        checked={{ plan: undefined, error: requestError, isOld: false }}
        hasStarted={false}
      >
        <RecipeSection recipe={recipe} onWords={ignoreWords}>
          {workbench}
        </RecipeSection>
      </MessagesProvider>
    </DraftProvider>
  );
}

const ignoreWords = (): void => undefined;

/** The settings of the workbench, with which the watch converts. */
function Settings({ request, onDrop }: { readonly request: WatchRequest; readonly onDrop: () => void }) {
  const { output: _, outputs, ...settings } = request;
  const shown = { ...settings, ...(outputs && { outputs: outputs.map(({ output: __, ...own }) => own) }) };
  return (
    <Section
      variant="panel"
      title="Settings of the workbench"
      actions={
        <Button variant="quiet" onClick={onDrop}>
          Choose a recipe instead
        </Button>
      }
    >
      {Object.keys(shown).length === 0 ? (
        <p className={ink.soft}>No options: each file is converted as its format usually is.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <pre className={styles.settings} tabIndex={0}>
          {JSON.stringify(shown, null, 2)}
        </pre>
      )}
    </Section>
  );
}
