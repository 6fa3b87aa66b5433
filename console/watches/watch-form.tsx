import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { NewWatch, Watch, WatchChange } from '@telecine/client';
import FolderSync from 'lucide-react/icons/folder-sync';
import { useMemo, useReducer, useState } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import columns from '../ui/columns.module.css';
import { Field } from '../ui/field.tsx';
import { FieldErrorsProvider } from '../ui/field-errors.tsx';
import form from '../ui/form-page.module.css';
import { countText } from '../ui/format.ts';
import ink from '../ui/ink.module.css';
import { PageHeader } from '../ui/page-header.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { changeDraft } from '../workbench/change-draft.ts';
import { EMPTY_DRAFT } from '../workbench/draft.ts';
import { errorOfRequest } from '../workbench/messages-of-request.ts';
import { RecipeSection } from '../workbench/recipe-section.tsx';
import { RunBar } from '../workbench/run-bar.tsx';
import { DraftProvider } from '../workbench/use-draft.tsx';
import { MessagesProvider } from '../workbench/use-messages.tsx';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import { useRecipe } from '../workbench/use-recipe.ts';
import { useWatchCheck, WatchCheckPanel } from './watch-check.tsx';
import {
  changeOfWatch,
  hasWholeRequest,
  isOfRecipe,
  requestFor,
  rootOf,
  suggestTemplate,
  templateFor,
  templatesOf,
  type WatchRequest,
  type WatchSettings,
  withOutputs,
  withRecipe,
} from './watch-draft.ts';
import { CONTROLS, EXISTING, FolderField, MORE, PATTERNS, Setting, SourceField } from './watch-fields.tsx';
import { titleOfWatch } from './watch-status.tsx';
import { watchedRequest } from './watched-request.ts';
import styles from './watches.module.css';
import { handedRequest, watchesQuery, watchQuery } from './watches-query.ts';

/** Makes a watch. What it would convert now is shown while the user chooses. */
export const NewWatchPage = () => <WatchForm watch={undefined} />;

/** Changes the settings of a watch. Its folder stays: another folder is another watch. */
export function EditWatchPage() {
  const { watchId } = useParams({ from: '/watches/$watchId/edit' });
  const watch = useQuery(watchQuery(watchId));
  return <QueryState query={watch}>{(data) => <WatchForm key={watchId} watch={data} />}</QueryState>;
}

const PLACEHOLDERS =
  '`{name}`: the name of the file. `{folder}`: the folders below the watched one. `{date}`: the day. `{height}`, `{width}`: of its picture.';
const NONE_CHANGED: ReadonlySet<string> = new Set();
const ignoreWords = (): void => undefined;

function WatchForm({ watch: newest }: { readonly watch: Watch | undefined }) {
  const { data: session } = useSession();
  const queries = useQueryClient();
  // While the user changes it, the counts of a watch change.
  const [watch] = useState(newest);
  const [{ folder: firstFolder, request: before }] = useState(() => {
    const handed = queries.getQueryData(handedRequest(watch?.watchId).queryKey);
    return handed === undefined ? { folder: '', request: watch?.request } : watchedRequest(handed, watch);
  });
  // Settings that are more than a recipe. undefined: a recipe is chosen here.
  const [own, setOwn] = useState(before !== undefined && !isOfRecipe(before) ? before : undefined);
  const [recipeDraft, changeRecipe] = useReducer(changeDraft, {
    ...EMPTY_DRAFT,
    ...(own === undefined && before?.preset && { preset: before.preset }),
  });
  const [settings, setSettings] = useState<WatchSettings>(watch ?? { folder: firstFolder });
  const edit = (change: Partial<WatchSettings>): void => setSettings({ ...settings, ...change });
  // undefined: they follow the recipe.
  const [outputs, setOutputs] = useState<readonly string[]>();
  const { preset } = recipeDraft;
  const recipe = useRecipe(preset?.name);
  const folder = settings.folder.trim() === '' ? '' : rootOf(settings.folder.trim()) || '/';
  const templates =
    outputs ??
    (own !== undefined
      ? templatesOf(own)
      : [
          before === undefined
            ? suggestTemplate(folder, recipe?.outputs?.[0] ?? 'mp4')
            : templateFor(templatesOf(before)[0] ?? '', recipe ?? {}),
        ]);
  const request = requestOf(own, preset, before, templates);
  const whole = folder !== '' && request !== undefined ? { ...settings, folder, request } : undefined;
  const checked = useWatchCheck(watch === undefined ? whole : undefined);
  const save = useSave(watch);
  const body = whole && JSON.stringify(watch === undefined ? whole : changeOfWatch(watch, whole));
  const rejected = save.variables === body ? save.error : null;
  const error = checked.error ?? rejected;
  const recipeCheck = useMemo(() => ({ plan: undefined, error: errorOfRequest(error), isOld: false }), [error]);
  const isHidden = watch !== undefined && request === watch.request && !hasWholeRequest(watch);
  const controls = own === undefined ? [...CONTROLS, 'request.preset'] : CONTROLS;
  const isReady =
    body !== undefined && !save.isPending && (watch !== undefined || (!checked.isOld && checked.run !== undefined));
  const file = checked.run?.examples[0]?.path ?? `${rootOf(folder)}${watch === undefined ? '' : 'mon/'}film.mov`;
  const example = request === undefined ? '' : `${file} → ${templatesOf(requestFor(request, folder, file)).join(', ')}`;
  const workbench = useWorkbench(watch, request, checked.run?.examples[0]?.path);
  const toField = (field: (typeof MORE)[number]) => (
    <Setting key={field.name} field={field} settings={settings} onChange={edit} />
  );
  const state = (): string => {
    if (folder === '') return 'Choose the folder first.';
    if (request === undefined) return 'Choose a recipe: what happens to each file.';
    if (save.isPending) return 'Saving…';
    if (error !== null) return 'The service rejects this. See the error.';
    if (watch !== undefined) return example;
    if (checked.isOld || checked.run === undefined) return 'Checking…';
    const { files } = checked.run;
    return files === 0 ? 'Ready. It waits for files.' : `Ready. ${countText(files, 'file')} now.`;
  };
  const toWorkbench = workbench !== undefined && (
    <p className={ink.soft}>
      For single options, several outputs or a priority:{' '}
      <Button variant="quiet" disabled={workbench.isPending} onClick={() => workbench.mutate()}>
        Set it up in the workbench
      </Button>
    </p>
  );
  return (
    <>
      <PageHeader
        title={watch === undefined ? 'New watch' : 'Change the watch'}
        back={
          watch === undefined ? (
            <BackLink to="/watches">Watches</BackLink>
          ) : (
            <BackLink to="/watches/$watchId" params={{ watchId: watch.watchId }}>
              {titleOfWatch(watch)}
            </BackLink>
          )
        }
        about={
          watch &&
          'Files that have jobs keep them. Later ones, and those that you retry, are converted with these settings.'
        }
      />
      <FieldErrorsProvider error={error} changed={NONE_CHANGED}>
        <div className={columns.columns}>
          <div className={columns.column}>
            <Section variant="panel" title="Which files">
              <div className={form.fields}>
                {watch === undefined && (
                  <FolderField
                    label="Folder to watch"
                    name="folder"
                    value={settings.folder}
                    onChange={(chosen) => edit({ folder: chosen })}
                  />
                )}
                {(watch === undefined ? [PATTERNS, EXISTING] : [PATTERNS]).map(toField)}
              </div>
            </Section>
            {own === undefined ? (
              <DraftProvider state={{ draft: recipeDraft, change: changeRecipe }}>
                <MessagesProvider draft={recipeDraft} checked={recipeCheck} hasStarted={false}>
                  <RecipeSection recipe={recipe} onWords={ignoreWords}>
                    {toWorkbench}
                  </RecipeSection>
                </MessagesProvider>
              </DraftProvider>
            ) : (
              <Section
                variant="panel"
                title="Settings of the workbench"
                actions={
                  <Button
                    variant="quiet"
                    onClick={() => {
                      setOwn(undefined);
                      setOutputs(undefined);
                    }}
                  >
                    Choose a recipe instead
                  </Button>
                }
              >
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
                <pre className={styles.scroll} tabIndex={0}>
                  {JSON.stringify({ ...own, output: undefined }, null, 2)}
                </pre>
                {toWorkbench}
              </Section>
            )}
            {workbench?.error && <ProblemNotice error={workbench.error} />}
            <Section variant="panel" title="Where the results go">
              <div className={form.fields}>
                {isHidden ? (
                  <p className={ink.soft}>
                    The settings have keys or passwords, which are not shown. To change them, or the outputs, choose a
                    recipe.
                  </p>
                ) : (
                  <>
                    {templates.map((template, index) => (
                      <Field
                        // biome-ignore lint/suspicious/noArrayIndexKey: outputs are neither added nor moved here.
                        key={index}
                        label={templates.length === 1 ? 'Output' : `Output ${index + 1}`}
                        name={request?.outputs === undefined ? 'request.output' : `request.outputs.${index}`}
                        value={template}
                        spellCheck={false}
                        autoCapitalize="none"
                        onChange={({ currentTarget }) => setOutputs(templates.with(index, currentTarget.value))}
                      />
                    ))}
                    <p className={ink.soft}>{example}</p>
                    <p className={ink.soft}>
                      <WithCode text={PLACEHOLDERS} />
                    </p>
                  </>
                )}
                <SourceField settings={settings} onChange={edit} mayWrite={mayDo(session, 'files:write')} />
                <details open={watch !== undefined}>
                  <summary>More settings</summary>
                  <div className={form.fields}>{MORE.map(toField)}</div>
                </details>
              </div>
            </Section>
          </div>
          <div className={columns.result}>
            <RunBar
              label={watch === undefined ? 'Start watching' : 'Save'}
              isReady={isReady}
              isNext
              icon={<FolderSync />}
              state={state()}
              isBad={error !== null}
              onRun={isReady ? () => save.mutate(body) : undefined}
            />
            {rejected !== null && <ProblemNotice error={rejected} controls={controls} />}
            {watch === undefined && <WatchCheckPanel folder={folder} checked={checked} controls={controls} />}
          </div>
        </div>
      </FieldErrorsProvider>
    </>
  );
}

/** What converts each file: settings of the workbench, or a recipe. undefined: none is chosen. The same as `before`, if nothing differs. */
function requestOf(
  own: WatchRequest | undefined,
  preset: WatchRequest['preset'],
  before: WatchRequest | undefined,
  templates: readonly string[],
): WatchRequest | undefined {
  const outputs = templates.map((one) => one.trim());
  const request =
    own === undefined ? preset && withRecipe(before, preset, outputs[0] ?? '') : withOutputs(own, outputs);
  return JSON.stringify(request) === JSON.stringify(before) ? before : request;
}

/** Stores a new watch, or a change of one, from its JSON, and shows the watch. */
function useSave(watch: Watch | undefined) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: string) => {
      if (watch === undefined) return client.addWatch(JSON.parse(body) as NewWatch);
      return body === '{}' ? watch : client.changeWatch(watch.watchId, JSON.parse(body) as WatchChange);
    },
    onSuccess: (saved) => {
      queries.removeQueries({ queryKey: handedRequest(watch?.watchId).queryKey });
      queries.setQueryData(watchQuery(saved.watchId).queryKey, saved);
      void queries.invalidateQueries({ queryKey: watchesQuery.queryKey });
      void navigate({ to: '/watches/$watchId', params: { watchId: saved.watchId } });
    },
  });
}

/** Opens the workbench with the request for a file: `example`, or one of the watch. undefined: the page cannot do so. */
function useWorkbench(watch: Watch | undefined, request: WatchRequest | undefined, example: string | undefined) {
  const { data: session } = useSession();
  const openInWorkbench = useOpenInWorkbench();
  const open = useMutation({
    mutationFn: async () => {
      const found = watch && (await client.watchedFiles(watch.watchId, { limit: 1 }));
      const file = found?.files[0]?.path ?? example;
      const shown = watch?.request ?? request ?? { output: '' };
      await openInWorkbench(file === undefined ? shown : requestFor(shown, watch?.folder ?? '', file), { of: watch });
    },
  });
  if (watch !== undefined && (session?.clientId !== watch.client || !hasWholeRequest(watch))) return undefined;
  return open;
}
