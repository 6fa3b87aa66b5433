import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Queue } from '@telecine/client';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { useMemo, useState } from 'react';
import { client } from '../../app/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Floating } from '../../ui/floating.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Loading } from '../../ui/loading.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Status } from '../../ui/status.tsx';
import { type Notice, UndoNotice } from '../../ui/undo-notice.tsx';
import { actorOf } from '../audit/audit-texts.ts';
import { clientsQuery } from '../clients/clients-query.ts';
import { LimitsDialog, WHEN_LIMITS_APPLY } from '../clients/limits-dialog.tsx';
import { Figures } from '../figures.tsx';
import { readyQuery } from '../health/ready-query.ts';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { ClientQueues } from './client-queues.tsx';
import { firstSpan } from './first-span.ts';
import { HistoryPlots } from './history-plots.tsx';
import { SPAN_NAMES, SPANS } from './history-span.ts';
import { JobsCount } from './jobs-count.tsx';
import { slotsText, waitReason } from './wait-reason.ts';

/** Chosen once for a visit of the page, so that the plots do not change their span while they are read. */
const firstSpanQuery = queryOptions({
  queryKey: ['first span'],
  queryFn: ({ signal }) => firstSpan((span) => client.queueHistory({ span, signal })),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

const queueQuery = queryOptions({ queryKey: ['queue'], queryFn: ({ signal }) => client.queue({ signal }) });

export function QueuePage() {
  const queue = useQuery({ ...queueQuery, ...pollEvery(5) });
  const { span } = useSearch({ from: '/operate/queue' });
  const navigate = useNavigate({ from: '/operate/queue' });
  const first = useQuery(firstSpanQuery);
  const shown = span ?? (first.isError ? 'day' : first.data);
  return (
    <>
      <header className={styles.header}>
        <PageHeading>Queue</PageHeading>
        {queue.data?.pausedAt === undefined && queue.data !== undefined && <PauseButton />}
      </header>
      {queue.data?.pausedAt !== undefined && <PausedNotice queue={queue.data} since={queue.data.pausedAt} />}
      <QueryState query={queue}>{(data) => <Now queue={data} />}</QueryState>
      <section className={styles.section} aria-label="History">
        <div className={styles.header}>
          <h2>History</h2>
          <Segments
            label="How far back"
            options={SPANS.map((each) => ({ value: each, name: SPAN_NAMES[each] }))}
            value={shown}
            onChoose={(each) => void navigate({ search: { ...(each && { span: each }) }, replace: true })}
          />
        </div>
        {shown === undefined ? <Loading /> : <HistoryPlots span={shown} />}
      </section>
    </>
  );
}

/** Shows what a call has made of the queue. */
function useShown() {
  const queries = useQueryClient();
  return (changed: Queue): void => {
    queries.setQueryData(queueQuery.queryKey, changed);
    void queries.invalidateQueries({ queryKey: readyQuery.queryKey });
  };
}

function PauseButton() {
  return (
    <ConfirmButton
      label="Pause the queue"
      icon={<Pause />}
      title="Pause the queue?"
      variant="plain"
      action={() => client.pauseQueue()}
      onDone={useShown()}
    >
      <p>Until you resume the queue, no queued job starts, on any machine and even after a restart.</p>
      <p>Running jobs continue, and new jobs are accepted.</p>
    </ConfirmButton>
  );
}

/** The record of a pause is written shortly after it. */
const RECORD_MS = 60_000;

/** The record of this pause, which says who paused the queue. null: there is none yet, or none was kept. */
const pauseRecordQuery = (since: string) =>
  queryOptions({
    queryKey: ['pause', since],
    queryFn: async ({ signal }) => {
      const { records } = await client.audit({ action: 'queue.pause', outcome: 'done', limit: 1, signal });
      return records.find(({ at }) => Math.abs(Date.parse(at) - Date.parse(since)) < RECORD_MS) ?? null;
    },
    refetchInterval: ({ state: { data } }) => (data ? false : 5000),
  });

/** Says that the queue is paused, by whom, and how many jobs wait for it. Resumes it. */
function PausedNotice({ queue, since }: { readonly queue: Queue; readonly since: string }) {
  const resume = useMutation({ mutationFn: () => client.resumeQueue(), onSuccess: useShown() });
  const pause = useQuery(pauseRecordQuery(since)).data;
  const waiting = queue.queued.reduce((sum, { jobs }) => sum + jobs, 0);
  return (
    <div className={`${styles.header} ${styles.paused}`}>
      <p>
        <Status tone="paused">
          Paused{pause && ` by ${pause.client === undefined ? '' : 'the client '}${actorOf(pause)}`}{' '}
          <Moment at={since} />, until resumed
        </Status>
        .{' '}
        {waiting === 0
          ? 'No job waits.'
          : `${waiting === 1 ? '1 job waits' : `${waiting.toLocaleString()} jobs wait`}.`}{' '}
        Running jobs continue.
      </p>
      <Button variant="primary" disabled={resume.isPending} onClick={() => resume.mutate()}>
        <Play /> Resume the queue
      </Button>
      {resume.error !== null && <ProblemNotice error={resume.error} />}
    </div>
  );
}

function Now({ queue }: { readonly queue: Queue }) {
  /** The client whose limits are being changed. */
  const [limited, setLimited] = useState<string>();
  const [notice, setNotice] = useState<Notice>();
  const waiting = queue.queued.reduce((sum, { jobs }) => sum + jobs, 0);
  const running = queue.clients.reduce((sum, one) => sum + one.running, 0);
  const oldest = Math.max(0, ...queue.queued.map(({ oldestSeconds }) => oldestSeconds));
  return (
    <>
      <Figures
        figures={[
          ['Queued', <JobsCount key="queued" count={waiting} filter={{ status: 'PENDING' }} />],
          [
            'Running',
            <span key="running">
              <JobsCount count={running} filter={{ status: 'PROCESSING' }} />{' '}
              <small>{slotsText(queue.slots.total)}</small>
            </span>,
          ],
          ['Oldest queued', waiting === 0 ? 'none' : formatDuration(oldest)],
        ]}
      />
      <WhyQueued queue={queue} onLimit={setLimited} />
      <ClientQueues queue={queue} onLimit={setLimited} />
      {limited !== undefined && (
        <LimitsDialog
          clientId={limited}
          onClose={() => setLimited(undefined)}
          onChanged={() => {
            setNotice({ text: `Changed the limits of ${limited}. ${WHEN_LIMITS_APPLY}` });
            setLimited(undefined);
          }}
        />
      )}
      <Floating>
        <UndoNotice notice={notice} onClose={() => setNotice(undefined)} />
      </Floating>
    </>
  );
}

/** Why queued jobs do not run now. Nothing if no job is queued. */
function WhyQueued({ queue, onLimit }: { readonly queue: Queue; readonly onLimit: (client: string) => void }) {
  const { data } = useQuery(clientsQuery);
  const own = useMemo(
    () => new Map(data?.clients.map(({ clientId, limits }) => [clientId, limits?.['running']])),
    [data],
  );
  const reason = waitReason(queue, (client) => {
    const limit = own.get(client);
    return limit === undefined ? data?.defaultLimits['running'] : (limit ?? undefined);
  });
  if (reason === undefined) return null;
  const { text, isAboutWorkers, over, filling } = reason;
  return (
    <div className={styles.header}>
      <p className={styles.soft}>
        {text}{' '}
        {over !== undefined && (
          <>
            <Link to="/jobs" search={{ status: 'PROCESSING', client: over, previews: true }}>
              Show the running jobs of {over}
            </Link>{' '}
          </>
        )}
        {isAboutWorkers && <Link to="/operate/workers">Open the workers</Link>}
      </p>
      {filling !== undefined && (
        <Button aria-haspopup="dialog" onClick={() => onLimit(filling)}>
          Limit {filling}…
        </Button>
      )}
    </div>
  );
}
