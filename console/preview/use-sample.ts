import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversionRequest, Job } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { isComparable, type Part, previewRequest, referenceRequest } from './preview-request.ts';

/** Submits a job and waits for its end. If the page no longer needs the job, cancels it. Throws the error of a failed job. */
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
    // Ignore errors, because the job may already have ended.
    if (signal.aborted) await client.cancel(jobId).catch(() => undefined);
    throw error;
  }
}

/** A preview while it is made: its first frames come before the rest. */
export interface Sampled {
  /** The finished job of the whole part. */
  readonly sample: Job | undefined;
  /** The finished job of the first frames. undefined: it has not ended, or there is none. */
  readonly still: Job | undefined;
  readonly error: Error | null;
  /** What is converted now. undefined: nothing. */
  readonly running: { readonly what: 'still' | 'sample'; readonly jobId: string | undefined } | undefined;
}

/**
 * Converts a part of the source with the options of a request, and before that its first frames, which a person sees after a second or two.
 * A new request cancels the jobs of the previous one.
 *
 * @param stillSeconds The length of the first frames. undefined: the result has no frames, or only one.
 */
export function useSample(
  request: ConversionRequest,
  part: Part,
  { isWanted, stillSeconds }: { readonly isWanted: boolean; readonly stillSeconds: number | undefined },
): Sampled {
  const queries = useQueryClient();
  const key = JSON.stringify({ request, part });
  const [submitted, setSubmitted] = useState<{ readonly key: string; readonly jobId: string }>();
  const run = (what: 'still' | 'sample', seconds: number) => ({
    queryKey: [what, key],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const sample = previewRequest(request, { ...part, seconds }, newName());
      if (sample === undefined) throw new Error('There is no preview of this request.');
      return runJob(sample, signal, (jobId) => setSubmitted({ key: `${what} ${key}`, jobId }));
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Forget the result before the service removes the file, which happens after half an hour.
    gcTime: 10 * 60_000,
  });
  const hasStill = isWanted && stillSeconds !== undefined && queries.getQueryData(['sample', key]) === undefined;
  const still = useQuery({ ...run('still', stillSeconds ?? 0), enabled: hasStill });
  // One after the other: together, the first frames would take as long as the rest. If they fail, the rest says why.
  const sample = useQuery({ ...run('sample', part.seconds), enabled: isWanted && (!hasStill || !still.isPending) });
  const what = still.isFetching ? 'still' : sample.isFetching ? 'sample' : undefined;
  return {
    sample: sample.data,
    still: still.data,
    error: sample.error,
    running: what && { what, jobId: submitted?.key === `${what} ${key}` ? submitted.jobId : undefined },
  };
}

/** Measures the similarity of the sample to the source: the mean SSIM, from 0 to 1. Waits until there is a sample. */
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
        // Both files are this long, so `t` cuts nothing off, but makes the analysis a light job.
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

/** A unique name for a file. `crypto.randomUUID` does not exist on pages that are loaded over plain HTTP. */
const newName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
