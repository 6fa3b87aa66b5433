import { Problem } from '../../domain/problem.ts';
import { isUuid } from '../../wire/job-id.ts';
import type { WORKER_OPERATIONS } from '../../wire/operations/workers.ts';
import type { QueueView, WorkerView } from '../../wire/workers.ts';
import type { QueueStatus, WorkerStatus } from '../../workers/worker-operations.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const workerHandlers = ({ workers, history }: HttpDeps): Handlers<typeof WORKER_OPERATIONS> => ({
  getQueue: async () => queueView(await workers.queue()),
  pauseQueue: async () => queueView(await workers.pauseQueue()),
  resumeQueue: async () => queueView(await workers.resumeQueue()),
  getQueueHistory: async ({ query }) => {
    const { points, failures, ...more } = await history(query.span);
    return { ...more, points: [...points], failures: [...failures] };
  },
  listWorkers: async () => ({ workers: (await workers.list()).map(workerView) }),
  drainWorker: async (request) => workerView(await workers.drain(parseWorkerId(request.params.workerId))),
  resumeWorker: async (request) => workerView(await workers.resume(parseWorkerId(request.params.workerId))),
});

function parseWorkerId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new Problem('WORKER_NOT_FOUND', 'Unknown worker: worker ids are UUIDs.');
}

const queueView = ({ pausedAt, queued, clients }: QueueStatus): QueueView => ({
  state: pausedAt === undefined ? 'running' : 'paused',
  pausedAt,
  queued: [...queued],
  clients: clients.map((one) => ({ client: one.clientId, queued: [...one.queued], running: one.running })),
});

const workerView = (worker: WorkerStatus): WorkerView => ({
  workerId: worker.workerId,
  state: worker.state,
  hostName: worker.hostName,
  pid: worker.pid,
  version: worker.version,
  ffmpegVersion: worker.ffmpegVersion,
  sandbox: worker.sandbox,
  concurrency: worker.concurrency,
  processors: worker.processors,
  devices: worker.devices?.map(({ type, encoders, sessions }) => ({ type, encoders: [...encoders], sessions })),
  freeScratchBytes: worker.freeScratchBytes < 0 ? undefined : worker.freeScratchBytes,
  startedAt: worker.startedAt,
  lastSeenAt: worker.lastSeenAt,
  drainRequestedAt: worker.drainRequestedAt,
  jobs: worker.jobs.map(({ jobId, clientId, phase, claimedAt }) => ({
    jobId,
    client: clientId,
    phase,
    since: claimedAt,
  })),
});
