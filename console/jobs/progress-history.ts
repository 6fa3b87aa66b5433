import type { Job } from '@telecine/client';
import { useState } from 'react';
import { isTimeLeftVague } from './progress-text.ts';

export interface ProgressSample {
  /** In seconds since 1970. */
  readonly at: number;
  readonly percent: number | null;
  readonly speed: number | null;
  /** null: unknown, or too uncertain to show. */
  readonly etaSeconds: number | null;
}

/**
 * The maximum number of samples. When it is reached, every second sample is dropped, so that a long conversion needs no more points than a
 * short one.
 */
const MAX_SAMPLES = 600;

/** Adds the current progress of a job if it has changed. A new attempt clears the samples. */
export function addSample(
  samples: readonly ProgressSample[],
  { status, phase, progress, speed, etaSeconds }: Pick<Job, 'status' | 'phase' | 'progress' | 'speed' | 'etaSeconds'>,
  nowMs: number,
): readonly ProgressSample[] {
  if (status === 'PENDING') return samples.length === 0 ? samples : [];
  if (status !== 'PROCESSING' || phase !== 'CONVERTING' || (progress === undefined && speed === undefined))
    return samples;
  const last = samples.at(-1);
  const sample = {
    at: nowMs / 1000,
    percent: progress ?? null,
    speed: speed ?? null,
    etaSeconds: isTimeLeftVague(progress ?? 0) ? null : (etaSeconds ?? null),
  };
  const isNews =
    last === undefined ||
    last.percent !== sample.percent ||
    last.speed !== sample.speed ||
    last.etaSeconds !== sample.etaSeconds;
  if (!isNews || (last !== undefined && sample.at <= last.at)) return samples;
  const kept = samples.length < MAX_SAMPLES ? samples : samples.filter((_, index) => index % 2 === 0);
  return [...kept, sample];
}

/** The progress of a job since its page was opened. The service stores only the newest progress. */
export function useProgressHistory(job: Job): readonly ProgressSample[] {
  const [history, setHistory] = useState({ job, samples: addSample([], job, Date.now()) });
  if (history.job === job) return history.samples;
  const samples = addSample(history.job.jobId === job.jobId ? history.samples : [], job, Date.now());
  setHistory({ job, samples });
  return samples;
}
