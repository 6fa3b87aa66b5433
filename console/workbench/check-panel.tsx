import { useMutation } from '@tanstack/react-query';
import { ClientError, type ConversionRequest } from '@telecine/client';
import type { ReactNode } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { type Draft, namelessRows } from './draft.ts';
import { Notes } from './field-notes.tsx';
import { OutputExists } from './output-exists.tsx';
import { PlanView } from './plan-view.tsx';
import type { Run } from './run.ts';
import { RunBar } from './run-bar.tsx';
import { runState } from './run-state.ts';
import { RunningJobs } from './running-jobs.tsx';
import { useDraft } from './use-draft.tsx';
import type { Checked } from './use-dry-run.ts';
import { useOtherMessages } from './use-messages.tsx';
import type { useRun } from './use-run.ts';

interface Props {
  /** The requests to submit together. Empty: the user must choose something first. */
  readonly requests: readonly ConversionRequest[];
  readonly checked: Checked;
  readonly isUploading: boolean;
  /** The number of unreadable sources, of the sources that the check does not read. */
  readonly unreadable: number;
  readonly running: ReturnType<typeof useRun>;
  /** The user wants to convert another source with the same settings. */
  readonly onNext: () => void;
  /** Content before the plan, such as a preview, which is easier to understand than the plan. */
  readonly children?: ReactNode;
}

interface Sent {
  readonly requests: readonly ConversionRequest[];
  readonly draft: Draft;
}

/** Matches empty fields that a recipe requires. */
const EMPTY_REQUIRED = '[aria-required="true"]:placeholder-shown, select[aria-required="true"]';

/** The button that runs the request, and what would run. Updated while the user changes the draft. */
export function CheckPanel({ requests, checked, isUploading, unreadable, running, onNext, children }: Props) {
  const others = useOtherMessages();
  const submit = useMutation({
    mutationFn: (sent: Sent) => submitAll(sent.requests),
    onSuccess: (started, sent) => running.start(sent.draft, started),
  });
  const { plan, error, isOld } = checked;
  const { draft } = useDraft();
  const errors = error instanceof ClientError ? error.errors : [];
  const state = runState({
    requests: requests.length,
    checked,
    nameless: namelessRows(draft).length,
    isUploading,
    unreadable,
    isStarting: submit.isPending,
    started: running.started,
    // Ignore the failure after the request has changed.
    failure: JSON.stringify(submit.variables?.requests) === JSON.stringify(requests) ? submit.error : null,
  });
  const exists =
    !isOld && running.started === undefined && plan?.warnings.some(({ code }) => code === 'OUTPUT_EXISTS') === true;
  // Do not show errors of fields here, because they are shown at the fields.
  const hasPlan =
    plan !== undefined || others.errors.length + others.warnings.length > 0 || (error !== null && errors.length === 0);
  return (
    <>
      <RunBar
        label={submit.isPending ? 'Starting…' : requests.length > 1 ? `Convert all ${requests.length}` : 'Convert'}
        isReady={state.isReady}
        state={state.text}
        isBad={state.isBad}
        onRun={() => submit.mutate({ requests, draft })}
      >
        {state.isToldElsewhere && (
          <Button aria-label="Show the first error" onClick={showFirstError}>
            Show
          </Button>
        )}
        {exists && draft.outputs.length === 1 && (
          <OutputExists id={draft.outputs[0]?.id ?? ''} path={requests.length > 1 ? undefined : requests[0]?.output} />
        )}
      </RunBar>
      {submit.error !== null && <ProblemNotice error={submit.error} />}
      {running.run !== undefined && <RunningJobs run={running.run} onEnded={running.onEnded} onNext={onNext} />}
      {requests.length === 0 && error === null && (
        <Empty>
          <p>The command, its warnings, the probable size and time, and a preview appear here.</p>
        </Empty>
      )}
      {children}
      {hasPlan && (
        <Section variant="panel" title="Plan">
          {error !== null && errors.length === 0 && <ProblemNotice error={error} />}
          <Notes {...others} />
          {plan !== undefined && <PlanView plan={plan} isOld={isOld} />}
        </Section>
      )}
    </>
  );
}

/** Scrolls to the first error, or otherwise to the first empty required field. */
function showFirstError(): void {
  const found =
    document.querySelector('[data-kind="error"], [role="alert"]') ??
    document.querySelector<HTMLElement>(EMPTY_REQUIRED);
  found?.scrollIntoView({ block: 'center' });
  if (found instanceof HTMLElement) found.focus({ preventScroll: true });
}

/** Submits one request, or several as a batch, of which all or none are accepted. */
async function submitAll(requests: readonly ConversionRequest[]): Promise<Pick<Run, 'jobIds' | 'batchId'>> {
  const [first] = requests;
  if (first === undefined) return { jobIds: [] };
  if (requests.length === 1) return { jobIds: [(await client.submit(first)).jobId] };
  const { jobs, batchId } = await client.submitBatch([...requests]);
  return { jobIds: jobs.map(({ jobId }) => jobId), batchId };
}
