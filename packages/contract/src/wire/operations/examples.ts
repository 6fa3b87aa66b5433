import type { BatchWithJobs } from '../../domain/batch.ts';
import type { Job } from '../../domain/job.ts';
import { acceptedView } from '../accepted.ts';
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

/** The view of a job as JSON, without undefined fields. */
const exampleOf = (job: Job): unknown => JSON.parse(JSON.stringify(jobView(job)));

export const ACCEPTED_EXAMPLE = acceptedView(queued);
export const RUNNING_EXAMPLE = exampleOf(running);
export const COMPLETED_EXAMPLE = exampleOf(completed);
export const CANCELLED_EXAMPLE = exampleOf({ ...running, cancelRequestedAt: '2026-01-31T12:00:10.000Z' });

export const EXAMPLE_BATCH_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e00';

export const EXAMPLE_BATCH: BatchWithJobs = {
  batchId: EXAMPLE_BATCH_ID,
  clientId: 'admin',
  createdAt: '2026-01-31T12:00:00.000Z',
  size: 1,
  jobs: [{ ...queued, batchId: EXAMPLE_BATCH_ID, name: 'film' }],
};
