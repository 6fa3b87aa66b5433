import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { ClientError, type Recipe, type RecipeDefinition } from '@telecine/client';
import Clapperboard from 'lucide-react/icons/clapperboard';
import Save from 'lucide-react/icons/save';
import Trash2 from 'lucide-react/icons/trash-2';
import { type Dispatch, useMemo, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FieldErrorsProvider } from '../ui/field-errors.tsx';
import form from '../ui/form-page.module.css';
import { Menu } from '../ui/menu.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import type { Notice } from '../ui/undo-notice.tsx';
import { useMedia } from '../ui/use-media.ts';
import { WithCode } from '../ui/with-code.tsx';
import { applyPatch } from '../workbench/apply-patch.ts';
import { type Change, changeDraft } from '../workbench/change-draft.ts';
import { recipeQuery } from '../workbench/recipes-query.ts';
import { RunBar } from '../workbench/run-bar.tsx';
import { ChosenCodecsProvider } from '../workbench/use-chosen-codecs.tsx';
import { DraftProvider } from '../workbench/use-draft.tsx';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import { AboutSection } from './about-section.tsx';
import { ArgumentsSection } from './arguments-section.tsx';
import { AudienceSection } from './audience-section.tsx';
import { definitionOf } from './definition-of.ts';
import { InputsSection } from './inputs-section.tsx';
import { OptionsSection } from './options-section.tsx';
import { ProposedArguments } from './proposed-arguments.tsx';
import type { RecipeSearch } from './recipe-search-params.ts';
import styles from './recipes.module.css';
import { saveState } from './save-state.ts';
import { hasFiles, trialDraft, trialRequest, warningsOfTrial } from './trial.ts';
import { TRIAL, TrialPanel } from './trial-panel.tsx';
import { useRecipeCheck } from './use-recipe-check.ts';
import { watchesText, watchesWith } from './watches-with.ts';

interface Props {
  readonly recipe: Recipe;
  /** What the page began with. */
  readonly arrival: RecipeSearch;
  readonly onNotice: (notice: Notice | undefined) => void;
  readonly onDelete: () => void;
}

/** The parts of a recipe whose errors have a place on the page. */
const PLACES = [
  ...['name', 'request'],
  ...['title', 'description', 'words', 'outputs', 'arguments', 'inputs', 'request'].map((one) => `recipe.${one}`),
];

const NONE_CHANGED: ReadonlySet<string> = new Set();

/** One of the client's own recipes: what it is called, its options and arguments, and a trial of what it would do. */
export function RecipeEditor({ recipe, arrival, onNotice, onDelete }: Props) {
  const { data: session } = useSession();
  const mayWrite = mayDo(session, 'jobs:write');
  // What is stored, as far as this page knows.
  const [stored, setStored] = useState(recipe);
  const [name, setName] = useState(recipe.name);
  const [draft, setDraft] = useState<RecipeDefinition>(() => definitionOf(recipe));
  const [trial, changeTrial] = useReducer(changeDraft, undefined, () => trialDraft(recipe, recipe.name, arrival.file));
  const [isProposing, setProposing] = useState(arrival.saved === true || Object.keys(recipe.arguments).length === 0);
  const argumentsHeading = useRef<HTMLHeadingElement>(null);
  const endProposal = (): void => {
    setProposing(false);
    // The pressed button disappears.
    argumentsHeading.current?.focus();
  };
  const isChanged = name !== stored.name || contentOf(draft) !== contentOf(definitionOf(stored));
  const request = trialRequest(draft, name, trial);
  const checked = useRecipeCheck(name, mayWrite ? { recipe: draft, request } : undefined);
  // While a change is checked, the messages about the text before it would be wrong.
  const error = checked.isOld ? null : checked.error;
  const save = useSave(
    { stored, name, draft },
    // What was typed during the save stays. Now, because the next step can be to leave the page.
    (saved, sent) =>
      flushSync(() => {
        setStored(saved);
        setDraft((shown) => (shown === sent ? definitionOf(saved) : shown));
      }),
    onNotice,
  );
  const change = (changed: RecipeDefinition): void => {
    // What the service has rejected is changed now.
    save.reset();
    onNotice(undefined);
    setDraft(changed);
  };
  const remove = (changed: RecipeDefinition, text: string): void => {
    change(changed);
    onNotice({
      text,
      undo: () => {
        setDraft(draft);
        onNotice(undefined);
      },
    });
  };
  const changeEither: Dispatch<Change> = (one) => {
    const isOfRecipe = one.do === 'apply-patch' && one.patch.some(({ path }) => path.startsWith('/recipe/'));
    if (isOfRecipe) change(applyPatch({ recipe: draft }, one.patch).recipe);
    else changeTrial(one);
  };
  const leaving = useBlocker({
    // The search of the address changes while the page stays.
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  // On a phone, the trial is below the form.
  const isPhone = useMedia('(width < 48rem)');
  const openInWorkbench = useOpenInWorkbench();
  const use = async (): Promise<void> => {
    if (isChanged) await save.mutateAsync(false);
    const inputs = trial.inputs.flatMap(({ input = '' }) => (input === '' ? [] : [input]));
    const { preset } = request;
    await openInWorkbench({
      ...(inputs.length === 1 ? { input: inputs[0] ?? '' } : { inputs }),
      output: '',
      ...(preset && { preset }),
    });
  };
  const warnings = checked.isOld ? [] : warningsOfTrial(checked.plan?.warnings ?? [], hasFiles(trial));
  const state = saveState({ checked, isChanged, isSaving: save.isPending, version: nextVersion(stored, name) });
  // The encoders of the options say what their values mean.
  const rows = useMemo(
    () =>
      Object.entries(draft.request.parameters).map(([option, value]) => ({
        ...{ id: option, name: option, value: typeof value === 'string' ? value : '' },
      })),
    [draft.request.parameters],
  );
  const isTaken = save.error instanceof ClientError && save.error.code === 'RECIPE_CONFLICT' && name === stored.name;
  return (
    <ChosenCodecsProvider plan={checked.plan} rows={rows}>
      <ConfirmDialog
        title="Leave without saving?"
        isOpen={leaving.status === 'blocked'}
        onOpenChange={() => leaving.reset?.()}
        confirmLabel="Leave"
        closeLabel="Stay"
        isDangerous
        isPending={false}
        error={null}
        onConfirm={() => leaving.proceed?.()}
        focusAfter={() => true}
      >
        <p>The changes of this recipe are not saved. They are lost if you leave the page.</p>
      </ConfirmDialog>
      <header className={styles.header}>
        <div>
          <BackLink to="/recipes">Your recipes</BackLink>
          <PageHeading>{stored.title}</PageHeading>
          <p className={styles.soft}>
            <code>{stored.name}</code> · version {stored.version}
          </p>
        </div>
        <div className={styles.actions}>
          <Button disabled={isChanged && !state.isReady} onClick={() => void use().catch(() => undefined)}>
            <Clapperboard /> {isChanged ? 'Save and use it' : 'Use it'}
          </Button>
          {mayWrite && (
            <Menu label="More for this recipe">
              <Button variant="danger" onClick={onDelete}>
                <Trash2 /> Delete
              </Button>
            </Menu>
          )}
        </div>
      </header>
      {!mayWrite && (
        <p className={styles.soft}>This client may not change recipes. That needs the scope “jobs:write”.</p>
      )}
      {recipe.unavailable !== undefined && (
        <p>
          <WithCode text={recipe.unavailable} />
        </p>
      )}
      {arrival.without !== undefined && (
        <p className={styles.soft}>
          Not in the recipe, because it is sent with each request: <code>{arrival.without}</code>.
        </p>
      )}
      <DraftProvider
        state={{ draft: { ...trial, ...(request.preset && { preset: request.preset }) }, change: changeEither }}
      >
        <FieldErrorsProvider error={error} changed={NONE_CHANGED}>
          <div className={form.columns}>
            <fieldset
              className={`${form.column} ${styles.form}`}
              disabled={!mayWrite || (save.isPending && name !== stored.name)}
            >
              {isProposing && mayWrite && (
                <ProposedArguments
                  definition={draft}
                  isSaved={arrival.saved === true}
                  onUse={(changed) => {
                    endProposal();
                    change(changed);
                  }}
                  onClose={endProposal}
                />
              )}
              <ArgumentsSection
                heading={argumentsHeading}
                definition={draft}
                onChange={change}
                onRemove={remove}
                onRename={(from, to) => {
                  const value = trial.preset?.arguments?.[from];
                  changeTrial({ do: 'set-argument', name: to, value });
                  changeTrial({ do: 'set-argument', name: from, value: undefined });
                }}
              />
              <OptionsSection definition={draft} warnings={warnings} onChange={change} onRemove={remove} />
              <InputsSection definition={draft} onChange={change} />
              <AboutSection name={name} onName={setName} definition={draft} onChange={change} />
            </fieldset>
            <div className={form.result}>
              {mayWrite && (
                <RunBar
                  name="Save"
                  icon={<Save />}
                  label="Save"
                  isReady={state.isReady}
                  isNext
                  state={state.text}
                  isBad={state.isBad}
                  isBusy={checked.isOld}
                  planId={isPhone ? TRIAL : undefined}
                  onRun={() => save.mutate(false)}
                >
                  {state.isBad && <Button onClick={showFirstError}>Show</Button>}
                </RunBar>
              )}
              {save.error !== null && (
                <div className={form.fields}>
                  <ProblemNotice error={save.error} controls={PLACES} />
                  {isTaken && <Button onClick={() => save.mutate(true)}>Replace the version that is stored now</Button>}
                </div>
              )}
              {error !== null && <OtherErrors error={error} onRetry={checked.checkAgain} />}
              <TrialPanel
                definition={draft}
                name={name}
                trial={trial}
                change={changeTrial}
                checked={checked}
                warnings={warnings}
                mayTry={mayWrite}
              />
              <AudienceSection name={stored.name} definition={draft} />
            </div>
          </div>
        </FieldErrorsProvider>
      </DraftProvider>
    </ChosenCodecsProvider>
  );
}

/** Focuses the first field with an error. An error of no field is said in a notice. */
function showFirstError(): void {
  const found =
    document.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    document.querySelector<HTMLElement>('[role="alert"]');
  found?.scrollIntoView({ block: 'center' });
  found?.focus({ preventScroll: true });
}

/** The errors of a check that no control shows: the recipe as a whole, or no reply of the service. */
function OtherErrors({ error, onRetry }: { readonly error: Error; readonly onRetry: (() => void) | undefined }) {
  const errors = error instanceof ClientError ? error.errors : [];
  const isPlaced = ({ field }: { readonly field: string }): boolean =>
    PLACES.some((place) => {
      const pointer = `/${place.replaceAll('.', '/')}`;
      return field === pointer || field.startsWith(`${pointer}/`);
    });
  if (errors.length > 0 && errors.every(isPlaced)) return null;
  return <ProblemNotice error={error} controls={PLACES} {...(errors.length === 0 && onRetry && { onRetry })} />;
}

/** What a recipe says, without its version. */
const contentOf = ({ version: _, ...content }: RecipeDefinition): string => JSON.stringify(content);

/** Another name is another recipe, which begins with version 1. So it cannot replace one that has this name. */
const nextVersion = (stored: Recipe, name: string): number => (name === stored.name ? stored.version + 1 : 1);

interface Edited {
  readonly stored: Recipe;
  readonly name: string;
  readonly draft: RecipeDefinition;
}

/** Stores a recipe, and deletes it under its former name. The variable of the mutation: whether it replaces a version that someone else has stored meanwhile. */
function useSave(
  { stored, name, draft }: Edited,
  onSaved: (saved: Recipe, sent: RecipeDefinition) => void,
  onNotice: (notice: Notice) => void,
) {
  const queries = useQueryClient();
  const clientId = useSession().data?.clientId ?? '';
  const navigate = useNavigate();
  const refresh = (saved: Recipe): void => {
    queries.setQueryData(recipeQuery(saved.name).queryKey, saved);
    void queries.invalidateQueries({ queryKey: ['recipes'] });
  };
  return useMutation({
    mutationFn: async (replaces: boolean) => {
      const before = name === stored.name ? undefined : await client.recipe(stored.name);
      if (before !== undefined && before.version !== stored.version)
        throw new Error(
          `The recipe "${before.name}" has version ${before.version} now, and this page shows version ${stored.version}. Reload the page before you rename it.`,
        );
      const version = replaces ? (await client.recipe(name)).version + 1 : nextVersion(stored, name);
      const saved = await client.putRecipe(name, { ...draft, version });
      if (before !== undefined) await client.removeRecipe(before.name);
      return { saved, sent: draft, before };
    },
    onSuccess: async ({ saved, sent, before }) => {
      refresh(saved);
      if (before === undefined) {
        onSaved(saved, sent);
        onNotice({ text: `Saved as version ${saved.version}.` });
        return;
      }
      const show = (shown: string): Promise<void> =>
        navigate({
          to: '/recipes/$recipeName',
          params: { recipeName: shown },
          search: (before) => before,
          replace: true,
          // What was changed is saved.
          ignoreBlocker: true,
        });
      const watches = await watchesWith(queries, before.name, clientId);
      await show(saved.name);
      onNotice({
        text: `Renamed to ${saved.name}. Programs that name ${before.name} must name ${saved.name}.${watchesText(watches, before.name, `changed to ${saved.name}`)}`,
        undo: () => {
          const restore = async (): Promise<void> => {
            const renamed = definitionOf(await client.recipe(saved.name));
            const version =
              contentOf(renamed) === contentOf(definitionOf(before)) ? before.version : before.version + 1;
            refresh(await client.putRecipe(before.name, { ...renamed, version }));
            await client.removeRecipe(saved.name);
            await show(before.name);
            onNotice({ text: `Renamed back to ${before.name}.` });
          };
          restore().catch((error: unknown) => onNotice({ text: '', error }));
        },
      });
    },
  });
}
