import type { QueueView } from '@telecine/contract/wire/workers.ts';
import type { Command } from 'commander';
import { addVerb } from '../session/service-verbs.ts';

export function declare(queue: Command): void {
  addVerb(
    queue.command('status', { isDefault: true }),
    'show whether the queue is paused, and how many jobs are queued (the default)',
    ({ client, signal }) => client.queue({ signal }),
    showQueue,
  );
  addVerb(
    queue.command('pause'),
    'start no more jobs; jobs are still accepted, and running ones go on',
    ({ client, signal }) => client.pauseQueue({ signal }),
    showQueue,
  );
  addVerb(
    queue.command('resume'),
    'start jobs again',
    ({ client, signal }) => client.resumeQueue({ signal }),
    showQueue,
  );
}

const showQueue = ({ pausedAt, queued, slots }: QueueView): readonly string[] => [
  pausedAt === undefined ? 'The queue is running.' : `The queue is paused since ${pausedAt}.`,
  `${Number(slots.used.toPrecision(2))} of ${slots.total} slots are in use.`,
  ...(queued.length === 0 ? ['No job is queued.'] : []),
  ...queued.map(
    ({ lane, jobs, oldestSeconds }) =>
      `${jobs} ${lane} ${jobs === 1 ? 'job is' : 'jobs are'} queued, the oldest for ${Math.round(oldestSeconds)} s.`,
  ),
];
