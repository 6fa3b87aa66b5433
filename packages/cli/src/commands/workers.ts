import type { WorkerView } from '@telecine/contract/wire/workers.ts';
import type { Command } from 'commander';
import { listLines, valueText } from '../output/result-lines.ts';
import { addOperationVerbs } from '../session/operation-verbs.ts';

export const declare = (workers: Command): void =>
  addOperationVerbs(workers, {
    listWorkers: { show: (reply) => showWorkers(reply.workers) },
    drainWorker: { show: (worker) => showWorkers([worker]) },
    resumeWorker: { show: (worker) => showWorkers([worker]) },
  });

/** Formats a table of workers, one line each. Below a worker, each of its failed checks, devices and jobs has a line. */
function showWorkers(workers: readonly WorkerView[]): readonly string[] {
  const [head = '', ...lines] = listLines(
    workers,
    [
      ...(['workerId', 'state'] as const),
      ['MACHINE', ({ hostName, pid }) => `${hostName} (${pid})`],
      ['JOBS', ({ jobs, concurrency }) => `${jobs.length} of ${concurrency}`],
      ...(['ffmpegVersion', 'sandbox', 'version', 'lastSeenAt'] as const),
    ],
    'No worker reported within the last ten minutes.',
  );
  return [head, ...workers.flatMap((worker, index) => [lines[index] ?? '', ...details(worker)])];
}

const details = ({ failedChecks = [], devices = [], jobs, lastJobs = [] }: WorkerView): readonly string[] => [
  ...failedChecks.map((one) => `  not ready: ${valueText(one)}`),
  ...devices.map((one) => `  device: ${valueText(one)}`),
  ...jobs.map((one) => `  runs ${valueText(one)}`),
  ...lastJobs.map((one) => `  ran ${valueText(one)}`),
];
