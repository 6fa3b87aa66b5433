import type { Job } from '../../domain/job.ts';
import { acceptedView } from '../../wire/accepted.ts';
import { jobView } from '../../wire/job-view.ts';

const ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';

export const conversion = {
  input: 'movies/in.mov',
  output: 'movies/out.mp4',
  format: 'mp4',
  parameters: { 'c:v': 'libx264', 'b:v': '1M', 'c:a': 'aac' },
};

const queued: Job = {
  jobId: ID,
  clientId: 'admin',
  status: 'PENDING',
  request: conversion,
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

const complete: Job = {
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

/** Examples of the contract, made by the same views as the answers themselves. */
export const acceptedExample = acceptedView(queued);
/** As JSON writes it: without the members that are undefined. */
const written = (job: Job): unknown => JSON.parse(JSON.stringify(jobView(job)));
export const runningExample = written(running);
export const completeExample = written(complete);
export const cancelledExample = written({ ...running, cancelRequestedAt: '2026-01-31T12:00:10.000Z' });
