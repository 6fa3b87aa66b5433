import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ConversionRequest, Job } from '@telecine/client';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { folderOf } from '../files/file-list.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { BackLink } from '../ui/back-link.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { fixText } from '../ui/fix-text.ts';
import { Loading } from '../ui/loading.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { useTitleProgress } from '../ui/page-title.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { Status } from '../ui/status.tsx';
import { useMedia } from '../ui/use-media.ts';
import { WithCode } from '../ui/with-code.tsx';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import { anotherLike } from './another-like.ts';
import { ApplyFix } from './apply-fix.tsx';
import { CommandLine } from './command-line.tsx';
import { runningPercents } from './ended-text.ts';
import { EditButton, JobActions, RepairActions } from './job-actions.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobFrameSize } from './job-frame-size.tsx';
import { JobIdLink } from './job-link.tsx';
import { JobLog } from './job-log.tsx';
import { JobMeasurements } from './job-measurements.tsx';
import { existingOutput, inputText, outputText, phaseText } from './job-names.ts';
import { JobOutputs } from './job-outputs.tsx';
import styles from './job-page.module.css';
import { JobQuality } from './job-quality.tsx';
import { jobQuery } from './job-query.ts';
import { jobHasKeys, sentRequest } from './job-request.ts';
import { JobTimeline } from './job-timeline.tsx';
import { useIsDeleted, useLiveJob } from './live-jobs-connection.tsx';
import { isUnmended, NewestRetry, useNewestRetry } from './newest-retry.tsx';
import { ProgressFigures } from './progress-figures.tsx';
import { ProgressPlots } from './progress-plots.tsx';
import { ResultCard } from './result-card.tsx';
import { hasResult, onlySource } from './result-facts.ts';
import { RunningFrame } from './running-frame.tsx';
import { masterPlaylist } from './shown-outputs.ts';
import { SourceAndResult } from './source-and-result.tsx';
import { StatusBadge } from './status-badge.tsx';
import { failureText } from './text-for-reader.ts';
import { useHasWatch } from './use-has-watch.ts';
import { useSimilarSource } from './use-similar-source.ts';

// Few jobs have versions of a film, or a ladder.
const JobVersions = lazyComponent(async () => (await import('./job-versions.tsx')).JobVersions);
const JobLadder = lazyComponent(async () => (await import('./job-ladder.tsx')).JobLadder);

/** One job. The page is updated while the job runs. */
export function JobPage() {
  const { jobId } = useParams({ from: '/jobs/$jobId' });
  const read = useQuery(jobQuery(jobId));
  const job = useLiveJob(jobId, read.data);
  if (useIsDeleted(jobId))
    return (
      <div>
        <PageHeading>Deleted job</PageHeading>
        <p>
          This job was deleted. See the <Link to="/jobs">jobs</Link>.
        </p>
      </div>
    );
  if (job === undefined)
    return read.error === null ? <Loading /> : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  return <Content key={jobId} job={job} retriedAs={read.data?.retriedAs} />;
}

function Content({ job, retriedAs }: { readonly job: Job; readonly retriedAs: string | undefined }) {
  const [shown, setShown] = useState<string>();
  const retry = useNewestRetry(job.jobId, retriedAs);
  const openInWorkbench = useOpenInWorkbench();
  const another = useMutation({ mutationFn: () => anotherLike(job) });
  useTitleProgress(runningPercents([job.jobId], [job]));
  const request = JSON.stringify(sentRequest(job), null, 2);
  // On a phone, how far a job is comes before what could be done about it.
  const isBelow = useMedia('(width < 48rem)') && job.completedAt === undefined;
  const details = (
    <Section title="Details">
      <JobFacts job={job} />
    </Section>
  );
  // Those on a result are in its panel.
  const actions = !hasResult(job) && (
    <div className={styles.actions}>
      <JobActions job={job} />
    </div>
  );
  return (
    <>
      <header className={styles.header}>
        <div>
          <BackLink to="/jobs">Jobs</BackLink>
          <PageHeading>{outputText(job) || 'Job'}</PageHeading>
          <p className={styles.soft}>
            from <SourceName job={job} />
          </p>
        </div>
        {!isBelow && actions}
      </header>
      <OwnerNote job={job} />
      {job.retryOf !== undefined && (
        <p className={styles.soft}>
          Retry of <JobIdLink jobId={job.retryOf} />: a new job, whose attempts count from 1.
        </p>
      )}
      {retry !== undefined && <NewestRetry retry={retry} isNext={job.status !== 'COMPLETED'} />}
      <State job={job} isUnmended={isUnmended(retry)}>
        {job.status === 'COMPLETED' && (
          <ResultCard
            job={job}
            isNextPending={another.isPending}
            onUse={(path) => void openInWorkbench({ input: path } as ConversionRequest)}
            // Passed to this call, because this callback is not called after the user has left the page.
            onNext={() =>
              another.mutate(undefined, {
                onSuccess: (request) => void openInWorkbench(request, { isForNextSource: true }),
              })
            }
          />
        )}
      </State>
      {isBelow && actions}
      {another.error !== null && <ProblemNotice error={another.error} />}
      <div className={styles.columns}>
        <div className={styles.media}>
          <SourceAndResult job={job} shown={shown} onShow={setShown} />
        </div>
        <div className={styles.column}>
          <JobOutputs job={job} onShow={setShown} />
          {masterPlaylist(job) !== undefined && <JobVersions job={job} />}
          <JobQuality job={job} />
          {job.outputs?.some(({ ladder }) => ladder !== undefined) && <JobLadder job={job} />}
          <JobFrameSize job={job} />
          <Warnings job={job} />
          <JobMeasurements job={job} />
          <ProgressPlots job={job} />
          <JobLog job={job} />
          {/* Without outputs, the wide column has room for them. */}
          {job.completedAt === undefined && details}
        </div>
        <div className={styles.column}>
          {job.completedAt !== undefined && details}
          <Section title="Request" actions={<CopyButton text={request} />}>
            <CodeBlock label="Request">{request}</CodeBlock>
          </Section>
          <CommandLine job={job} />
        </div>
      </div>
    </>
  );
}

/** What a job was made from. If that is one stored file of the client, the name leads to it. */
function SourceName({ job }: { readonly job: Job }) {
  const { data: session } = useSession();
  const mayRead = session?.clientId === job.client && mayDo(session, 'files:read');
  const source = mayRead && job.error?.code !== 'INPUT_NOT_FOUND' ? onlySource(job) : undefined;
  if (source === undefined) return inputText(job);
  return <FileLink path={source} />;
}

function FileLink({ path }: { readonly path: string }) {
  const folder = folderOf(path);
  return (
    <Link to="/files" search={{ ...(folder && { folder }), file: path }}>
      {path}
    </Link>
  );
}

/** Leads to the file that a job did not replace. */
function ExistingFile({ job }: { readonly job: Job }) {
  const { data: session } = useSession();
  const path = session?.clientId === job.client && mayDo(session, 'files:read') ? existingOutput(job) : undefined;
  if (path === undefined) return null;
  return (
    <p>
      The existing file: <FileLink path={path} />
    </p>
  );
}

/** Tells an administrator which parts of another client's job are not available, and for whom it runs again. */
function OwnerNote({ job }: { readonly job: Job }) {
  const { client: owner, watchId = '', status } = job;
  const { data: session } = useSession();
  const hasWatch = useHasWatch(job);
  if (session === undefined || session === null || session.clientId === owner) return null;
  const isEnded = status === 'FAILED' || status === 'CANCELLED';
  return (
    <p className={styles.soft}>
      This job belongs to the client {owner}. Its paths are in the folder of {owner}, so its source is not shown here.
      {isEnded && !hasWatch && ` It runs again for ${owner}, with the files and limits of ${owner}.`}
      {isEnded && !hasWatch && jobHasKeys(job) && ` It has keys, so only ${owner} can change its request.`}
      {isEnded && hasWatch && (
        <>
          {' '}
          Its file is converted again in{' '}
          <Link to="/watches/$watchId" params={{ watchId }}>
            its watch
          </Link>
          .
        </>
      )}
    </p>
  );
}

/** The status, progress, error and timeline of a job. `children`: its result, which is more important than how long it took. */
function State({
  job,
  isUnmended,
  children,
}: {
  readonly job: Job;
  /** Whether a failure still has to be mended. */
  readonly isUnmended: boolean;
  readonly children: ReactNode;
}) {
  const phase = phaseText(job);
  const { data: session } = useSession();
  const failure = failureText(job, session?.clientId);
  return (
    <section className={styles.state} aria-label="State" data-failed={job.error !== undefined && isUnmended}>
      <RunningFrame job={job} className={styles.frame} />
      <div className={styles.now}>
        <StatusBadge status={job.status} />
        {/* "Running" means converting unless the phase says otherwise. */}
        {phase !== undefined && <span>{phase}</span>}
        {job.encrypt !== undefined && (
          <span className={styles.badge}>
            <LockKeyhole /> Encrypted
          </span>
        )}
        <WarningCount job={job} />
        {(job.status === 'PENDING' || job.status === 'CANCELLED') && job.error === undefined && (
          <span>
            <WithCode text={job.message} />
          </span>
        )}
        <ProgressFigures job={job} />
      </div>
      {job.error !== undefined && failure !== undefined && (
        <div className={styles.error}>
          <p>
            <WithCode text={failure.message} />
          </p>
          {failure.fix !== undefined && (
            <p>
              <strong>To fix it:</strong> <WithCode text={failure.fix} />
            </p>
          )}
          <ExistingFile job={job} />
          <Repair job={job} isNext={isUnmended} />
          <p className={styles.soft}>
            Error code: <code>{job.error.code}</code>
          </p>
        </div>
      )}
      {children}
      <JobTimeline job={job} />
    </section>
  );
}

/** The actions on a failed job: its fix, if the service knows one, and a retry. `isNext`: whether one of them is the main action of the page. */
function Repair({ job, isNext }: { readonly job: Job; readonly isNext: boolean }) {
  const source = useSimilarSource(job);
  const apply = source?.apply ?? job.error?.apply;
  // Of several files, the person chooses one.
  const isCertain = apply !== undefined && source?.isOnly !== false;
  return (
    <>
      <ApplyFix
        job={job}
        apply={apply}
        label={source && `Use ${source.path} and run again`}
        isNext={isNext && isCertain}
      />
      <RepairActions job={job} isNext={isNext && !isCertain} />
    </>
  );
}

/** The URL fragment of the section with the warnings. */
const WARNINGS = 'warnings';

/** Leads to the warnings, which are below the media. */
function WarningCount({ job: { warnings = [] } }: { readonly job: Job }) {
  if (warnings.length === 0) return null;
  return (
    <Status tone="warn">
      <a href={`#${WARNINGS}`}>{warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}</a>
    </Status>
  );
}

function Warnings({ job }: { readonly job: Job }) {
  if (job.warnings === undefined) return null;
  return (
    <Section title="Warnings">
      <ul id={WARNINGS} className={styles.warnings}>
        {job.warnings.map(({ code, message, fix, apply }) => (
          <li key={`${code} ${message}`}>
            <TriangleAlert />
            <div>
              <p>
                <WithCode text={message} />
              </p>
              {fix !== undefined && (
                <p className={styles.soft}>
                  <WithCode text={fixText(fix)} />
                </p>
              )}
            </div>
            {apply !== undefined && <EditButton job={job} apply={apply} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}
