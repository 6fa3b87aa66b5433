import type { Job } from '@telecine/client';
import { EarlierResults } from './earlier-results.tsx';
import { RunningJobs } from './running-jobs.tsx';
import type { useRun } from './use-run.ts';

export { ShowResult } from './show-result.tsx';

/** The jobs that were started last, and below them the results of earlier ones. */
export const Results = ({
  running: { run, earlier, isRestored, onEnded },
  ...events
}: {
  readonly running: ReturnType<typeof useRun>;
  /** A job has failed, and `jobId` runs in its place. */
  readonly onFixed: (failed: Job, jobId: string) => void;
  /** The user wants to convert another source with the same settings. */
  readonly onNext: () => void;
  /** The user wants to convert the result at this path. */
  readonly onUse: (path: string) => void;
}) => (
  <>
    {run !== undefined && <RunningJobs {...events} run={run} isRestored={isRestored} onEnded={onEnded} />}
    {earlier.length > 0 && <EarlierResults jobIds={earlier} />}
  </>
);
