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
  return (
    <section className={styles.section}>
      <h2>By client</h2>
      <DataTable<QueueRow>
        label="The queue by client"
        rows={rows}
        keyOf={({ key }) => key}
        empty="No job is queued or running."
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
            cell: ({ queued, client }) =>
              queued > 0 && <JobsCount count={queued} filter={{ status: 'PENDING', client }} />,
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
            cell: ({ running, client }) =>
              running > 0 && <JobsCount count={running} filter={{ status: 'PROCESSING', client }} />,
          },
        ]}
      />
    </section>
  );
}
