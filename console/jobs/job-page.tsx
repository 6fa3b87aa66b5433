import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import type { ReactNode } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes, formatDuration, formatMoment } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { inputText, outputText, PHASE_NAMES } from './job-names.ts';
import styles from './job-page.module.css';
import { useLiveJob } from './live-jobs-provider.tsx';
import { OutputPlayer } from './output-player.tsx';
import { JobProgress } from './progress.tsx';
import { StatusBadge } from './status-badge.tsx';

const jobQuery = (jobId: string) =>
  queryOptions({ queryKey: ['job', jobId], queryFn: ({ signal }) => client.get(jobId, { signal }) });

/** Everything that is known of one job, live. */
export function JobPage() {
  const { jobId } = useParams({ from: '/jobs/$jobId' });
  const read = useQuery(jobQuery(jobId));
  const job = useLiveJob(jobId, read.data);
  if (job === undefined) return read.error === null ? <p>Loading…</p> : <ProblemNotice error={read.error} />;
  return (
    <>
      <header className={styles.header}>
        <div>
          <h1>{outputText(job) || 'Job'}</h1>
          <p className={styles.from}>from {inputText(job)}</p>
        </div>
        <Actions job={job} />
      </header>
      <section className={styles.now} aria-label="State">
        <StatusBadge status={job.status} />
        {job.phase !== undefined && job.status === 'PROCESSING' && <span>{PHASE_NAMES[job.phase]}</span>}
        <JobProgress job={job} isWide />
        {job.status !== 'PROCESSING' && <span>{job.error?.message ?? job.message}</span>}
      </section>
      {job.error?.fix !== undefined && <p className={styles.fix}>{job.error.fix}</p>}
      <div className={styles.columns}>
        <div className={styles.column}>
          <Outputs job={job} />
          <Warnings job={job} />
          <Log job={job} />
        </div>
        <div className={styles.column}>
          <Section title="Facts">
            <Facts job={job} />
          </Section>
          <Section title="Request">
            <pre className={styles.code}>{JSON.stringify(requestOf(job), null, 2)}</pre>
          </Section>
        </div>
      </div>
    </>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Actions({ job }: { readonly job: Job }) {
  const navigate = useNavigate();
  const cancel = useMutation({ mutationFn: () => client.cancel(job.jobId) });
  const retry = useMutation({
    mutationFn: () => client.retry(job.jobId),
    onSuccess: ({ jobId }) => navigate({ to: '/jobs/$jobId', params: { jobId } }),
  });
  const error = cancel.error ?? retry.error;
  return (
    <div className={styles.actions}>
      {job.links.cancel !== undefined && (
        <Button variant="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {job.links.retry !== undefined && (
        <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
          Run again
        </Button>
      )}
      {error !== null && <ProblemNotice error={error} />}
    </div>
  );
}

function Outputs({ job }: { readonly job: Job }) {
  if (job.outputs === undefined) return null;
  return (
    <Section title={job.outputs.length === 1 ? 'Output' : `Outputs (${job.outputs.length})`}>
      {job.expired && <p>The outputs have expired.</p>}
      <OutputPlayer job={job} />
      <ul className={styles.outputs}>
        {job.outputs.map(({ path, sizeBytes, durationSeconds }) => (
          <li key={path}>
            {job.expired ? path : <a href={`${job.links.output}?path=${encodeURIComponent(path)}`}>{path}</a>}
            <span>
              {formatBytes(sizeBytes)}
              {durationSeconds !== undefined && `, ${formatDuration(durationSeconds)}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Warnings({ job }: { readonly job: Job }) {
  if (job.warnings === undefined) return null;
  return (
    <Section title="Warnings">
      <ul className={styles.warnings}>
        {job.warnings.map(({ code, message, fix }) => (
          <li key={`${code} ${message}`}>
            <p>{message}</p>
            {fix !== undefined && <p className={styles.soft}>{fix}</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const logQuery = (job: Job) =>
  queryOptions({
    // The log is complete when the job has ended.
    queryKey: ['log', job.jobId, job.completedAt],
    queryFn: ({ signal }) => client.log(job.jobId, { signal }),
  });

function Log({ job }: { readonly job: Job }) {
  const log = useQuery({ ...logQuery(job), enabled: job.startedAt !== undefined });
  if (log.data === undefined || log.data === '') return null;
  return (
    <Section title="Log of ffmpeg">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre className={styles.code} tabIndex={0}>
        {log.data}
      </pre>
    </Section>
  );
}

function Facts({ job }: { readonly job: Job }) {
  const { startedAt, completedAt } = job;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Job', <code key="id">{job.jobId}</code>],
    ['Client', job.client],
    ['Created', formatMoment(job.createdAt)],
    ['Waited', startedAt && formatDuration((Date.parse(startedAt) - Date.parse(job.createdAt)) / 1000)],
    ['Ran', startedAt && completedAt && formatDuration((Date.parse(completedAt) - Date.parse(startedAt)) / 1000)],
    ['Attempt', job.attempt > 1 ? `${job.attempt} of ${job.maxAttempts}` : undefined],
    ['Recipe', job.preset?.name],
    ['Priority', job.priority],
    ['Name', job.name],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The members of a job that were sent, in the order in which people write them. */
function requestOf(job: Job): Readonly<Record<string, unknown>> {
  const { input, inputs, output, requestedOutputs: outputs, format, parameters, strict, metadata, analysis } = job;
  return { input, inputs, output, outputs, format, parameters, strict, metadata, analysis };
}
