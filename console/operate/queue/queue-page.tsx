import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Queue } from '@telecine/client';
import { client } from '../../app/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { formatDuration, formatMoment } from '../../ui/format.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Figures } from '../figures.tsx';
import { readyQuery } from '../health/ready-query.ts';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { State } from '../state.tsx';
import { ClientQueues } from './client-queues.tsx';
import { HistoryPlots } from './history-plots.tsx';
import { SPAN_NAMES, SPANS } from './history-span.ts';
import { JobsCount } from './jobs-count.tsx';

const queueQuery = queryOptions({ queryKey: ['queue'], queryFn: ({ signal }) => client.queue({ signal }) });

export function QueuePage() {
  const queue = useQuery({ ...queueQuery, ...pollEvery(5) });
  const { span } = useSearch({ from: '/operate/queue' });
  const navigate = useNavigate({ from: '/operate/queue' });
  const isShown = (each: (typeof SPANS)[number]): boolean => each === (span ?? 'hour');
  return (
    <>
      <header className={styles.header}>
        <PageHeading>Queue</PageHeading>
        {queue.data !== undefined && <PauseControl queue={queue.data} />}
      </header>
      <QueryState query={queue}>{(data) => <Now queue={data} />}</QueryState>
      <section className={styles.section} aria-label="History">
        <div className={styles.header}>
          <h2>History</h2>
          <div role="group" aria-label="How far back" className={styles.actions}>
            {SPANS.map((each) => (
              <Button
                key={each}
                variant="quiet"
                aria-pressed={isShown(each)}
                onClick={() => void navigate({ search: { span: each }, replace: true })}
              >
                {SPAN_NAMES[each]}
              </Button>
            ))}
          </div>
        </div>
        <HistoryPlots span={span ?? 'hour'} />
      </section>
    </>
  );
}

function PauseControl({ queue }: { readonly queue: Queue }) {
  const queries = useQueryClient();
  const show = (changed: Queue) => {
    queries.setQueryData(queueQuery.queryKey, changed);
    void queries.invalidateQueries({ queryKey: readyQuery.queryKey });
  };
  const resume = useMutation({ mutationFn: () => client.resumeQueue(), onSuccess: show });
  if (queue.pausedAt === undefined)
    return (
      <div className={styles.actions}>
        <State tone="good">Running</State>
        <ConfirmButton
          label="Pause the queue"
          title="Pause the queue?"
          variant="plain"
          action={() => client.pauseQueue()}
          onDone={show}
        >
          <p>Until you resume the queue, no queued job starts, on any machine and even after a restart.</p>
          <p>Running jobs continue, and new jobs are accepted.</p>
        </ConfirmButton>
      </div>
    );
  return (
    <div className={styles.actions}>
      <State tone="live">Paused since {formatMoment(queue.pausedAt)}</State>
      <Button variant="primary" disabled={resume.isPending} onClick={() => resume.mutate()}>
        Resume the queue
      </Button>
      {resume.error !== null && <ProblemNotice error={resume.error} />}
    </div>
  );
}

function Now({ queue }: { readonly queue: Queue }) {
  const waiting = queue.queued.reduce((sum, { jobs }) => sum + jobs, 0);
  const running = queue.clients.reduce((sum, one) => sum + one.running, 0);
  const oldest = Math.max(0, ...queue.queued.map(({ oldestSeconds }) => oldestSeconds));
  return (
    <>
      <Figures
        figures={[
          ['Queued', <JobsCount key="queued" count={waiting} filter={{ status: 'PENDING' }} />],
          ['Running', <JobsCount key="running" count={running} filter={{ status: 'PROCESSING' }} />],
          ['Oldest in the queue', waiting === 0 ? '–' : formatDuration(oldest)],
        ]}
      />
      <ClientQueues queue={queue} />
    </>
  );
}
