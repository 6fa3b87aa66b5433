import { useQuery } from '@tanstack/react-query';
import type { ConversionRequest, Job } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { isComparable, type Part, previewRequest, referenceRequest } from './preview-request.ts';

/** Runs a job to its end. If the page no longer needs it, cancels the job. Throws what went wrong with the job. */
async function runJob(
  request: ConversionRequest,
  signal: AbortSignal,
  onSubmitted?: (jobId: string) => void,
): Promise<Job> {
  const { jobId } = await client.submit(request, { signal });
  onSubmitted?.(jobId);
  return endOf(jobId, signal);
}

async function endOf(jobId: string, signal: AbortSignal): Promise<Job> {
  try {
    const job = await client.wait(jobId, { signal });
    if (job.status === 'COMPLETED') return job;
    throw new Error([job.error?.message ?? job.message, job.error?.fix].filter(Boolean).join(' '));
  } catch (error) {
    // It may have ended meanwhile.
    if (signal.aborted) await client.cancel(jobId).catch(() => undefined);
    throw error;
  }
}

/** Converts a part of the source with the options of a request. What is superseded is cancelled. `jobId`: once it is submitted. */
export function useSample(request: ConversionRequest, part: Part, isWanted: boolean) {
  const key = JSON.stringify({ request, part });
  const [submitted, setSubmitted] = useState<{ readonly key: string; readonly jobId: string }>();
  const sample = useQuery({
    queryKey: ['sample', key],
    queryFn: ({ signal }) => {
      const sample = previewRequest(request, part, newName());
      if (sample === undefined) throw new Error('There is no preview of this request.');
      return runJob(sample, signal, (jobId) => setSubmitted({ key, jobId }));
    },
    enabled: isWanted,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // The service removes the file after half an hour.
    gcTime: 10 * 60_000,
  });
  return { sample, jobId: submitted?.key === key ? submitted.jobId : undefined };
}

/** Measures how similar the sample is to the source: the mean SSIM from 0 to 1. Waits until there is a sample. */
export function useSimilarity(request: ConversionRequest, source: string, part: Part, sample: Job | undefined) {
  const [output] = sample?.outputs ?? [];
  const video = output?.streams?.find(({ type, width, height }) => type === 'video' && width && height);
  return useQuery({
    queryKey: ['similarity', sample?.jobId ?? ''],
    queryFn: async ({ signal }) => {
      const { width = 0, height = 0, fps } = video ?? {};
      const reference = await runJob(referenceRequest(source, part, { width, height, fps }, newName()), signal);
      const [lossless] = reference.outputs ?? [];
      if (output === undefined || lossless === undefined) throw new Error('The preview has no output.');
      const { jobId } = await client.analyze(
        // As long as both are. It makes the measurement a light job.
        { input: output.path, reference: lossless.path, measure: ['ssim'], t: String(part.seconds) },
        { signal },
      );
      const { measurements } = await endOf(jobId, signal);
      return measurements?.ssim?.mean ?? null;
    },
    enabled: video !== undefined && isComparable(request),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A name for a file that no other has. `crypto.randomUUID` is missing at plain HTTP addresses. */
const newName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
