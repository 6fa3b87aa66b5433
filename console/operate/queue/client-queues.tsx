import { Link } from '@tanstack/react-router';
import type { Queue } from '@telecine/client';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { countText, formatDuration } from '../../ui/format.ts';
import styles from '../operate-page.module.css';
import { JobsCount } from './jobs-count.tsx';
import { LANES, type QueueRow, queueRows } from './queue-rows.ts';

/** The number of queued and running jobs of each client, by lane. */
export function ClientQueues({
  queue,
  onLimit,
}: {
  readonly queue: Queue;
  /** The user wants to change the limits of a client. */
  readonly onLimit: (client: string) => void;
}) {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const unseen = queue.clients.flatMap(({ client }) => (seen.includes(client) ? [] : client));
  if (unseen.length > 0) setSeen([...seen, ...unseen]);
  const served = seen.filter((client) => queue.clients.every((one) => one.client !== client));
  const rows = queueRows({
    ...queue,
    // A row that went with its last job would look as if the client had been left out.
    clients: [...queue.clients, ...served.map((client) => ({ client, queued: [], running: 0 }))],
  });
  // Columns without a value say nothing, and the only lane has all queued jobs.
  const used = LANES.filter(({ lane }) => rows.some(({ waiting }) => waiting[lane] !== undefined));
  const lanes = used.length > 1 ? used : [];
  const hasQueued = rows.some(({ oldestSeconds }) => oldestSeconds !== undefined);
  const [only, ...others] = rows;
  // A table of one row would repeat the figures above it.
  if (only === undefined || queue.clients.length === 0)
    return <p className={styles.soft}>No job is queued or running.</p>;
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
          {
            name: '',
            cell: ({ client }) =>
              client !== undefined && (
                <Button
                  variant="quiet"
                  aria-label={`Limits of ${client}`}
                  aria-haspopup="dialog"
                  onClick={() => onLimit(client)}
                >
                  Limits…
                </Button>
              ),
          },
        ]}
      />
      {served.length > 0 && (
        <p className={styles.soft}>
          {countText(served.length, 'client')} without jobs {served.length === 1 ? 'is' : 'are'} still listed, because{' '}
          {served.length === 1 ? 'its' : 'their'} jobs have ended since you opened this page.
        </p>
      )}
    </section>
  );
}
