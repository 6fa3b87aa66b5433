import type { Job } from '@telecine/client';
import { ApplyFix } from '../jobs/apply-fix.tsx';
import { failureText } from '../jobs/text-for-reader.ts';
import { useSession } from '../session/use-session.ts';
import { WithCode } from '../ui/with-code.tsx';

/** Why a started job failed, with its fix. Renders nothing if it did not. */
export function JobFailure({
  job,
  onFixed,
}: {
  readonly job: Job;
  /** The job has failed, and `jobId` runs in its place. undefined: a failed job is not fixed here. */
  readonly onFixed: ((failed: Job, jobId: string) => void) | undefined;
}) {
  const { data: session } = useSession();
  const failure = failureText(job, session?.clientId);
  if (failure === undefined) return null;
  return (
    <>
      <p>
        <WithCode text={failure.message} /> {failure.fix && <WithCode text={failure.fix} />}
      </p>
      {onFixed !== undefined && <ApplyFix job={job} onStarted={(started) => onFixed(job, started)} />}
    </>
  );
}
