import { useQuery } from '@tanstack/react-query';
import type { ConversionRequest, Job } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { type Part, previewRequest } from './preview-request.ts';
import { isComparable, referenceRequest } from './reference-request.ts';
import { endOf, newName, runJob } from './run-job.ts';

/**
 * Converts a part of the source with the options of a request. A new request cancels the job of the previous one. `jobId`: undefined until
 * the job is submitted.
 */
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
    // Forget the result before the service removes the file, which happens after half an hour.
    gcTime: 10 * 60_000,
  });
  return { sample, jobId: submitted?.key === key ? submitted.jobId : undefined };
}

/**
 * Measures the similarity of the sample to the source, after the filters of the request: the mean SSIM, from 0 to 1. Waits until there is a
 * sample.
 */
export function useSimilarity(request: ConversionRequest, part: Part, sample: Job | undefined) {
  const [output] = sample?.outputs ?? [];
  const video = output?.streams?.find(({ type, width, height }) => type === 'video' && width && height);
  return useQuery({
    queryKey: ['similarity', sample?.jobId ?? ''],
    queryFn: async ({ signal }) => {
      const { width = 0, height = 0, fps } = video ?? {};
      const wanted = referenceRequest(request, part, { width, height, fps }, newName());
      if (wanted === undefined) return null;
      const reference = await runJob(wanted, signal);
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
