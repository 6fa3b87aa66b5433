import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { QueueHistory } from '@telecine/client';
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column';
import { client } from '../../app/client.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { codeInWords, formatDuration, SHORT_CLOCK } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { Plot } from '../../ui/plot.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { type FailureRow, failureRows } from './failure-rows.ts';
import plotStyles from './history-plots.module.css';
import type { Span } from './history-span.ts';
import { JobsCount } from './jobs-count.tsx';

const historyQuery = (span: Span) =>
  queryOptions({ queryKey: ['queue history', span], queryFn: ({ signal }) => client.queueHistory({ span, signal }) });

/** Plots of submitted, completed, failed and cancelled jobs, and of their time in the queue. */
export function HistoryPlots({ span }: { readonly span: Span }) {
  const history = useQuery({ ...historyQuery(span), ...pollEvery(15), placeholderData: keepPreviousData });
  return <QueryState query={history}>{(data) => <Plots history={data} />}</QueryState>;
}

const STEP_NAMES: Readonly<Record<number, string>> = {
  60: 'minute',
  300: '5 minutes',
  3600: 'hour',
  14400: '4 hours',
};

const WAITED = 'Time in the queue, on average';

function Plots({ history: { span, stepSeconds, points, failures } }: { readonly history: QueueHistory }) {
  if (points.every(({ accepted, completed, failed, cancelled }) => accepted + completed + failed + cancelled === 0))
    return (
      <Empty icon={ChartNoAxesColumn}>
        <p>
          <strong>No jobs in this time.</strong>
        </p>
        <p>What is submitted, completed and failed is drawn here. Another span may have some.</p>
      </Empty>
    );
  const times = points.map(({ at }) => Date.parse(at) / 1000);
  const sum = (of: (point: (typeof points)[number]) => number): string =>
    points.reduce((total, point) => total + of(point), 0).toLocaleString();
  const shared = { times, formatTime: timeFormat(span) };
  const step = STEP_NAMES[stepSeconds] ?? `${stepSeconds} s`;
  return (
    <>
      <div className={plotStyles.plots}>
        <Plot
          {...shared}
          title={`Jobs per ${step}`}
          isCount
          empty="No jobs in this time."
          series={[
            {
              name: 'Submitted',
              colour: '--running',
              shape: 'bars',
              values: points.map(({ accepted }) => accepted),
              summary: sum(({ accepted }) => accepted),
            },
            {
              name: 'Completed',
              colour: '--good',
              shape: 'bars',
              values: points.map(({ completed }) => completed),
              summary: sum(({ completed }) => completed),
            },
          ]}
        />
        <Plot
          {...shared}
          title={`Failures per ${step}`}
          isCount
          empty="Nothing failed or was cancelled in this time."
          series={[
            {
              name: 'Failed',
              colour: '--bad',
              shape: 'bars',
              values: points.map(({ failed }) => failed),
              summary: sum(({ failed }) => failed),
            },
            {
              name: 'Cancelled',
              colour: '--ink-soft',
              shape: 'bars',
              values: points.map(({ cancelled }) => cancelled),
              summary: sum(({ cancelled }) => cancelled),
            },
          ]}
        />
        <Plot
          {...shared}
          title={WAITED}
          format={formatDuration}
          isDuration
          empty="No job started in this time."
          series={[
            {
              name: WAITED,
              colour: '--paused',
              shape: 'bars',
              values: points.map(({ waitedSeconds }) => waitedSeconds ?? null),
            },
          ]}
        />
      </div>
      <p className={styles.soft}>
        Jobs of all clients, including deleted jobs. The newest point is not complete. After a crash of the service, the
        counts of up to five seconds are missing.
      </p>
      {failures.length > 0 && <FailureCodes failures={failures} />}
    </>
  );
}

/** The error codes of failed jobs by client, the most frequent first. Each is a link to its jobs. */
function FailureCodes({ failures }: Pick<QueueHistory, 'failures'>) {
  return (
    <div className={`${styles.section} ${plotStyles.failures}`}>
      <h2>Why jobs failed</h2>
      <DataTable<FailureRow>
        label="Why jobs failed"
        rows={failureRows(failures)}
        keyOf={({ key }) => key}
        empty=""
        columns={[
          {
            name: 'Failure',
            cell: ({ code, client: of }) => (
              <Link to="/jobs" search={{ status: 'FAILED', q: code, ...(of !== undefined && { client: of }) }}>
                {codeInWords(code)} <code className={styles.code}>{code}</code>
              </Link>
            ),
          },
          { name: 'Client', isPlain: true, cell: ({ client: of }) => of ?? 'deleted or older jobs' },
          {
            name: 'Jobs',
            isNumber: true,
            cell: ({ code, client: of, jobs }) =>
              of === undefined ? (
                jobs.toLocaleString()
              ) : (
                <JobsCount count={jobs} filter={{ status: 'FAILED', q: code, client: of }} />
              ),
          },
          { name: 'First', cell: ({ firstAt }) => firstAt && <Moment at={firstAt} /> },
          {
            name: 'Last',
            cell: ({ lastAt, lastJobId }) =>
              lastJobId !== undefined &&
              lastAt !== undefined && (
                <Link to="/jobs/$jobId" params={{ jobId: lastJobId }}>
                  <Moment at={lastAt} />
                </Link>
              ),
          },
        ]}
      />
    </div>
  );
}

const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });

/** Labels times of day if the plot covers a day or less, and dates otherwise. */
const timeFormat =
  (span: QueueHistory['span']) =>
  (seconds: number): string =>
    (span === 'hour' || span === 'day' ? SHORT_CLOCK : DAY).format(seconds * 1000);
