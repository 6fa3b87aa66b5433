import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { NewWatch, Recipe } from '@telecine/client';
import { useReducer, useState } from 'react';
import { withSlash } from '../../packages/contract/src/domain/media-path.ts';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { FieldErrorsProvider } from '../ui/field-errors.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { changeDraft } from '../workbench/change-draft.ts';
import { EMPTY_DRAFT } from '../workbench/draft.ts';
import { RecipeSection } from '../workbench/recipe-section.tsx';
import { DraftProvider } from '../workbench/use-draft.tsx';
import { MessagesProvider } from '../workbench/use-messages.tsx';
import { forgetBegunWatch, readBegunWatch } from './begun-watch.ts';
import { FolderField } from './folder-field.tsx';
import { OutputFields } from './output-field.tsx';
import { useRequestError, useWatchCheck } from './use-watch-check.ts';
import { WatchCheckPanel } from './watch-check-panel.tsx';
import {
  EMPTY_WATCH,
  suggestTemplate,
  templatesOf,
  type WatchDraft,
  type WatchRequest,
  watchFromDraft,
} from './watch-draft.ts';
import { PatternsField, SourceFields, WatchOptions } from './watch-options.tsx';
import styles from './watches.module.css';
import { watchesQuery } from './watches-query.ts';

/** The controls that show their own errors. */
const CONTROLS = ['folder', 'patterns', 'request.output', 'request.outputs', 'name', 'maxUnfinished', 'activeHours'];

/** Recipes have their own control only if the watch is made with a recipe. */
const RECIPE_CONTROL = 'request.preset';

const NONE_CHANGED: ReadonlySet<string> = new Set();

/** Makes a watch. What it would convert now is shown while the user chooses. */
export function NewWatchPage() {
  const { data: session } = useSession();
  const clientId = session?.clientId ?? '';
  const [begun] = useState(() => readBegunWatch(clientId));
  const [base, setBase] = useState<WatchRequest | undefined>(begun?.request);
  const [draft, setDraft] = useState<WatchDraft>(() => ({
    ...EMPTY_WATCH,
    folder: begun?.folder ?? '',
    ...(begun?.request && { outputs: templatesOf(begun.request) }),
  }));
  const change = (changed: Partial<WatchDraft>): void => setDraft({ ...draft, ...changed });
  const [recipeDraft, changeRecipe] = useReducer(changeDraft, EMPTY_DRAFT);
  const recipe = useRecipe(recipeDraft.preset?.name);
  const folder = draft.folder.trim() === '' ? '' : withSlash(draft.folder.trim());
  const suggested = suggestTemplate(folder, recipe?.outputs?.[0] ?? base?.format ?? 'mp4');
  const watch = watchFromDraft(draft, { base, preset: recipeDraft.preset }, suggested);
  const checked = useWatchCheck(watch);
  const requestError = useRequestError(checked.error);
  const missing =
    folder === ''
      ? 'Choose the folder first.'
      : watch === undefined
        ? 'Choose a recipe: what happens to each file.'
        : undefined;
  const example = checked.run?.examples[0]?.path ?? `${folder === '/' ? '' : folder}film.mov`;
  return (
    <>
      <PageHeading>New watch</PageHeading>
      <FieldErrorsProvider error={checked.isOld ? null : checked.error} changed={NONE_CHANGED}>
        <div className={styles.columns}>
          <div className={styles.column}>
            <Section variant="panel" title="Which files">
              <div className={styles.fields}>
                <FolderField
                  label="Folder to watch"
                  field="folder"
                  value={draft.folder}
                  onChange={(chosen) => change({ folder: chosen })}
                />
                <PatternsField draft={draft} onChange={change} />
              </div>
            </Section>
            {base === undefined ? (
              <DraftProvider state={{ draft: recipeDraft, change: changeRecipe }}>
                <MessagesProvider
                  draft={recipeDraft}
                  checked={{ plan: undefined, error: checked.isOld ? null : requestError, isOld: checked.isOld }}
                  hasStarted={false}
                >
                  <RecipeSection recipe={recipe} onWords={ignoreWords} />
                </MessagesProvider>
              </DraftProvider>
            ) : (
              <WorkbenchSettings
                request={base}
                onDrop={() => {
                  setBase(undefined);
                  change({ outputs: EMPTY_WATCH.outputs });
                }}
              />
            )}
            <Section variant="panel" title="Where the results go">
              <div className={styles.fields}>
                <OutputFields
                  outputs={draft.outputs}
                  request={base}
                  suggested={suggested}
                  folder={folder}
                  file={example}
                  onChange={(outputs) => change({ outputs })}
                />
                <SourceFields draft={draft} onChange={change} mayWrite={mayDo(session, 'files:write')} />
                <WatchOptions draft={draft} onChange={change} isNew />
              </div>
            </Section>
          </div>
          <Section variant="panel" title="What it would do now">
            <WatchCheckPanel
              folder={folder}
              missing={missing}
              checked={checked}
              controls={base === undefined ? [...CONTROLS, RECIPE_CONTROL] : CONTROLS}
            />
            <StartButton
              watch={watch}
              isReady={missing === undefined && !checked.isOld && checked.run !== undefined}
              onStarted={() => forgetBegunWatch(clientId)}
            />
          </Section>
        </div>
      </FieldErrorsProvider>
    </>
  );
}

const ignoreWords = (): void => undefined;

/** The button that makes the watch. It waits for the check, which finds what the service would reject. */
function StartButton({
  watch,
  isReady,
  onStarted,
}: {
  readonly watch: NewWatch | undefined;
  readonly isReady: boolean;
  readonly onStarted: () => void;
}) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: (made: NewWatch) => client.addWatch(made),
    onSuccess: ({ watchId }) => {
      onStarted();
      void queries.invalidateQueries({ queryKey: watchesQuery.queryKey });
      void navigate({ to: '/watches/$watchId', params: { watchId } });
    },
  });
  const isPossible = isReady && !add.isPending;
  return (
    <>
      {/* Not `disabled`, because the button would lose the focus while the watch is checked. */}
      <Button
        variant="primary"
        aria-disabled={!isPossible}
        aria-keyshortcuts="Control+Enter"
        onClick={() => {
          if (isPossible && watch !== undefined) add.mutate(watch);
        }}
      >
        Start watching
      </Button>
      {add.error !== null && <ProblemNotice error={add.error} />}
    </>
  );
}

/** The settings of the workbench, with which the watch converts. */
function WorkbenchSettings({ request, onDrop }: { readonly request: WatchRequest; readonly onDrop: () => void }) {
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
        <p className={styles.soft}>No options: each file is converted as its format usually is.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <pre className={styles.settings} tabIndex={0}>
          {JSON.stringify(shown, null, 2)}
        </pre>
      )}
    </Section>
  );
}

function useRecipe(name = ''): Recipe | undefined {
  const found = useQuery({
    queryKey: ['recipe', name],
    queryFn: ({ signal }) => client.recipe(name, { signal }),
    enabled: name !== '',
    staleTime: 60_000,
  });
  return name === '' ? undefined : found.data;
}
