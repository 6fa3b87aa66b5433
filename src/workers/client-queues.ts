import type { ClientQueue, QueuedJobs } from './operations.ts';
import type { RunningJob } from './ports.ts';

/** The queued jobs of one client in one lane. */
export interface QueuedOfClient extends QueuedJobs {
  readonly clientId: string;
}

/** The most clients that are shown. */
const SHOWN_CLIENTS = 100;

/** Adds up the queued jobs of all clients by lane. Pure. */
export function queuedByLane(queued: readonly QueuedOfClient[]): readonly QueuedJobs[] {
  return [...Map.groupBy(queued, ({ lane }) => lane)].map(([lane, ofClients]) => ({
    lane,
    jobs: sumOf(ofClients),
    oldestSeconds: Math.max(...ofClients.map(({ oldestSeconds }) => oldestSeconds)),
  }));
}

/** What each client has in the queue, those with the most queued jobs first. Pure. */
export function queuesByClient(
  queued: readonly QueuedOfClient[],
  running: readonly Pick<RunningJob, 'clientId'>[],
): readonly ClientQueue[] {
  const queuedOf = Map.groupBy(queued, ({ clientId }) => clientId);
  const runningOf = Map.groupBy(running, ({ clientId }) => clientId);
  const total = ({ queued: lanes }: ClientQueue): number => sumOf(lanes);
  return [...new Set([...queuedOf.keys(), ...runningOf.keys()])]
    .map((clientId) => ({
      clientId,
      queued: (queuedOf.get(clientId) ?? []).map(({ lane, jobs, oldestSeconds }) => ({ lane, jobs, oldestSeconds })),
      running: runningOf.get(clientId)?.length ?? 0,
    }))
    .toSorted((a, b) => total(b) - total(a) || b.running - a.running || (a.clientId < b.clientId ? -1 : 1))
    .slice(0, SHOWN_CLIENTS);
}

const sumOf = (queued: readonly { readonly jobs: number }[]): number => queued.reduce((sum, { jobs }) => sum + jobs, 0);
