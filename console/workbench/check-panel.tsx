import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ConversionRequest, Job, Recipe } from '@telecine/client';
import Braces from 'lucide-react/icons/braces';
import SquareSplit from 'lucide-react/icons/square-split-horizontal';
import Timer from 'lucide-react/icons/timer';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { client } from '../app/client.ts';
import { lazyComponent } from '../app/lazy-component.tsx';
import type { Waiting } from '../cues/cue-list.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { StepButton } from '../ui/step-button.tsx';
import { useMedia } from '../ui/use-media.ts';
import { BestRecipeButton } from './best-recipe-button.tsx';
import { changeDraft } from './change-draft.ts';
import { errorsOf, isJobGone } from './check-error.ts';
import styles from './check-panel.module.css';
import { type Draft, namelessRows, otherClientOf, type RetriedJob } from './draft.ts';
import { DRY_RUNS } from './dry-run-query.ts';
import { Notes } from './field-notes.tsx';
import { Fold } from './fold.tsx';
import { OutputExists } from './output-exists.tsx';
import { PlanSpace } from './plan-space.tsx';
import type { Run } from './run.ts';
import { RunBar } from './run-bar.tsx';
import { type AllRequests, runState } from './run-state.ts';
import { type SearchWords, unappliedText } from './search-words.ts';
import { sourcesOf } from './sources-of.ts';
import { NARROW } from './started-jobs.ts';
import { useDraft } from './use-draft.tsx';
import type { Checked } from './use-dry-run.ts';
import { useOtherMessages } from './use-messages.tsx';
import { useReadSource } from './use-probe.ts';
import type { useRun } from './use-run.ts';
import { hasButtonForEach } from './wrong-errors.ts';

/** Loaded with the first job, because results have players, and the first page has none. */
const Results = lazyComponent(async () => (await import('./results.tsx')).Results);
const ShowResult = lazyComponent(async () => (await import('./results.tsx')).ShowResult);
const WrongFields = lazyComponent(async () => (await import('./wrong-fields.tsx')).WrongFields);

// Only for sources, which the first page does not have.
const PauseNotice = lazyComponent(async () => (await import('../jobs/pause-notice.tsx')).PauseNotice);
const PlanView = lazyComponent(async () => (await import('./plan-view.tsx')).PlanView);
const TotalPlan = lazyComponent(async () => (await import('./total-plan.tsx')).TotalPlan);

interface Props {
  /** The requests to submit together. Empty: the user must choose something first. */
  readonly requests: readonly ConversionRequest[];
  readonly recipe: Recipe | undefined;
  /** The words of the search that are not part of the requests. */
  readonly words: SearchWords;
  /** `isOpen`: the field for a command is open. `isUnused`: the text in it has not changed the request yet. */
  readonly pasting: { readonly isOpen: boolean; readonly isUnused: boolean };
  /** The index of the request that is checked, and a function that chooses another one. */
  readonly shown: number;
  readonly onShow: (index: number) => void;
  readonly checked: Checked;
  readonly isUploading: boolean;
  /** Why the conversion must wait for what the user has typed. undefined: it need not. */
  readonly waiting: Waiting | undefined;
  /** The number of unreadable sources, of the sources that the check does not read. */
  readonly unreadable: number;
  readonly running: ReturnType<typeof useRun>;
  /** Shows the started jobs in a narrow window, where this panel is below the form. */
  readonly top: HTMLElement | null;
  /** The user wants to convert another source with the same settings. */
  readonly onNext: () => void;
  /** The user wants to convert the result at this path. */
  readonly onUse: (path: string) => void;
  /** Content before the plan, such as a preview, which is easier to understand than the plan. */
  readonly children?: ReactNode;
}

/** What the page shows of a request, in the order in which it appears. */
const COMING = [
  { Icon: SquareSplit, name: 'Preview', text: 'A few seconds of the result beside the source, to compare quality.' },
  { Icon: Timer, name: 'Plan', text: 'The probable time and size, and the command that will run.' },
  { Icon: Braces, name: 'Export', text: 'The same as JSON, curl or TypeScript, or as a recipe of your own.' },
] as const;

/** The id of the section with the plan. */
const PLAN = 'plan';

interface Sent {
  readonly requests: readonly ConversionRequest[];
  readonly draft: Draft;
}

/** The button that runs the request, and what would run. Updated while the user changes the draft. */
export function CheckPanel({
  requests,
  recipe,
  words,
  pasting,
  shown,
  onShow,
  checked,
  isUploading,
  waiting,
  unreadable,
  running,
  top,
  onNext,
  onUse,
  children,
}: Props) {
  const others = useOtherMessages();
  const isNarrow = useMedia(NARROW);
  const { draft, change } = useDraft();
  const queries = useQueryClient();
  const submit = useMutation({
    mutationFn: (sent: Sent) => submitAll(sent.requests, sent.draft.retries),
    onSuccess: (started, sent) => {
      running.start(sent.draft, started);
      // The outputs of the jobs will exist, so what is planned now says nothing about another run.
      void queries.invalidateQueries({ queryKey: DRY_RUNS, refetchType: 'none' });
      // The new jobs replace the failed job, so its error no longer matters.
      change({ do: 'forget-failure' });
    },
    // The check finds out too, and the page says what can be done.
    onError: (failed) => isJobGone(failed) && checked.checkAgain?.(),
  });
  const notStarted = isJobGone(submit.error) ? null : submit.error;
  const { plan, error, isOld } = checked;
  const checkAgain = (): void => {
    // The error of an earlier submission would look like the answer.
    if (submit.isError) submit.reset();
    checked.checkAgain?.();
  };
  const [all, setAll] = useState<AllRequests>();
  const errors = errorsOf(error);
  const state = runState({
    requests: requests.length,
    all,
    checked,
    roles: recipe?.inputs.map(({ role }) => role) ?? [],
    nameless: namelessRows(draft).length,
    isUploading,
    waiting: waiting?.text,
    unreadable,
    unapplied: pasting.isUnused ? 'The pasted command is not used yet.' : unappliedText(words),
    isStarting: submit.isPending,
    started: running.started,
    // Ignore the failure after the request has changed.
    failure: JSON.stringify(submit.variables?.requests) === JSON.stringify(requests) ? notStarted : null,
  });
  const run = (): void => submit.mutate({ requests, draft });
  // The button was pressed while what is typed was not in force yet: it then runs with that.
  const [isAwaited, setAwaited] = useState(false);
  const isSettled = waiting === undefined ? !isOld : !waiting.isComing;
  useEffect(() => {
    if (!isAwaited || !isSettled) return;
    setAwaited(false);
    if (state.isReady) run();
  });
  const exists =
    !isOld && running.started === undefined && plan?.warnings.some(({ code }) => code === 'OUTPUT_EXISTS') === true;
  const showFixed = (failed: Job, jobId: string): void => {
    const { apply: patch } = failed.error ?? {};
    // The fix is for the request of the job, in which the options of a recipe are the user's own.
    const fits = running.isOfDraft && requests.length === 1 && draft.preset === undefined && patch !== undefined;
    const fixed = fits ? changeDraft(draft, { do: 'apply-patch', patch }) : undefined;
    if (fixed !== undefined) change({ do: 'apply-fix', of: draft, fixed });
    running.replaceJob(failed.jobId, jobId, fixed);
  };
  // While a field has an error, keep the last plan on the page. Otherwise, all below it would jump at each mistake.
  const request = requests[shown];
  const sources = request && sourcesOf(request);
  const [onlyInput, ...moreInputs] = pathsOf(request);
  const source = useReadSource(otherClientOf(draft) === undefined && moreInputs.length === 0 ? onlyInput : undefined);
  const [last, setLast] = useState({ plan, sources });
  if (plan !== undefined && plan !== last.plan) setLast({ plan, sources });
  const lastPlan = last.sources === sources ? last.plan : undefined;
  const shownPlan = plan ?? (errors.length > 0 && requests.length > 0 ? lastPlan : undefined);
  const results = (running.run ?? running.earlier[0]) !== undefined && (
    <Results running={running} onFixed={showFixed} onNext={onNext} onUse={onUse} />
  );
  const planSection = requests.length > 0 && (
    <Section variant="panel" id={PLAN} title={all === undefined ? 'Plan' : `Plan for all ${requests.length}`}>
      {/* The outputs of started jobs exist, so that they cannot be planned once more. A source that cannot be read has no plan. */}
      {requests.length > 1 && running.started === undefined && !isUploading && unreadable === 0 && (
        <TotalPlan
          requests={requests}
          names={requests.map(nameOf)}
          isReady={plan !== undefined && !isOld}
          shown={shown}
          onShow={onShow}
          onTotal={setAll}
        />
      )}
      {requests.length > 1 && (
        <div className={styles.one}>
          <h3>{nameOf(request)}</h3>
          <div role="group" aria-label="Source of the plan" className={styles.turn}>
            <StepButton to="previous" label="Previous" isAtEnd={shown === 0} onStep={() => onShow(shown - 1)} />
            <span>
              {shown + 1} of {requests.length}
            </span>
            <StepButton
              to="next"
              label="Next"
              isAtEnd={shown === requests.length - 1}
              onStep={() => onShow(shown + 1)}
            />
          </div>
        </div>
      )}
      {/* Errors of fields are shown at the fields. */}
      {error !== null && errors.length === 0 && <ProblemNotice error={error} />}
      {shownPlan === undefined && (error === null || errors.length > 0) && (
        <p className={styles.soft}>
          {error === null ? 'The source is being checked.' : 'The plan follows when the request can run.'}
        </p>
      )}
      <Notes {...others} />
      {pasting.isUnused && (
        <p className={styles.soft}>Of the conversion that is on this page now, without the pasted command.</p>
      )}
      {plan === undefined && shownPlan !== undefined && (
        <p className={styles.soft}>Out of date: the last change has an error.</p>
      )}
      {shownPlan === undefined ? (
        <PlanSpace />
      ) : (
        // The result says more than the plan.
        <Fold isFolded={running.started === 'completed'} summary="Show what was planned">
          <PlanView
            fallback={<PlanSpace />}
            plan={shownPlan}
            source={source}
            isOld={isOld || plan === undefined}
            isOneOfSeveral={requests.length > 1}
            isInvalid={plan === undefined || pasting.isUnused}
          />
        </Fold>
      )}
    </Section>
  );
  return (
    <>
      <RunBar
        label={submit.isPending ? 'Starting…' : runLabel(requests.length, otherClientOf(draft))}
        isReady={state.isReady}
        // The panel of a pasted command has a main action of its own.
        // What would certainly fail is mended first.
        isNext={!state.isUnapplied && !pasting.isOpen && !(state.isReady && state.isToldElsewhere)}
        state={state.text}
        made={state.made}
        isBad={state.isBad}
        isBusy={isOld && state.isReady && !state.isUnapplied}
        isDone={running.started === 'completed'}
        planId={isNarrow && shownPlan !== undefined && state.isReady && !state.isBad ? PLAN : undefined}
        onRun={state.isReady ? run : waiting?.isComing ? () => setAwaited(true) : undefined}
      >
        {state.isToldElsewhere && (isNarrow || !hasButtonForEach(errors)) && (
          <Button aria-label="Show the first error" onClick={showFirstError}>
            Show
          </Button>
        )}
        {state.isUnchecked && (
          // It keeps the focus while the check runs.
          <Button aria-disabled={isOld} onClick={isOld ? undefined : checkAgain}>
            Check again
          </Button>
        )}
        {running.started === 'completed' && isNarrow && <ShowResult />}
        {state.isUnapplied && words.best !== undefined && words.use !== undefined && (
          <BestRecipeButton best={words.best} onUse={words.use} />
        )}
        {exists && draft.outputs.length === 1 && (
          <OutputExists id={draft.outputs[0]?.id ?? ''} path={requests.length > 1 ? undefined : requests[0]?.output} />
        )}
        {requests.length > 0 && errors.length > 1 && <WrongFields errors={errors} />}
      </RunBar>
      {requests.length > 0 && <PauseNotice />}
      {notStarted !== null && <ProblemNotice error={notStarted} />}
      {isNarrow && top !== null ? createPortal(results, top) : results}
      {requests.length === 0 && error === null && (
        <Empty icon={null}>
          <ul className={styles.coming}>
            {COMING.map(({ Icon, name, text }) => (
              <li key={name}>
                <Icon />
                <strong>{name}</strong>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </Empty>
      )}
      {children}
      {planSection}
    </>
  );
}

function runLabel(requests: number, otherClient: string | undefined): string {
  if (requests > 1) return `Convert all ${requests}`;
  return otherClient === undefined ? 'Convert' : `Convert for ${otherClient}`;
}

/**
 * Scrolls to the first error and focuses it. If there is none, something is missing: focuses the first empty field that
 * the recipe requires, or otherwise the field that adds a source.
 */
function showFirstError(): void {
  const found =
    document.querySelector<HTMLElement>('[data-kind="error"], [role="alert"]') ??
    [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[aria-required="true"]')].find(
      ({ value }) => value === '',
    ) ??
    document.querySelector<HTMLElement>('[data-adds-source] input');
  found?.scrollIntoView({ block: 'center' });
  found?.focus({ preventScroll: true });
}

/** The paths of the inputs of a request. '': an input is made by a filtergraph. */
const pathsOf = (request: ConversionRequest | undefined): readonly string[] =>
  (request?.inputs ?? [request?.input]).map((one) => (typeof one === 'string' ? one : one?.input) ?? '');

/** The source of a request. */
const nameOf = (request: ConversionRequest | undefined): string => {
  const [first] = request?.inputs ?? [request?.input];
  return (typeof first === 'string' ? first : (first?.input ?? first?.source)) ?? '';
};

/**
 * Submits one request, or several as a batch, of which all or none are accepted. `retries`: the job that one request runs again. Several requests
 * are new jobs, without its callback, whose secrets the draft does not have.
 */
async function submitAll(
  requests: readonly ConversionRequest[],
  retries: RetriedJob | undefined,
): Promise<Pick<Run, 'jobIds' | 'batchId'>> {
  const [first] = requests;
  if (first === undefined) return { jobIds: [] };
  if (requests.length === 1) {
    const job = retries === undefined ? client.submit(first) : client.retry(retries.jobId, { request: first });
    return { jobIds: [(await job).jobId] };
  }
  const { jobs, batchId } = await client.submitBatch([...requests]);
  return { jobIds: jobs.map(({ jobId }) => jobId), batchId };
}
