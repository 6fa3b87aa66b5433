import { useMutation } from '@tanstack/react-query';
import { ClientError, type ConversionRequest } from '@telecine/client';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import styles from './check-panel.module.css';
import { Notes } from './field-notes.tsx';
import { PlanView } from './plan-view.tsx';
import { RunningJob } from './running-job.tsx';
import { Section } from './section.tsx';
import type { Checked } from './use-dry-run.ts';
import { useOtherMessages } from './use-messages.tsx';

interface Props {
  /** undefined: something is missing that only the person can choose. */
  readonly request: ConversionRequest | undefined;
  readonly checked: Checked;
  readonly isUploading: boolean;
}

/** What the request would run, live, and the button that runs it. */
export function CheckPanel({ request, checked, isUploading }: Props) {
  const others = useOtherMessages();
  const submit = useMutation({ mutationFn: (sent: ConversionRequest) => client.submit(sent) });
  const { plan, error, isOld } = checked;
  const fieldErrors = error instanceof ClientError ? error.errors.length : 0;
  return (
    <Section title="Conversion">
      <div className={styles.run}>
        <Button
          variant="primary"
          disabled={request === undefined || error !== null || isUploading || submit.isPending}
          onClick={() => request !== undefined && submit.mutate(request)}
        >
          {submit.isPending ? 'Starting…' : 'Convert'}
        </Button>
        <p role="status" className={styles.state} data-bad={error !== null}>
          {stateText({ request, checked, isUploading, fieldErrors })}
        </p>
      </div>
      {submit.error !== null && <ProblemNotice error={submit.error} />}
      {submit.data !== undefined && <RunningJob key={submit.data.jobId} jobId={submit.data.jobId} />}
      {error !== null && fieldErrors === 0 && <ProblemNotice error={error} />}
      <Notes {...others} />
      {plan !== undefined && <PlanView plan={plan} isOld={isOld} />}
    </Section>
  );
}

function stateText({
  request,
  checked: { plan, error, isOld },
  isUploading,
  fieldErrors,
}: Omit<Props, 'onRun'> & { readonly fieldErrors: number }): string {
  if (request === undefined) return 'Choose a source first.';
  if (isOld && plan === undefined && error === null) return 'Checking…';
  if (fieldErrors > 0) return fieldErrors === 1 ? 'One field has an error.' : `${fieldErrors} fields have errors.`;
  if (error !== null) return 'The request cannot run.';
  if (isUploading) return 'Ready when the upload is complete.';
  return isOld ? 'Checking…' : 'Ready.';
}
