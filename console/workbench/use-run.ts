import type { Job } from '@telecine/client';
import { useCallback, useEffect, useState } from 'react';
import { startedJobs } from '../jobs/started-jobs.ts';
import { type Draft, isUnchanged } from './draft.ts';
import { pathsWrittenBy, progressOf, type Run, withEarlierRun, withJobReplaced } from './run.ts';
import { isSameWhenStored } from './stored-draft.ts';

const NONE: ReadonlySet<string> = new Set();

/** What remains while the user looks at other pages. */
interface Kept {
  readonly clientId: string;
  readonly run: Run | undefined;
  /** The ids of jobs of earlier runs, the newest first. */
  readonly earlier: readonly string[];
  readonly written: ReadonlySet<string>;
}

let kept: Kept | undefined;

/**
 * The run and the written paths that the client with this id left. `draft` was read from storage, so it is not the same object as the draft
 * of the run.
 */
function keptOf(clientId: string, draft: Draft): Omit<Kept, 'clientId'> {
  if (kept?.clientId !== clientId) return { run: undefined, earlier: [], written: NONE };
  const { run, earlier, written } = kept;
  if (run !== undefined && isSameWhenStored(run.draft, draft)) return { run: { ...run, draft }, earlier, written };
  if (run !== undefined && progressOf(run) === 'running') return { run, earlier, written };
  // Beside another draft, a result would look like that of this draft.
  return { run: undefined, earlier: withEarlierRun(earlier, run), written };
}

/** The last run of the workbench, the jobs of earlier ones, and the paths that the runs of this page have written. */
export function useRun(draft: Draft, clientId: string) {
  const [before] = useState(() => keptOf(clientId, draft));
  const [run, setRun] = useState(before.run);
  const [earlier, setEarlier] = useState(before.earlier);
  const [written, setWritten] = useState(before.written);
  useEffect(() => {
    kept = { clientId, run, earlier, written };
  }, [clientId, run, earlier, written]);
  const onEnded = useCallback((job: Job) => {
    setRun((now) => now && { ...now, ended: new Map(now.ended).set(job.jobId, job) });
    setWritten((before) => new Set([...before, ...pathsWrittenBy([job])]));
  }, []);
  const progress = run === undefined ? undefined : progressOf(run);
  const isOfDraft = run !== undefined && isUnchanged(run.draft, draft);
  // A draft whose jobs have failed can run again as it is.
  const isStarted = isOfDraft && progress !== 'failed';
  return {
    run,
    /** The ids of jobs of earlier runs, the newest first. */
    earlier,
    /** Whether the run was started before the user looked at another page. */
    isRestored: run !== undefined && run.jobIds === before.run?.jobIds,
    /** Whether the draft is the one of the run. */
    isOfDraft,
    /** Whether the draft is the one of the run, and its jobs are running or complete. */
    started: isStarted ? progress : undefined,
    /** The paths that suggested names must avoid. Empty while a run is shown, so that its names stay as they are. */
    taken: isStarted ? NONE : written,
    /** `submitted`: the draft that made the jobs. The user may have changed it since. */
    start: (submitted: Draft, { jobIds, batchId }: Pick<Run, 'jobIds' | 'batchId'>) => {
      setEarlier(withEarlierRun(earlier, run));
      setRun({ draft: submitted, jobIds, batchId, ended: new Map() });
      startedJobs.set(jobIds);
    },
    /** Shows another job in place of a failed one. `fixed`: the draft of the run with the fix. */
    replaceJob: (failedId: string, jobId: string, fixed?: Draft) => {
      setRun((now) => now && withJobReplaced(now, failedId, jobId, fixed));
      startedJobs.set(startedJobs.get().jobIds.map((each) => (each === failedId ? jobId : each)));
    },
    onEnded,
    /** Begins anew. The results stay among the earlier ones. */
    forget: () => {
      setEarlier(withEarlierRun(earlier, run));
      setRun(undefined);
    },
  };
}
