import { useMutation } from '@tanstack/react-query';
import { ClientError, type ConversionRequest } from '@telecine/client';
import type { ReactNode } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Notes } from './field-notes.tsx';
import { PlanView } from './plan-view.tsx';
import { RunBar } from './run-bar.tsx';
import { RunningJobs } from './running-jobs.tsx';
import { Section } from './section.tsx';
import type { Checked } from './use-dry-run.ts';
import { useOtherMessages } from './use-messages.tsx';

interface Props {
  /** What is submitted, all or none. Empty: something is missing that only the person can choose. */
  readonly requests: readonly ConversionRequest[];
  readonly checked: Checked;
  readonly isUploading: boolean;
  /** Shown before the plan, because people would rather look than read. */
  readonly children?: ReactNode;
}

/** What the request would run, live, and the button that runs it. */
export function CheckPanel({ requests, checked, isUploading, children }: Props) {
  const others = useOtherMessages();
  const submit = useMutation({ mutationFn: submitAll });
  const { plan, error, isOld } = checked;
  const fieldErrors = error instanceof ClientError ? error.errors.length : 0;
  // What is wrong with a field is said there.
  const hasPlan =
    plan !== undefined || others.errors.length + others.warnings.length > 0 || (error !== null && fieldErrors === 0);
  return (
    <>
      <RunBar
        label={submit.isPending ? 'Starting…' : requests.length > 1 ? `Convert all ${requests.length}` : 'Convert'}
        isReady={requests.length > 0 && error === null && !isUploading && !submit.isPending}
        state={stateText({ requests, checked, isUploading, fieldErrors })}
        isBad={error !== null}
        onRun={() => submit.mutate(requests)}
      >
        {error !== null && <Button onClick={showFirstError}>Show it</Button>}
      </RunBar>
      {submit.error !== null && <ProblemNotice error={submit.error} />}
      {submit.data !== undefined && <RunningJobs jobIds={submit.data.map(({ jobId }) => jobId)} />}
      {requests.length === 0 && error === null && (
        <Empty>
          <p>What would run is shown here: the command, its warnings, the probable size and time, and a preview.</p>
        </Empty>
      )}
      {children}
      {hasPlan && (
        <Section title="Plan">
          {error !== null && fieldErrors === 0 && <ProblemNotice error={error} />}
          <Notes {...others} />
          {plan !== undefined && <PlanView plan={plan} isOld={isOld} />}
        </Section>
      )}
    </>
  );
}

/** Scrolls to the first message about an error, wherever it is on the page. */
function showFirstError(): void {
  document.querySelector('[data-kind="error"], [role="alert"]')?.scrollIntoView({ block: 'center' });
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
  fieldErrors,
}: Omit<Props, 'children'> & { readonly fieldErrors: number }): string {
  if (requests.length === 0) return 'Choose a source first.';
  if (isOld && plan === undefined && error === null) return 'Checking…';
  if (fieldErrors > 0) return fieldErrors === 1 ? 'One field has an error.' : `${fieldErrors} fields have errors.`;
  if (error !== null) return 'The request cannot run.';
  if (isUploading) return 'Ready when the upload is complete.';
  if (isOld) return 'Checking…';
  return requests.length > 1 ? 'Ready. The check is that of the first source.' : 'Ready.';
}
