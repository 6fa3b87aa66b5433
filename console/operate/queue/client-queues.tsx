import { Link } from '@tanstack/react-router';
import type { Queue } from '@telecine/client';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Floating } from '../../ui/floating.tsx';
import { formatDuration } from '../../ui/format.ts';
import { type Notice, UndoNotice } from '../../ui/undo-notice.tsx';
import { LimitsDialog, WHEN_LIMITS_APPLY } from '../clients/limits-dialog.tsx';
import styles from '../operate-page.module.css';
import { JobsCount } from './jobs-count.tsx';
import { LANES, type QueueRow, queueRows } from './queue-rows.ts';

/** The number of queued and running jobs of each client, by lane. */
export function ClientQueues({ queue }: { readonly queue: Queue }) {
  const rows = queueRows(queue);
  const [limited, setLimited] = useState<string>();
  const [notice, setNotice] = useState<Notice>();
  // Columns without a value say nothing, and the only lane has all queued jobs.
  const used = LANES.filter(({ lane }) => rows.some(({ waiting }) => waiting[lane] !== undefined));
  const lanes = used.length > 1 ? used : [];
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
          {
            name: '',
            cell: ({ client }) =>
              client !== undefined && (
                <Button
                  variant="quiet"
                  aria-label={`Limits of ${client}`}
                  aria-haspopup="dialog"
                  onClick={() => setLimited(client)}
                >
                  Limits…
                </Button>
              ),
          },
        ]}
      />
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
    </section>
  );
}
