import { Problem } from '@telecine/contract/domain/problem.ts';
import { auditView } from '@telecine/contract/wire/audit.ts';
import { isUuid } from '@telecine/contract/wire/job-id.ts';
import type {
  AUDIT_OPERATIONS,
  USAGE_OPERATIONS,
  WORKER_OPERATIONS,
} from '@telecine/contract/wire/operations/administration.ts';
import { readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import type { QueueView, WorkerView } from '@telecine/contract/wire/workers.ts';
import type { QueueStatus, WorkerStatus } from '../../workers/worker-operations.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
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

const queueView = ({ pausedAt, queued, clients, slots }: QueueStatus): QueueView => ({
  state: pausedAt === undefined ? 'running' : 'paused',
  pausedAt,
  queued: [...queued],
  clients: clients.map((one) => ({ client: one.clientId, queued: [...one.queued], running: one.running })),
  slots: { ...slots },
});

const workerView = (worker: WorkerStatus): WorkerView => ({
  workerId: worker.workerId,
  state: worker.state,
  failedChecks: worker.failedChecks?.map(({ check, message }) => ({ check, message })),
  hostName: worker.hostName,
  pid: worker.pid,
  version: worker.version,
  ffmpegVersion: worker.ffmpegVersion,
  sandbox: worker.sandbox,
  concurrency: worker.concurrency,
  processors: worker.processors,
  machine: worker.machine?.id,
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
  lastJobs: worker.lastJobs?.map(({ jobId, clientId, status }) => ({ jobId, client: clientId, status })),
});

export const usageHandlers = ({ jobs }: HttpDeps): Handlers<typeof USAGE_OPERATIONS> => ({
  getUsage: async (request) => {
    const { clientId, day, resetsAt, slots, quotas } = await jobs.usage(callerOf(request), request.query.client);
    return { client: clientId, day, resetsAt, slots, quotas: [...quotas] };
  },
  listUsage: async ({ query }) => {
    const { clients, ...usage } = await jobs.usageOfAll(query);
    return { ...usage, clients: clients.map(({ clientId, ...one }) => ({ client: clientId, ...one })) };
  },
  listLargestFiles: async (request, reply) => {
    const { clientId, largestFolders, largestFiles, ...sum } = await jobs.largestFiles(
      callerOf(request),
      request.query,
      hangUpSignal(reply),
    );
    return {
      client: clientId,
      ...sum,
      largestFolders: [...largestFolders],
      largestFiles: largestFiles.map(({ path, bytes }) => ({ path, bytes })),
    };
  },
});

export const auditHandlers = ({ audit }: HttpDeps): Handlers<typeof AUDIT_OPERATIONS> => ({
  listAudit: async ({ query: { client, cursor, ...query } }) => {
    const { records, next } = await audit.list({
      ...query,
      ...(client !== undefined && { clientId: client }),
      ...(cursor !== undefined && { after: readCursor(cursor) }),
    });
    return {
      records: records.map(auditView),
      nextCursor: next === undefined ? undefined : writeCursor(next),
    };
  },
});
