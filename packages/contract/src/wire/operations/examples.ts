import type { BatchWithJobs, EndedBatch } from '../../domain/batch.ts';
import type { Job } from '../../domain/job.ts';
import { acceptedView } from '../accepted.ts';
import { endedBatchView } from '../batch.ts';
import { jobView } from '../job-view.ts';

export const EXAMPLE_JOB_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';

export const EXAMPLE_CONVERSION = {
  input: 'movies/in.mov',
  output: 'movies/out.mp4',
  format: 'mp4',
  parameters: { 'c:v': 'libx264', 'b:v': '1M', 'c:a': 'aac' },
};

const queued: Job = {
  jobId: EXAMPLE_JOB_ID,
  clientId: 'shop',
  status: 'PENDING',
  request: EXAMPLE_CONVERSION,
  attempt: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
};

const running: Job = {
  ...queued,
  status: 'PROCESSING',
  phase: 'CONVERTING',
  progress: { percent: 42.5, speed: 3.1, fps: 74, etaSeconds: 19 },
  attempt: 1,
  startedAt: '2026-01-31T12:00:01.000Z',
};

/**
 * What a job keeps at its end. The store writes the progress once more for a completed job, and leaves the last one otherwise: the failed job
 * had none, because its input could not be opened.
 */
const ended = {
  attempt: 1,
  startedAt: '2026-01-31T12:00:01.000Z',
  completedAt: '2026-01-31T12:00:35.000Z',
} as const satisfies Partial<Job>;

const STAGED = { phase: 'STAGING', startedAt: '2026-01-31T12:00:01.000Z' } as const;
const CONVERTED = { phase: 'CONVERTING', startedAt: '2026-01-31T12:00:02.000Z' } as const;

const completed: Job = {
  ...queued,
  ...ended,
  status: 'COMPLETED',
  phases: [STAGED, CONVERTED, { phase: 'PUBLISHING', startedAt: '2026-01-31T12:00:34.000Z' }],
  progress: { percent: 100 },
  outputs: [
    {
      path: 'movies/out.mp4',
      sizeBytes: 13_400_512,
      durationSeconds: 104.5,
      streams: [{ index: 0, type: 'video', codec: 'h264', width: 1280, height: 720, fps: 24 }],
    },
  ],
};

const failed: Job = {
  ...queued,
  ...ended,
  status: 'FAILED',
  phases: [STAGED, CONVERTED],
  error: {
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input "movies/in.mov": it is damaged or not a supported media file.',
    fix: 'Check that the file plays and is complete.',
  },
};

const cancelled: Job = {
  ...queued,
  ...ended,
  status: 'CANCELLED',
  phases: [STAGED, CONVERTED],
  progress: { percent: 42.5, speed: 3.1, fps: 74, etaSeconds: 19 },
  cancelRequestedAt: '2026-01-31T12:00:34.000Z',
};

/** The view of a job as JSON, without undefined fields. */
const exampleOf = (job: Job): unknown => JSON.parse(JSON.stringify(jobView(job)));

export const ACCEPTED_EXAMPLE = acceptedView(queued);
export const RUNNING_EXAMPLE = exampleOf(running);
export const COMPLETED_EXAMPLE = exampleOf(completed);
export const CANCELLED_EXAMPLE = exampleOf({ ...running, cancelRequestedAt: '2026-01-31T12:00:10.000Z' });

/** Jobs as the events of their ends show them. Built when the OpenAPI document is, and not at each start. */
export const endedExamples = () => ({
  completed: COMPLETED_EXAMPLE,
  failed: exampleOf(failed),
  cancelled: exampleOf(cancelled),
});

export const EXAMPLE_BATCH_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e00';

export const EXAMPLE_BATCH: BatchWithJobs = {
  batchId: EXAMPLE_BATCH_ID,
  clientId: 'shop',
  createdAt: '2026-01-31T12:00:00.000Z',
  size: 1,
  jobs: [{ ...queued, batchId: EXAMPLE_BATCH_ID, name: 'film' }],
};

const endedBatch = (job: Job): unknown => {
  const batch: EndedBatch = { ...EXAMPLE_BATCH, jobs: [{ ...job, name: 'film' }] };
  return JSON.parse(JSON.stringify(endedBatchView(batch)));
};

/** Returns the finished batches of the example events. A function, as `endedExamples` is. */
export const endedBatchExamples = () => ({
  completed: endedBatch(completed),
  failed: endedBatch(failed),
  cancelled: endedBatch(cancelled),
});

export const EXAMPLE_WATCH_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16';

/** A file whose only job has failed. */
export const EXAMPLE_WATCHED_FILE = {
  path: 'in/take 1.mov',
  sizeBytes: 10_485_760,
  state: 'NEEDS_ATTENTION',
  jobId: EXAMPLE_JOB_ID,
  attempts: 1,
  failure: {
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input "in/take 1.mov": it is damaged or not a supported media file.',
    fix: 'Check that the file plays and is complete.',
  },
  seenAt: '2026-01-31T12:00:05.000Z',
  changedAt: '2026-01-31T12:00:35.000Z',
};
