import type { Recipe, RecipeDefinition } from '@telecine/client';
import Clapperboard from 'lucide-react/icons/clapperboard';
import Save from 'lucide-react/icons/save';
import Trash2 from 'lucide-react/icons/trash-2';
import { type Dispatch, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import columns from '../ui/columns.module.css';
import { FieldErrorsProvider } from '../ui/field-errors.tsx';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { Menu } from '../ui/menu.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import type { Notice } from '../ui/undo-notice.tsx';
import { useMedia } from '../ui/use-media.ts';
import { WithCode } from '../ui/with-code.tsx';
import { applyPatch } from '../workbench/apply-patch.ts';
import { type Change, changeDraft } from '../workbench/change-draft.ts';
import { RunBar } from '../workbench/run-bar.tsx';
import { ChosenCodecsProvider } from '../workbench/use-chosen-codecs.tsx';
import { DraftProvider } from '../workbench/use-draft.tsx';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import { AboutSection } from './about-section.tsx';
import { ArgumentsSection } from './arguments-section.tsx';
import { AudienceSection } from './audience-section.tsx';
import { contentOf, definitionOf } from './definition-of.ts';
import { InputsSection } from './inputs-section.tsx';
import { OptionsSection } from './options-section.tsx';
import { ProposedArguments } from './proposed-arguments.tsx';
import { OtherErrors, PLACES, showFirstError } from './recipe-errors.tsx';
import { RecipeFlow } from './recipe-flow.tsx';
import type { RecipeSearch } from './recipe-search-params.ts';
import styles from './recipes.module.css';
import { saveState } from './save-state.ts';
import { hasFiles, trialDraft, trialRequest, warningsOfTrial } from './trial.ts';
import { TRIAL, TrialPanel } from './trial-panel.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';
import { useLastCheck } from './use-last-check.ts';
import { useRecipeCheck } from './use-recipe-check.ts';
import { useRecipeSave } from './use-recipe-save.ts';

interface Props {
  readonly recipe: Recipe;
  /** What the page began with. */
  readonly arrival: RecipeSearch;
  readonly onNotice: (notice: Notice | undefined) => void;
  /** Called when the recipe is stored, before the address changes to its name. */
  readonly onStored: (name: string) => void;
  readonly onDelete: () => void;
}

const NONE_CHANGED: ReadonlySet<string> = new Set();

/** One of the client's own recipes: what it is called, its options and arguments, and a trial of what it would do. */
export function RecipeEditor({ recipe, arrival, onNotice, onStored, onDelete }: Props) {
  const { data: session } = useSession();
  const mayWrite = mayDo(session, 'jobs:write');
  // What is stored, as far as this page knows.
  const [stored, setStored] = useState(recipe);
  const [name, setName] = useState(recipe.name);
  // One that is not stored becomes version 1.
  const [draft, setDraft] = useState<RecipeDefinition>(() => ({
    ...definitionOf(recipe),
    version: recipe.version || 1,
  }));
  const [trial, changeTrial] = useReducer(changeDraft, undefined, () => trialDraft(recipe, recipe.name, arrival.file));
  const [isProposing, setProposing] = useState(arrival.new === true || Object.keys(recipe.arguments).length === 0);
  const argumentsHeading = useRef<HTMLHeadingElement>(null);
  const fold = useRef<HTMLDetailsElement>(null);
  const endProposal = (): void => {
    setProposing(false);
    // The pressed button disappears.
    (fold.current?.open === false ? fold.current.querySelector('summary') : argumentsHeading.current)?.focus();
  };
  const isNew = stored.version === 0;
  const isChanged = isNew || name !== stored.name || contentOf(draft) !== contentOf(definitionOf(stored));
  const request = trialRequest(draft, name, trial);
  const checked = useRecipeCheck(name, mayWrite ? { recipe: draft, request } : undefined);
  // While a change is checked, the messages about the text before it would be wrong.
  const error = checked.isOld ? null : checked.error;
  const save = useRecipeSave(
    stored,
    { name, draft },
    // What was typed during the save stays. Now, because the next step can be to leave the page.
    (saved, sent) =>
      flushSync(() => {
        onStored(saved.name);
        setStored(saved);
        setName((shown) => (shown === sent.name ? saved.name : shown));
        setDraft((shown) => (contentOf(shown) === contentOf(sent.draft) ? definitionOf(saved) : shown));
      }),
    onNotice,
  );
  const change = (changed: RecipeDefinition): void => {
    save.forgetError();
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
  // On a phone, the trial is below the form.
  const isPhone = useMedia('(width < 48rem)');
  const openInWorkbench = useOpenInWorkbench();
  const use = async (): Promise<void> => {
    if (isChanged) await save.saveFirst();
    const { preset } = request;
    // Without the file of the trial: the recipe is for others.
    await openInWorkbench({ output: '', ...(preset && { preset }) });
  };
  const useLabel = isChanged ? 'Save and use it' : 'Use this recipe';
  const warnings = checked.isOld ? [] : warningsOfTrial(checked.plan?.warnings ?? [], hasFiles(trial));
  const ofRecipe = useLastCheck(`${name}\n${contentOf(draft)}`, checked);
  const state = saveState({
    checked: ofRecipe,
    isChanged,
    isSaving: save.isPending,
    stored: stored.version,
    version: save.version,
  });
  // The encoders of the options say what their values mean.
  const rows = useMemo(
    () =>
      Object.entries(draft.request.parameters).map(([option, value]) => ({
        ...{ id: option, name: option, value: typeof value === 'string' ? value : '' },
      })),
    [draft.request.parameters],
  );
  // An error of the form must be seen also where the form is folded.
  const isFolded = isPhone && !isNew;
  const isWrong = state.isBad;
  useEffect(() => {
    if (isFolded && isWrong && fold.current !== null) fold.current.open = true;
  }, [isFolded, isWrong]);
  const proposal = isProposing && mayWrite && (
    <ProposedArguments definition={draft} onChange={change} onClose={endProposal} />
  );
  const fields = (
    <>
      {!isFolded && proposal}
      <AboutSection name={name} onName={setName} definition={draft} onChange={change} />
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
    </>
  );
  return (
    <ChosenCodecsProvider plan={checked.plan} rows={rows}>
      <UnsavedChanges isChanged={isChanged} />
      <PageHeader
        title={stored.title}
        back={<BackLink to="/recipes">Your recipes</BackLink>}
        about={
          <>
            <code>{stored.name}</code> · {isNew ? 'not saved yet' : `version ${stored.version}`}
          </>
        }
      >
        {/* What is changed is saved first. */}
        <Button
          variant={isChanged && mayWrite ? 'plain' : 'primary'}
          disabled={isChanged && !state.isReady}
          onClick={() => void use().catch(() => undefined)}
        >
          <Clapperboard /> {useLabel}
        </Button>
        {mayWrite && !isNew && (
          <Menu label="More for this recipe">
            <Button variant="danger" onClick={onDelete}>
              <Trash2 /> Delete
            </Button>
          </Menu>
        )}
      </PageHeader>
      {!mayWrite && <p className={ink.soft}>This client may not change recipes. That needs the scope “jobs:write”.</p>}
      {recipe.unavailable !== undefined && (
        <p>
          <WithCode text={recipe.unavailable} />
        </p>
      )}
      {arrival.without !== undefined && (
        <p className={ink.soft}>
          Not in the recipe, because it is sent with each request: <code>{arrival.without}</code>.
        </p>
      )}
      <RecipeFlow definition={draft} name={name} />
      <DraftProvider
        state={{ draft: { ...trial, ...(request.preset && { preset: request.preset }) }, change: changeEither }}
      >
        <FieldErrorsProvider error={error} changed={NONE_CHANGED}>
          <div className={columns.columns}>
            <fieldset className={`${columns.column} ${styles.form}`} disabled={!mayWrite}>
              {isFolded ? (
                <>
                  {/* A question is not folded. */}
                  {proposal}
                  <details ref={fold} className={styles.edit}>
                    <summary className={buttonClass('plain')}>{mayWrite ? 'Edit it' : 'Show its fields'}</summary>
                    <div className={columns.column}>{fields}</div>
                  </details>
                </>
              ) : (
                fields
              )}
            </fieldset>
            <div className={columns.result}>
              {mayWrite && (
                <RunBar
                  name="Save"
                  icon={<Save />}
                  label="Save"
                  isReady={state.isReady}
                  isNext={isChanged}
                  state={state.text}
                  isBad={state.isBad}
                  isBusy={ofRecipe.isOld}
                  planId={isPhone ? TRIAL : undefined}
                  onRun={state.isReady ? save.save : undefined}
                >
                  {state.isBad && <Button onClick={showFirstError}>Show</Button>}
                </RunBar>
              )}
              {save.error !== null && (
                <div className={form.fields}>
                  <ProblemNotice error={save.error} controls={PLACES} />
                  {save.isTaken && <Button onClick={save.replace}>Replace the version that is stored now</Button>}
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
