import type { ConversionRequest, Job } from '@telecine/client';
import { client } from '../app/client.ts';

/** Submits a job and waits for its end. If the page no longer needs the job, cancels it. Throws the error of a failed job. */
export async function runJob(
  request: ConversionRequest,
  signal: AbortSignal,
  onSubmitted?: (jobId: string) => void,
): Promise<Job> {
  const { jobId } = await client.submit(request, { signal });
  onSubmitted?.(jobId);
  return endOf(jobId, signal);
}

/** Waits for the end of a job. Cancels it and throws like `runJob`. */
export async function endOf(jobId: string, signal: AbortSignal): Promise<Job> {
  try {
    const job = await client.wait(jobId, { signal });
    if (job.status === 'COMPLETED') return job;
    throw new Error([job.error?.message ?? job.message, job.error?.fix].filter(Boolean).join(' '));
  } catch (error) {
    // Ignore errors, because the job may already have ended.
    if (signal.aborted) await client.cancel(jobId).catch(() => undefined);
    throw error;
  }
}

/**
 * Measures how similar an encoded video is to its reference: the mean SSIM, from 0 to 1. null: ffmpeg found no frames to compare. `seconds`: the
 * length of both files. Sending it cuts nothing off: it tells the service that the analysis is short, and so a light job.
 */
export async function meanSsim(
  encoded: string,
  reference: string,
  seconds: number,
  signal: AbortSignal,
): Promise<number | null> {
  const request = { input: encoded, reference, measure: ['ssim' as const], t: String(seconds) };
  const { jobId } = await client.analyze(request, { signal });
  return (await endOf(jobId, signal)).measurements?.ssim?.mean ?? null;
}

/** A unique name for a file. `crypto.randomUUID` does not exist on pages that are loaded over plain HTTP. */
export const newName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
