import type { Queue } from '@telecine/client';

type QueuedJobs = Queue['queued'][number];
type Lane = QueuedJobs['lane'];

/** The lanes of the queue, with their names in the table. */
export const LANES: readonly { readonly lane: Lane; readonly name: string }[] = [
  { lane: 'full', name: 'Queued conversions' },
  { lane: 'light', name: 'Queued light jobs' },
  { lane: 'fetch', name: 'Queued URL fetches' },
];

/** A row of the table: one client, or all clients. */
export interface QueueRow {
  readonly key: string;
  readonly name: string;
  /** Absent in the row for all clients. */
  readonly client?: string;
  /** The number of queued jobs in all lanes. */
  readonly queued: number;
  readonly waiting: Readonly<Partial<Record<Lane, number>>>;
  /** How long the oldest queued job waits. Absent if no job is queued. */
  readonly oldestSeconds?: number;
  readonly running: number;
}

/** A row for each client. If there are several clients, the first row is for all of them. */
export function queueRows({ queued, clients }: Pick<Queue, 'queued' | 'clients'>): readonly QueueRow[] {
  const ofClients = clients.map(({ client, queued: own, running }) => ({
    ...toRow(`client ${client}`, client, own, running),
    client,
  }));
  if (clients.length < 2) return ofClients;
  const running = clients.reduce((sum, one) => sum + one.running, 0);
  return [toRow('all', 'All clients', queued, running), ...ofClients];
}

const toRow = (key: string, name: string, queued: readonly QueuedJobs[], running: number): QueueRow => ({
  ...{ key, name, running },
  queued: queued.reduce((sum, { jobs }) => sum + jobs, 0),
  waiting: Object.fromEntries(queued.map(({ lane, jobs }) => [lane, jobs])),
  ...(queued.length > 0 && { oldestSeconds: Math.max(...queued.map(({ oldestSeconds }) => oldestSeconds)) }),
});
