import type { QueueView } from '../../../wire/workers.ts';
import type { JobsFlags } from '../../session/flags.ts';
import { printResult } from '../../session/print-result.ts';

export const runStatus = (flags: JobsFlags): Promise<void> =>
  printResult(flags, (client, signal) => client.queue({ signal }), showQueue);

export const runPause = (flags: JobsFlags): Promise<void> =>
  printResult(flags, (client, signal) => client.pauseQueue({ signal }), showQueue);

export const runResume = (flags: JobsFlags): Promise<void> =>
  printResult(flags, (client, signal) => client.resumeQueue({ signal }), showQueue);

const showQueue = ({ pausedAt, queued }: QueueView): readonly string[] => [
  pausedAt === undefined ? 'The queue is running.' : `The queue is paused since ${pausedAt}.`,
  ...(queued.length === 0 ? ['No job is queued.'] : []),
  ...queued.map(
    ({ lane, jobs, oldestSeconds }) =>
      `${jobs} ${lane} ${jobs === 1 ? 'job is' : 'jobs are'} queued, the oldest for ${Math.round(oldestSeconds)} s.`,
  ),
];
