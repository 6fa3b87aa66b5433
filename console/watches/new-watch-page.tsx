import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { NewWatch } from '@telecine/client';
import { useReducer, useState } from 'react';
import { withSlash } from '../../packages/contract/src/domain/media-path.ts';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import columns from '../ui/columns.module.css';
import { FieldErrorsProvider } from '../ui/field-errors.tsx';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { PageHeader } from '../ui/page-header.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { changeDraft } from '../workbench/change-draft.ts';
import { EMPTY_DRAFT } from '../workbench/draft.ts';
import { RunBar } from '../workbench/run-bar.tsx';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import { useRecipe } from '../workbench/use-recipe.ts';
import { forgetBegunWatch, readBegunWatch } from './begun-watch.ts';
import { Conversion } from './conversion.tsx';
import { ConversionSection } from './conversion-section.tsx';
import { FolderField } from './folder-field.tsx';
import { OutputFields } from './output-field.tsx';
import { startStateText } from './start-state.ts';
import { useWatchCheck } from './use-watch-check.ts';
import { WatchCheckPanel } from './watch-check-panel.tsx';
import {
  EMPTY_WATCH,
  exampleOutputs,
  suggestTemplate,
  templatesOf,
  type WatchDraft,
  type WatchRequest,
  watchFromDraft,
} from './watch-draft.ts';
import { ExistingField, PatternsField, SourceFields, WatchOptions } from './watch-options.tsx';
import styles from './watches.module.css';
import { watchesQuery } from './watches-query.ts';
import { WebhookNote } from './webhook-note.tsx';

/** The controls that show their own errors. */
const CONTROLS = [
  'folder',
  'patterns',
  'request.output',
  'request.outputs',
  'name',
  'exclude',
  'every',
  'maxUnfinished',
];

/** Recipes have their own control only if the watch is made with a recipe. */
const RECIPE_CONTROL = 'request.preset';

const NONE_CHANGED: ReadonlySet<string> = new Set();

/** Makes a watch. What it would convert now is shown while the user chooses. */
export function NewWatchPage() {
  const { data: session } = useSession();
  const clientId = session?.clientId ?? '';
  const [begun] = useState(() => readBegunWatch(clientId));
  const start = useStart(clientId);
  const [base, setBase] = useState<WatchRequest | undefined>(begun?.request);
  const [draft, setDraft] = useState<WatchDraft>(() => ({
    ...EMPTY_WATCH,
    folder: begun?.folder ?? '',
    ...(begun?.request && { outputs: templatesOf(begun.request) }),
  }));
  const change = (changed: Partial<WatchDraft>): void => {
    // What the service has rejected is changed now.
    start.reset();
    setDraft({ ...draft, ...changed });
  };
  const openInWorkbench = useOpenInWorkbench();
  const [recipeDraft, changeRecipe] = useReducer(changeDraft, EMPTY_DRAFT);
  const recipe = useRecipe(recipeDraft.preset?.name);
  const folder = draft.folder.trim() === '' ? '' : withSlash(draft.folder.trim());
  const suggested = suggestTemplate(folder, recipe?.outputs?.[0] ?? base?.format ?? 'mp4');
  const watch = watchFromDraft(draft, { base, preset: recipeDraft.preset }, suggested);
  const checked = useWatchCheck(watch);
  const checkError = checked.isOld ? null : checked.error;
  const missing =
    folder === ''
      ? 'Choose the folder first.'
      : watch === undefined
        ? 'Choose a recipe: what happens to each file.'
        : undefined;
  const isReady = missing === undefined && !checked.isOld && checked.run !== undefined && !start.isPending;
  const example = checked.run?.examples[0]?.path ?? `${folder === '/' ? '' : folder}film.mov`;
  const found = checked.isOld ? undefined : checked.run?.examples[0]?.outputs?.join(', ');
  const made = found ?? exampleOutputs(watch?.request ?? { output: suggested }, folder, example, new Date());
  return (
    <>
      <PageHeader title="New watch" back={<BackLink to="/watches">Watches</BackLink>} />
      <FieldErrorsProvider error={checkError ?? start.error} changed={NONE_CHANGED}>
        <div className={columns.columns}>
          <div className={columns.column}>
            <Section variant="panel" title="Which files">
              <div className={form.fields}>
                <FolderField
                  label="Folder to watch"
                  field="folder"
                  value={draft.folder}
                  onChange={(chosen) => change({ folder: chosen })}
                />
                <PatternsField draft={draft} onChange={change} />
                <ExistingField draft={draft} onChange={change} />
                <p className={ink.soft}>A new file is converted once it no longer grows.</p>
              </div>
            </Section>
            <ConversionSection
              settings={base}
              draft={recipeDraft}
              change={changeRecipe}
              recipe={recipe}
              error={checkError}
              onDrop={() => {
                setBase(undefined);
                change({ outputs: EMPTY_WATCH.outputs });
              }}
              onWorkbench={
                base === undefined
                  ? () => {
                      const { preset } = recipeDraft;
                      const input = checked.run?.examples[0]?.path ?? '';
                      void openInWorkbench({ input, output: '', ...(preset && { preset }) });
                    }
                  : undefined
              }
            />
            <Section variant="panel" title="Where the results go">
              <div className={form.fields}>
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
                <WebhookNote isNew />
              </div>
            </Section>
          </div>
          <div className={columns.result}>
            <RunBar
              label="Start watching"
              isReady={isReady}
              isNext
              state={startStateText(missing, checked, start)}
              isBad={missing === undefined && (checkError ?? start.error) !== null}
              onRun={isReady && watch !== undefined ? () => start.mutate(watch) : undefined}
            >
              {/* The field of the output can be out of sight, and has a suggestion. */}
              {missing === undefined && checkError === null && (
                <div className={styles.made}>
                  <Conversion path={example} outputs={made} />
                </div>
              )}
            </RunBar>
            {start.error !== null && <ProblemNotice error={start.error} controls={CONTROLS} />}
            <Section variant="panel" title="What it would do now">
              <WatchCheckPanel
                folder={folder}
                example={<Conversion path={example} outputs={made} />}
                isComplete={missing === undefined}
                checked={checked}
                controls={base === undefined ? [...CONTROLS, RECIPE_CONTROL] : CONTROLS}
              />
            </Section>
          </div>
        </div>
      </FieldErrorsProvider>
    </>
  );
}

/** Makes a watch, and shows it. */
function useStart(clientId: string) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (made: NewWatch) => client.addWatch(made),
    onSuccess: ({ watchId }) => {
      forgetBegunWatch(clientId);
      void queries.invalidateQueries({ queryKey: watchesQuery.queryKey });
      void navigate({ to: '/watches/$watchId', params: { watchId } });
    },
  });
}
