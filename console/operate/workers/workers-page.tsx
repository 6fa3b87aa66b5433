import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Worker } from '@telecine/client';
import Server from 'lucide-react/icons/server';
import { client } from '../../app/client.ts';
import { COMMANDS } from '../../app/commands.ts';
import { JobLink } from '../../jobs/job-link.tsx';
import { PHASE_NAMES } from '../../jobs/job-names.ts';
import { jobQuery } from '../../jobs/job-query.ts';
import { useLiveJob } from '../../jobs/live-jobs-connection.tsx';
import { JobProgress } from '../../jobs/progress.tsx';
import { slowReason } from '../../jobs/progress-text.ts';
import { StatusBadge } from '../../jobs/status-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Meter } from '../../ui/meter.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
import type { Tone } from '../../ui/tone.ts';
import figures from '../figures.module.css';
import { readyQuery } from '../health/ready-query.ts';
import operateStyles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import styles from './workers-page.module.css';
import { sharedMachineText, workersText } from './workers-text.ts';

const workersQuery = queryOptions({ queryKey: ['workers'], queryFn: ({ signal }) => client.workers({ signal }) });

export function WorkersPage() {
  const workers = useQuery({ ...workersQuery, ...pollEvery(3) });
  const live = workers.data?.workers.filter(isLive) ?? [];
  return (
    <>
      <header className={operateStyles.header}>
        <div>
          <PageHeading>Workers</PageHeading>
          {live.length > 0 && <p className={operateStyles.soft}>{workersText(live)}</p>}
        </div>
      </header>
      <QueryState query={workers}>
        {({ workers: all }) =>
          all.length === 0 ? (
            <Empty icon={Server}>
              <p>
                <strong>No worker runs.</strong>
              </p>
              <p>
                No worker was seen in the last ten minutes, so no job runs. Start one: <code>{COMMANDS.worker}</code>,
                or <code>{COMMANDS.serve}</code> without <code>--no-worker</code>.
              </p>
            </Empty>
          ) : (
            <>
              {all.filter(isLive).length === 0 && <p>No worker runs now, so no job runs.</p>}
              {all
                .filter(isLive)
                .toSorted(byUse)
                .map((worker) => (
                  <OneWorker key={worker.workerId} worker={worker} sharedMachine={sharedMachineText(worker, live)} />
                ))}
              <GoneWorkers workers={all.filter((worker) => !isLive(worker))} />
            </>
          )
        }
      </QueryState>
    </>
  );
}

const STATES: Readonly<Record<Worker['state'], { readonly name: string; readonly tone: Tone }>> = {
  running: { name: 'Running', tone: 'good' },
  draining: { name: 'Draining', tone: 'paused' },
  drained: { name: 'Drained', tone: 'paused' },
  unready: { name: 'Not ready', tone: 'bad' },
  stopped: { name: 'Stopped', tone: 'soft' },
  lost: { name: 'Lost', tone: 'bad' },
};

/** The order of workers on the page: those that take jobs come first. */
const ORDER: readonly Worker['state'][] = ['running', 'unready', 'draining', 'drained'];
const isLive = ({ state }: Worker): boolean => state !== 'lost' && state !== 'stopped';
const byUse = (a: Worker, b: Worker): number => ORDER.indexOf(a.state) - ORDER.indexOf(b.state);

function OneWorker({ worker, sharedMachine }: { readonly worker: Worker; readonly sharedMachine: string | undefined }) {
  const { name, tone } = STATES[worker.state];
  const { jobs, concurrency, failedChecks = [], processors, ffmpegVersion, sandbox, freeScratchBytes } = worker;
  return (
    <section className={styles.worker} aria-label={`${worker.hostName} ${worker.pid}`}>
      <div className={operateStyles.header}>
        <h2>
          {worker.hostName} <span className={operateStyles.soft}>· process {worker.pid}</span>
        </h2>
        <div className={operateStyles.actions}>
          <Status tone={tone}>{name}</Status>
          <DrainControl worker={worker} />
        </div>
      </div>
      {failedChecks.map(({ check, message }) => (
        <p key={check} className={styles.unready}>
          <Status tone="bad">The worker takes no jobs until this check passes.</Status> {message}
        </p>
      ))}
      <dl className={`${figures.figures} ${styles.facts}`}>
        <div>
          <dt>Slots in use</dt>
          <dd>
            {jobs.length} <small>of {concurrency}</small>
            <Meter label="Slots in use" max={concurrency} value={jobs.length} isCount />
          </dd>
        </div>
        <div>
          <dt>Last report</dt>
          <dd>
            <Moment at={worker.lastSeenAt} />
          </dd>
        </div>
      </dl>
      <ul className={styles.details} aria-label="About the worker">
        <li>{processors === 1 ? '1 processor' : `${processors} processors`}</li>
        {sharedMachine !== undefined && <li>{sharedMachine}</li>}
        <li>{freeScratchBytes === undefined ? 'Unknown' : formatBytes(freeScratchBytes)} free scratch space</li>
        <li>Telecine {worker.version}</li>
        <li>ffmpeg {ffmpegVersion}</li>
        <li>Sandbox {sandbox}</li>
        <li>
          Started <Moment at={worker.startedAt} />
        </li>
      </ul>
      {jobs.length === 0 && <p className={operateStyles.soft}>The worker runs no job now.</p>}
      {jobs.length > 0 && (
        <DataTable
          label={`Jobs of ${worker.hostName} ${worker.pid}`}
          rows={jobs}
          keyOf={({ jobId }) => jobId}
          empty=""
          columns={[
            { name: 'Job', cell: ({ jobId }) => <JobLink jobId={jobId} /> },
            { name: 'Client', isPlain: true, cell: (job) => job.client },
            { name: 'Phase', isPlain: true, cell: ({ phase }) => PHASE_NAMES[phase] },
            { name: 'Progress', isPlain: true, cell: ({ jobId }) => <LiveProgress jobId={jobId} /> },
            { name: 'Since', isPlain: true, cell: ({ since }) => since && <Moment at={since} /> },
          ]}
        />
      )}
    </section>
  );
}

/** The progress of a job, which the events of the page update. */
function LiveProgress({ jobId }: { readonly jobId: string }) {
  const job = useLiveJob(jobId, useQuery(jobQuery(jobId)).data);
  const reason = job && slowReason(job);
  return (
    job && (
      <>
        <JobProgress job={job} />
        {reason !== undefined && (
          <div className={operateStyles.soft}>{`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`}</div>
        )}
      </>
    )
  );
}

/** The workers that ended, the last one first, with what became of their jobs. */
function GoneWorkers({ workers }: { readonly workers: readonly Worker[] }) {
  if (workers.length === 0) return null;
  return (
    <section className={operateStyles.section}>
      <h2>Workers that are gone</h2>
      <DataTable
        label="Workers that are gone"
        rows={workers.toSorted((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1))}
        keyOf={({ workerId }) => workerId}
        empty=""
        columns={[
          {
            name: 'Worker',
            cell: ({ hostName, pid }) => (
              <>
                {hostName} <span className={operateStyles.soft}>· process {pid}</span>
              </>
            ),
          },
          {
            name: 'State',
            isBesideName: true,
            cell: ({ state }) => <Status tone={STATES[state].tone}>{STATES[state].name}</Status>,
          },
          { name: 'Last report', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
          { name: 'Its jobs', cell: (worker) => <LastJobs worker={worker} /> },
        ]}
      />
      <p className={operateStyles.soft}>
        A lost worker was killed, or cannot reach the database. Its jobs are queued again and run on other workers. It
        is listed for a day, a stopped one for ten minutes.
      </p>
    </section>
  );
}

/** The jobs that a worker ran when it last reported, with their status now. */
function LastJobs({ worker: { state, lastJobs = [] } }: { readonly worker: Worker }) {
  if (state === 'stopped') return 'none: it stopped by itself';
  if (lastJobs.length === 0) return 'none at its last report';
  return (
    <ul className={styles.lastJobs}>
      {lastJobs.map(({ jobId, client: of, status }) => (
        <li key={jobId}>
          <JobLink jobId={jobId} /> of {of}: {status === 'PENDING' ? 'queued again' : <StatusBadge status={status} />}
        </li>
      ))}
    </ul>
  );
}

function DrainControl({ worker: { workerId, state, drainRequestedAt } }: { readonly worker: Worker }) {
  const queries = useQueryClient();
  const show = () => {
    void queries.invalidateQueries({ queryKey: readyQuery.queryKey });
    return queries.invalidateQueries({ queryKey: workersQuery.queryKey });
  };
  const resume = useMutation({ mutationFn: () => client.resumeWorker(workerId), onSuccess: show });
  if (state === 'stopped' || state === 'lost') return null;
  if (drainRequestedAt === undefined)
    return state === 'running' || state === 'unready' ? (
      <ConfirmButton
        label="Drain"
        title="Drain this worker?"
        variant="plain"
        action={() => client.drainWorker(workerId)}
        onDone={() => void show()}
      >
        <p>The worker takes no more jobs. Its running jobs continue until they end.</p>
        <p>Its process continues too. After a restart, the worker takes jobs again.</p>
      </ConfirmButton>
    ) : null;
  return (
    <>
      <Button disabled={resume.isPending} onClick={() => resume.mutate()}>
        Resume
      </Button>
      {resume.error !== null && <ProblemNotice error={resume.error} />}
    </>
  );
}
