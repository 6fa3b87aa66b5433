import { useMutation } from '@tanstack/react-query';
import { ClientError, type ConversionRequest } from '@telecine/client';
import type { ReactNode } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { namelessRows } from './draft.ts';
import { Notes } from './field-notes.tsx';
import { OutputExists } from './output-exists.tsx';
import { PlanView } from './plan-view.tsx';
import { RunBar } from './run-bar.tsx';
import { runState } from './run-state.ts';
import { RunningJobs } from './running-jobs.tsx';
import { useDraft } from './use-draft.tsx';
import type { Checked } from './use-dry-run.ts';
import { useOtherMessages } from './use-messages.tsx';

interface Props {
  /** The requests to submit together. Empty: the user must choose something first. */
  readonly requests: readonly ConversionRequest[];
  readonly checked: Checked;
  readonly isUploading: boolean;
  /** The number of unreadable sources, of the sources that the check does not read. */
  readonly unreadable: number;
  /** Content before the plan, such as a preview, which is easier to understand than the plan. */
  readonly children?: ReactNode;
}

/** Matches empty fields that a recipe requires. */
const EMPTY_REQUIRED = '[aria-required="true"]:placeholder-shown, select[aria-required="true"]';

/** The button that runs the request, and what would run. Updated while the user changes the draft. */
export function CheckPanel({ requests, checked, isUploading, unreadable, children }: Props) {
  const others = useOtherMessages();
  const submit = useMutation({ mutationFn: submitAll });
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
    // Ignore the failure after the request has changed.
    failure: JSON.stringify(submit.variables) === JSON.stringify(requests) ? submit.error : null,
  });
  const exists = !isOld && plan?.warnings.some(({ code }) => code === 'OUTPUT_EXISTS') === true;
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
        onRun={() => submit.mutate(requests)}
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
      {submit.data !== undefined && <RunningJobs jobIds={submit.data.map(({ jobId }) => jobId)} />}
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
const submitAll = async (requests: readonly ConversionRequest[]): Promise<readonly { readonly jobId: string }[]> => {
  const [first] = requests;
  if (first === undefined) return [];
  return requests.length === 1 ? [await client.submit(first)] : (await client.submitBatch([...requests])).jobs;
};
