import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Commands } from '../ui/commands.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { hasHiddenParts } from '../workbench/hidden-parts.ts';
import styles from './command-line.module.css';
import { asNewRequest, expandedRequest } from './job-request.ts';

const commandQuery = (job: Job) =>
  queryOptions({
    queryKey: ['command', job.jobId],
    queryFn: ({ signal }) =>
      hasHiddenParts(asNewRequest(expandedRequest(job)))
        ? client.dryRun(expandedRequest(job), { retryOf: job.jobId, signal })
        : client.dryRun(asNewRequest(expandedRequest(job)), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * The ffmpeg command for the request of a job. A dry run returns it, so it is the command that a new job would run. With hidden parts, only the dry
 * run of a retry returns it, for which the job must have ended.
 */
export function CommandLine({ job }: { readonly job: Job }) {
  const { data: session } = useSession();
  const [isOpen, setOpen] = useState(false);
  // No dry run for another client's job: it would look for the files in the folder of this client.
  const canRun = session?.clientId === job.client && mayDo(session, 'jobs:write');
  const isTooEarly = job.links.retry === undefined && hasHiddenParts(asNewRequest(expandedRequest(job)));
  const { data: run, error } = useQuery({ ...commandQuery(job), enabled: isOpen && canRun && !isTooEarly });
  if (!canRun || job.analysis !== undefined) return null;
  return (
    <Section title="Command">
      <details className={styles.command} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show the arguments of ffmpeg for this request</summary>
        {error !== null && <ProblemNotice error={error} />}
        {isOpen && run === undefined && error === null && (
          <p>
            {isTooEarly
              ? 'They follow when the job has ended, because parts of its request are hidden here.'
              : 'Loading…'}
          </p>
        )}
        {run !== undefined && <Commands argv={run.argv} passes={run.plan.passes} label="Arguments of ffmpeg" />}
      </details>
    </Section>
  );
}
