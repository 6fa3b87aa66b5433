import { useMutation } from '@tanstack/react-query';
import { ClientError, type ConversionRequest } from '@telecine/client';
import type { ReactNode } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { namelessRows } from './draft.ts';
import { missingArguments } from './field-messages.ts';
import { Notes } from './field-notes.tsx';
import { OutputExists } from './output-exists.tsx';
import { PlanView } from './plan-view.tsx';
import { RunBar } from './run-bar.tsx';
import { RunningJobs } from './running-jobs.tsx';
import { useDraft } from './use-draft.tsx';
import type { Checked } from './use-dry-run.ts';
import { useOtherMessages } from './use-messages.tsx';

interface Props {
  /** What is submitted, all or none. Empty: something is missing that only the person can choose. */
  readonly requests: readonly ConversionRequest[];
  readonly checked: Checked;
  readonly isUploading: boolean;
  /** Of several sources, how many cannot be read. The check is that of the first one alone. */
  readonly unreadable: number;
  /** Shown before the plan, because people would rather look than read. */
  readonly children?: ReactNode;
}

/** A field that a recipe needs and that is empty. */
const EMPTY_REQUIRED = '[aria-required="true"]:placeholder-shown, select[aria-required="true"]';

/** What the request would run, live, and the button that runs it. */
export function CheckPanel({ requests, checked, isUploading, unreadable, children }: Props) {
  const others = useOtherMessages();
  const submit = useMutation({ mutationFn: submitAll });
  const { plan, error, isOld } = checked;
  const { draft } = useDraft();
  const errors = error instanceof ClientError ? error.errors : [];
  const nameless = namelessRows(draft).length;
  const fieldErrors = errors.length + nameless;
  const missing = missingArguments(errors);
  const isIncomplete = missing.length > 0 && missing.length === fieldErrors;
  const hasErrors = error !== null || nameless > 0;
  // A job of which it is known that it would fail is not started.
  const exists = !isOld && plan?.warnings.some(({ code }) => code === 'OUTPUT_EXISTS') === true;
  // What is wrong with a field is said there.
  const hasPlan =
    plan !== undefined || others.errors.length + others.warnings.length > 0 || (error !== null && errors.length === 0);
  return (
    <>
      <RunBar
        label={submit.isPending ? 'Starting…' : requests.length > 1 ? `Convert all ${requests.length}` : 'Convert'}
        isReady={requests.length > 0 && !hasErrors && !exists && !isUploading && !submit.isPending}
        state={
          isIncomplete
            ? `Fill in ${missing.join(' and ')}.`
            : exists
              ? 'The output exists already.'
              : stateText({ requests, checked, isUploading, unreadable, fieldErrors })
        }
        isBad={(hasErrors && !isIncomplete) || unreadable > 0}
        onRun={() => submit.mutate(requests)}
      >
        {(hasErrors || unreadable > 0) && (
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

/** Scrolls to the first message about an error, or else to the first field that has to be filled in. */
function showFirstError(): void {
  const found =
    document.querySelector('[data-kind="error"], [role="alert"]') ??
    document.querySelector<HTMLElement>(EMPTY_REQUIRED);
  found?.scrollIntoView({ block: 'center' });
  if (found instanceof HTMLElement) found.focus({ preventScroll: true });
}

/** Submits one request, or several together, all or none. */
const submitAll = async (requests: readonly ConversionRequest[]): Promise<readonly { readonly jobId: string }[]> => {
  const [first] = requests;
  if (first === undefined) return [];
  return requests.length === 1 ? [await client.submit(first)] : (await client.submitBatch([...requests])).jobs;
};

function stateText({
  requests,
  checked: { plan, error, isOld },
  isUploading,
  unreadable,
  fieldErrors,
}: Omit<Props, 'children'> & { readonly fieldErrors: number }): string {
  if (requests.length === 0) return 'Choose a source first.';
  if (isOld && plan === undefined && error === null) return 'Checking…';
  if (fieldErrors > 0) return fieldErrors === 1 ? 'One field has an error.' : `${fieldErrors} fields have errors.`;
  if (error !== null) return 'The request cannot run.';
  if (isUploading) return 'Ready when the upload is complete.';
  if (unreadable > 0) return `${unreadable} of ${requests.length} sources cannot be read. Their jobs would fail.`;
  if (isOld) return 'Checking…';
  return requests.length > 1 ? 'Ready. Only the first source is checked.' : 'Ready.';
}
