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
  clientId: 'admin',
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

const completed: Job = {
  ...running,
  status: 'COMPLETED',
  completedAt: '2026-01-31T12:00:35.000Z',
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
  ...running,
  status: 'FAILED',
  completedAt: '2026-01-31T12:00:35.000Z',
  error: { code: 'INPUT_INVALID', message: 'Input "movies/in.mov" is damaged.' },
};

const cancelled: Job = { ...running, status: 'CANCELLED', completedAt: '2026-01-31T12:00:35.000Z' };

/** The view of a job as JSON, without undefined fields. */
const exampleOf = (job: Job): unknown => JSON.parse(JSON.stringify(jobView(job)));

export const ACCEPTED_EXAMPLE = acceptedView(queued);
export const RUNNING_EXAMPLE = exampleOf(running);
export const COMPLETED_EXAMPLE = exampleOf(completed);
export const CANCELLED_EXAMPLE = exampleOf({ ...running, cancelRequestedAt: '2026-01-31T12:00:10.000Z' });

/** Jobs as the events of their ends show them. */
export const ENDED_EXAMPLES = {
  completed: COMPLETED_EXAMPLE,
  failed: exampleOf(failed),
  cancelled: exampleOf(cancelled),
} as const;

export const EXAMPLE_BATCH_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e00';

export const EXAMPLE_BATCH: BatchWithJobs = {
  batchId: EXAMPLE_BATCH_ID,
  clientId: 'admin',
  createdAt: '2026-01-31T12:00:00.000Z',
  size: 1,
  jobs: [{ ...queued, batchId: EXAMPLE_BATCH_ID, name: 'film' }],
};

const endedBatch = (job: Job): unknown => {
  const batch: EndedBatch = { ...EXAMPLE_BATCH, jobs: [{ ...job, name: 'film' }] };
  return JSON.parse(JSON.stringify(endedBatchView(batch)));
};

/** Batches as the events of their ends show them. */
export const ENDED_BATCH_EXAMPLES = {
  completed: endedBatch(completed),
  failed: endedBatch(failed),
  cancelled: endedBatch(cancelled),
} as const;
