import { z } from 'zod';
import { DEVICE_TYPES } from '../domain/devices.ts';
import { LANES } from '../domain/lane.ts';
import { JOB_PHASES, JOB_STATUSES } from '../domain/states.ts';
import { choice, count, integer, list, number, text } from './described-schemas.ts';
import { jobId } from './job-id.ts';
import type { Shape } from './shape.ts';

export const workerId = z.uuid().meta({
  description: 'The id of a worker. Each process that runs jobs has its own.',
  examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11'],
});

const moment = (description: string) => z.iso.datetime().meta({ description });

const queuedJobs = z.array(
  z.object({
    lane: choice(
      LANES,
      '`light`: thumbnails, copies, audio files and measurements, for which each worker has room besides its slots. `fetch`: ' +
        'jobs with inputs at URLs, which use no slot until these are fetched.',
    ),
    jobs: z.int().nonnegative(),
    oldestSeconds: number('How long the oldest job is queued.').nonnegative(),
  }),
);

export const queueSchema = z
  .object({
    state: choice(['running', 'paused'], '`paused`: no queued job starts.'),
    pausedAt: moment('When an operator paused the queue.').optional(),
    queued: queuedJobs.meta({ description: 'The queued jobs by lane. Lanes without jobs are absent.' }),
    clients: z
      .array(
        z.object({
          client: z.string(),
          queued: queuedJobs.meta({ description: 'Its queued jobs by lane.' }),
          running: count('How many of its jobs run.'),
        }),
      )
      .meta({ description: 'The 100 clients with the most queued jobs, then clients with running jobs.' }),
    slots: z
      .object({
        total: count(
          'How many ordinary conversions can run at the same time: the slots of all workers that take jobs.',
        ),
        used: number(
          'How many slots were in use when the workers last reported. A job can use more or less than one; `light` jobs run ' +
            'beside them.',
        ).nonnegative(),
      })
      .meta({ description: 'The slots of the workers. If all are in use, queued jobs wait for one.' }),
  })
  .meta({ id: 'Queue', description: 'The queue of all workers.' });

export const queueHistoryQuery = z.strictObject({
  span: choice(
    ['hour', 'day', 'week', 'month'],
    'The time to show, in steps of a minute, five minutes, an hour or four hours.',
  ).default('day'),
});

export const queueHistorySchema = z
  .object({
    span: z.enum(['hour', 'day', 'week', 'month']),
    stepSeconds: integer('The length of a step.').positive(),
    points: z
      .array(
        z.object({
          at: moment('When the step began.'),
          accepted: count('Jobs that were submitted.'),
          started: count('Jobs whose first attempt began.'),
          completed: count('Jobs that were completed.'),
          failed: count('Jobs that failed.'),
          cancelled: count('Jobs that were cancelled.'),
          waitedSeconds: number('How long the started jobs were queued, on average. Absent if no job started.')
            .nonnegative()
            .optional(),
        }),
      )
      .meta({
        description: 'A point for each step, oldest first, also if nothing happened. The last step has not ended.',
      }),
    failures: list(
      z.object({
        code: z.string(),
        jobs: z.int().positive(),
        clients: list(
          z.object({
            client: z.string(),
            jobs: z.int().positive(),
            firstAt: moment('When the first of them failed.'),
            lastAt: moment('When the last of them failed.'),
            lastJobId: jobId,
          }),
          'The clients of these jobs, first the one with the most. Counts the jobs that still exist, of the 1,000 failed jobs that ' +
            'were submitted last, so their sum can be less than `jobs`.',
        ),
      }),
      'Why jobs failed, the most frequent reason first.',
    ),
  })
  .meta({ id: 'QueueHistory', description: 'How many jobs of all clients were accepted, started and ended.' });

export const workerSchema = z
  .object({
    workerId,
    state: choice(
      ['running', 'draining', 'drained', 'unready', 'stopped', 'lost'],
      '`draining`: it takes no more jobs and still runs some. `drained`: an operator drained it, and it runs no job. `unready`: ' +
        'it takes no jobs until its `failedChecks` pass. `stopped`: its process ended. `lost`: it no longer reports.',
    ),
    failedChecks: z
      .array(
        z.object({
          check: text('The name of the check in `/ready` of the worker.', 'disk'),
          message: text('What is wrong, and what to do.'),
        }),
      )
      .optional()
      .meta({ description: 'The checks of its machine that fail. Absent if there are none.' }),
    hostName: z.string(),
    pid: z.int(),
    version: text('The version of Telecine.'),
    ffmpegVersion: z.string(),
    sandbox: z.enum(['bubblewrap', 'landlock', 'none']),
    concurrency: integer('How many ordinary conversions it runs at the same time.').positive(),
    processors: integer('How many processors it may use.').positive(),
    machine: text(
      'The machine on which it runs, as a hash that changes when the machine restarts. Workers on one machine share its processors. ' +
        'Absent if unknown.',
    ).optional(),
    devices: z
      .array(
        z.object({
          type: z.enum(DEVICE_TYPES),
          encoders: list(z.string(), 'The encoders that worked on it when the worker started.'),
          sessions: integer('How many conversions use it at the same time.').positive(),
        }),
      )
      .optional()
      .meta({ description: 'The hardware devices that the operator allows and that work. Absent without devices.' }),
    freeScratchBytes: count('The free bytes on the fullest disk for conversions. Absent if unknown.').optional(),
    startedAt: moment('When it first reported.'),
    lastSeenAt: moment('When it last reported. It reports every few seconds.'),
    drainRequestedAt: moment('When an operator drained it.').optional(),
    jobs: z
      .array(
        z.object({
          jobId,
          client: z.string(),
          phase: z.enum(JOB_PHASES),
          since: moment('When the worker took the job.').optional(),
        }),
      )
      .meta({ description: 'The jobs that it runs.' }),
    lastJobs: z
      .array(z.object({ jobId, client: z.string(), status: z.enum(JOB_STATUSES) }))
      .optional()
      .meta({
        description:
          'Only for a lost worker: the jobs that it ran when it last reported, with the status that they have now. A job that is ' +
          '`PENDING` is queued again. Deleted jobs are left out.',
      }),
  })
  .meta({ id: 'Worker', description: 'A process that runs jobs.' });

export const workerListSchema = z.object({ workers: z.array(workerSchema) }).meta({
  id: 'WorkerList',
  description: 'The workers that were seen within the last ten minutes or lost within the last day, oldest first.',
});

export type QueueView = Shape<typeof queueSchema>;
export type WorkerView = Shape<typeof workerSchema>;
export type WorkerListView = Shape<typeof workerListSchema>;
