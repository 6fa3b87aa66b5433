import { Link } from '@tanstack/react-router';
import type { Queue } from '@telecine/client';
import { DataTable } from '../../ui/data-table.tsx';
import { formatDuration } from '../../ui/format.ts';
import styles from '../operate-page.module.css';
import { JobsCount } from './jobs-count.tsx';
import { LANES, type QueueRow, queueRows } from './queue-rows.ts';

/** The number of queued and running jobs of each client, by lane. */
export function ClientQueues({ queue }: { readonly queue: Queue }) {
  const rows = queueRows(queue);
  // Columns without a value say nothing.
  const lanes = LANES.filter(({ lane }) => rows.some(({ waiting }) => waiting[lane] !== undefined));
  const hasQueued = rows.some(({ oldestSeconds }) => oldestSeconds !== undefined);
  const [only, ...others] = rows;
  // A table of one row would repeat the figures above it.
  if (only === undefined) return <p className={styles.soft}>No job is queued or running.</p>;
  if (others.length === 0 && !hasQueued && only.client !== undefined)
    return (
      <p className={styles.soft}>
        {only.running === 1 ? 'The running job belongs to ' : 'All running jobs belong to '}
        <Link to="/jobs" search={{ client: only.client }}>
          {only.client}
        </Link>
        .
      </p>
    );
  return (
    <section className={styles.section}>
      <h2>By client</h2>
      <DataTable<QueueRow>
        label="The queue by client"
        rows={rows}
        keyOf={({ key }) => key}
        empty=""
        columns={[
          {
            name: 'Client',
            cell: ({ name, client }) =>
              client === undefined ? (
                name
              ) : (
                <Link to="/jobs" search={{ client }}>
                  {name}
                </Link>
              ),
          },
          {
            name: 'Queued',
            isNumber: true,
            cell: ({ queued, client }) => <JobsCount count={queued} filter={{ status: 'PENDING', client }} />,
          },
          ...lanes.map(({ lane, name }) => ({
            name,
            isNumber: true,
            cell: ({ waiting }: QueueRow) => waiting[lane]?.toLocaleString(),
          })),
          ...(hasQueued
            ? [
                {
                  name: 'Oldest queued',
                  isNumber: true,
                  cell: ({ oldestSeconds }: QueueRow) => oldestSeconds !== undefined && formatDuration(oldestSeconds),
                },
              ]
            : []),
          {
            name: 'Running',
            isNumber: true,
            cell: ({ running, client }) => <JobsCount count={running} filter={{ status: 'PROCESSING', client }} />,
          },
        ]}
      />
    </section>
  );
}
