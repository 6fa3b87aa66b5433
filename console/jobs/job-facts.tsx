import { Link } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import type { ReactNode } from 'react';
import { ShortId } from '../operate/short-id.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { formatFullMoment } from '../ui/format.ts';
import styles from './job-facts.module.css';
import { JobIdLink } from './job-link.tsx';
import { RecipeName } from './recipe-name.tsx';

const JobLinks = ({ jobIds }: { readonly jobIds: readonly string[] }) => (
  <span className={styles.links}>
    {jobIds.map((jobId) => (
      <JobIdLink key={jobId} jobId={jobId} />
    ))}
  </span>
);

/** The details of a job, except its request, timeline and outputs. */
export function JobFacts({ job }: { readonly job: Job }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      'Job',
      <span key="id" className={styles.id}>
        <code>{job.jobId}</code>
        <CopyButton text={job.jobId} label="Copy the id" isIcon />
      </span>,
    ],
    ['Client', job.client],
    ['Created', formatFullMoment(job.createdAt)],
    ['Ended', job.completedAt && formatFullMoment(job.completedAt)],
    // The service makes these by itself. A retry is another job, whose attempts count from 1.
    ['Attempts of this job', job.attempt > 0 ? `${job.attempt} (at most ${job.maxAttempts})` : undefined],
    ['Worker', job.workerId && <ShortId key="worker" id={job.workerId} />],
    ['Recipe', job.preset && <RecipeName key="recipe" name={job.preset.name} />],
    ['Priority', job.priority],
    [
      'Batch',
      job.batchId && (
        <Link key="batch" to="/jobs" search={{ batch: job.batchId }}>
          All jobs of the batch
        </Link>
      ),
    ],
    ['Name in the batch', job.name],
    [
      'Watch',
      job.watchId && (
        <Link key="watch" to="/watches/$watchId" params={{ watchId: job.watchId }}>
          <ShortId id={job.watchId} />
        </Link>
      ),
    ],
    ['Key of the segments', job.encrypt?.keyUri],
    ['After', job.after && <JobLinks jobIds={job.after} />],
    ['Waits for', job.waitingFor && <JobLinks jobIds={job.waitingFor} />],
    ['Requested by the model', job.llmId],
    // Names of the client, not of the service.
    ...Object.entries(job.metadata ?? {}).map(([name, value]) => [`Metadata “${name}”`, value] as const),
  ];
  return <FactsList className={styles.facts} facts={facts} />;
}
