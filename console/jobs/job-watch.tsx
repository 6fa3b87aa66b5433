import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useTitleProgress } from '../ui/page-title.ts';
import { endedText, runningPercents } from './ended-text.ts';
import { jobQuery } from './job-query.ts';
import { useLiveJobs } from './live-jobs-connection.tsx';
import { notify } from './notifications.ts';
import { startedJobs } from './started-jobs.ts';

/** Shows the progress of the jobs that this tab has started in its title, on every page, and a notification at their end. */
export function JobWatch() {
  const { jobIds } = useSyncExternalStore(startedJobs.subscribe, startedJobs.get);
  return <Watch key={jobIds.join()} jobIds={jobIds} />;
}

function Watch({ jobIds }: { readonly jobIds: readonly string[] }) {
  const jobs = useJobs(jobIds);
  const navigate = useNavigate();
  const wasRunning = useRef(false);
  useTitleProgress(runningPercents(jobIds, jobs));
  const ended = jobs.flatMap((job) => (job?.completedAt === undefined ? [] : [job]));
  const hasEnded = jobIds.length > 0 && ended.length === jobIds.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: notify once, when the last job ends.
  useEffect(() => {
    if (!hasEnded) wasRunning.current ||= jobIds.length > 0;
    else if (wasRunning.current) {
      const [only] = jobIds;
      const show = () =>
        void (jobIds.length === 1 && only !== undefined
          ? navigate({ to: '/jobs/$jobId', params: { jobId: only } })
          : navigate({ to: '/jobs' }));
      notify(endedText(ended), show);
    }
  }, [hasEnded]);
  return null;
}

/** The newest states of jobs. undefined: a job is not read yet. */
function useJobs(jobIds: readonly string[]): readonly (Job | undefined)[] {
  const live = useLiveJobs();
  const read = useQueries({ queries: jobIds.map((jobId) => jobQuery(jobId)) });
  const store = useMemo(() => liveStates(live, jobIds), [live, jobIds]);
  const states = useSyncExternalStore(store.subscribe, store.get);
  return jobIds.map((_, i) => states[i] ?? read[i]?.data);
}

/** The states of jobs in the event stream, as one value that changes when one of them does. */
function liveStates(live: ReturnType<typeof useLiveJobs>, jobIds: readonly string[]) {
  let states: readonly (Job | undefined)[] = jobIds.map((jobId) => live.get(jobId));
  return {
    get: () => states,
    subscribe: (onChange: () => void): (() => void) => {
      const stops = jobIds.map((jobId) =>
        live.watch(jobId, () => {
          states = jobIds.map((each, i) => live.get(each) ?? states[i]);
          onChange();
        }),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
