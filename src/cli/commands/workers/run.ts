import { plainText } from '../../../domain/text-validation.ts';
import type { WorkerView } from '../../../wire/workers.ts';
import { table } from '../../output/table.ts';
import type { JobsFlags } from '../../session/flags.ts';
import { printResult } from '../../session/print-result.ts';

export const runList = (flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.workers({ signal }),
    ({ workers }) => showWorkers(workers),
  );

export const runDrain = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.drainWorker(id, { signal }),
    (worker) => showWorkers([worker]),
  );

export const runResume = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.resumeWorker(id, { signal }),
    (worker) => showWorkers([worker]),
  );

/** A table of the workers, one line each, with a line below it for each job. */
const showWorkers = (workers: readonly WorkerView[]): readonly string[] => {
  if (workers.length === 0) return ['No worker reported within the last ten minutes.'];
  const rows = [HEAD, ...workers.map(row)];
  const [head = '', ...lines] = table(rows).map(plainText);
  return [
    head,
    ...workers.flatMap((worker, index) => [
      lines[index] ?? '',
      ...(worker.devices ?? []).map(deviceLine),
      ...worker.jobs.map(jobLine),
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
  plainText(`  device ${type}, ${sessions} at a time: ${encoders.join(' ') || 'no encoders'}`);

const jobLine = ({ jobId, client, phase, since }: WorkerView['jobs'][number]): string =>
  plainText(`  ${jobId}  ${phase}  of ${client}${since === undefined ? '' : `, since ${since.slice(11, 19)}`}`);
