import type { WorkerView } from '@telecine/contract/wire/workers.ts';
import type { Command } from 'commander';
import { table } from '../output/format.ts';
import { addVerb } from '../session/service-verbs.ts';

export function declare(workers: Command): void {
  addVerb(
    workers.command('list', { isDefault: true }),
    'list the workers and the jobs that they run (the default)',
    ({ client, signal }) => client.workers({ signal }),
    ({ workers: found }) => showWorkers(found),
  );
  addVerb(
    workers.command('drain <id>'),
    'let a worker take no more jobs; running ones go on',
    ({ client, signal }, id) => client.drainWorker(id, { signal }),
    (worker) => showWorkers([worker]),
  );
  addVerb(
    workers.command('resume <id>'),
    'let a drained worker take jobs again',
    ({ client, signal }, id) => client.resumeWorker(id, { signal }),
    (worker) => showWorkers([worker]),
  );
}

/** Formats a table of workers, one line each. Below a worker, each of its jobs has a line. */
const showWorkers = (workers: readonly WorkerView[]): readonly string[] => {
  if (workers.length === 0) return ['No worker reported within the last ten minutes.'];
  const rows = [HEAD, ...workers.map(row)];
  const [head = '', ...lines] = table(rows);
  return [
    head,
    ...workers.flatMap((worker, index) => [
      lines[index] ?? '',
      ...(worker.failedChecks ?? []).map(({ check, message }) => `  not ready: ${check}: ${message}`),
      ...(worker.devices ?? []).map(deviceLine),
      ...worker.jobs.map(jobLine),
      ...(worker.lastJobs ?? []).map(lastJobLine),
    ]),
  ];
};

const HEAD = ['WORKER', 'STATE', 'MACHINE', 'JOBS', 'FFMPEG', 'SANDBOX', 'VERSION', 'LAST SEEN'];

const row = (worker: WorkerView): readonly string[] => [
  worker.workerId,
  worker.state,
  `${worker.hostName} (${worker.pid})`,
  `${worker.jobs.length} of ${worker.concurrency}`,
  worker.ffmpegVersion,
  worker.sandbox,
  worker.version,
  worker.lastSeenAt.slice(0, 19).replace('T', ' '),
];

const deviceLine = ({ type, encoders, sessions }: NonNullable<WorkerView['devices']>[number]): string =>
  `  device ${type}, ${sessions} at a time: ${encoders.join(' ') || 'no encoders'}`;

const jobLine = ({ jobId, client, phase, since }: WorkerView['jobs'][number]): string =>
  `  ${jobId}  ${phase}  of ${client}${since === undefined ? '' : `, since ${since.slice(11, 19)}`}`;

const lastJobLine = ({ jobId, client, status }: NonNullable<WorkerView['lastJobs']>[number]): string =>
  `  ${jobId}  of ${client}, which it ran: now ${status === 'PENDING' ? 'queued again' : status}`;
