import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversionRequest, Job } from '@telecine/client';
import { useCallback, useEffect, useState } from 'react';
import { shownVideo } from '../media/output-video.ts';
import { firstFrameOf, type Part, previewRequest } from './preview-request.ts';
import { isComparable, referenceRequest } from './reference-request.ts';
import { meanSsim, newName, runJob } from './run-job.ts';

/** A preview while it is made: its first frame comes before the rest. */
export interface Sampled {
  /** The finished job of the full part. */
  readonly sample: Job | undefined;
  /** The finished job of the first frame. undefined: it has not ended, or there is none. */
  readonly still: Job | undefined;
  readonly error: Error | null;
  /** What is converted now, or waits until the first frame can be seen. undefined: nothing. */
  readonly running: { readonly what: 'still' | 'sample'; readonly jobId: string | undefined } | undefined;
  /** To be called when the first frame can be seen, or never will. */
  readonly onStillShown: () => void;
}

/** How long the rest waits for the first frame. A page in the background, or a browser that saves data, may not load it. */
const STILL_MS = 5000;

/**
 * Converts a part of the source with the options of a request, and before that its first frame, which a person sees after a second or two.
 * A new request cancels the jobs of the previous one.
 *
 * @param stillSeconds See `stillSecondsOf`.
 * @param sourceSeconds The length of the source. undefined: unknown.
 */
export function useSample(
  request: ConversionRequest,
  part: Part,
  {
    isWanted,
    stillSeconds,
    sourceSeconds,
  }: {
    readonly isWanted: boolean;
    readonly stillSeconds: number | undefined;
    readonly sourceSeconds: number | undefined;
  },
): Sampled {
  const queries = useQueryClient();
  const key = JSON.stringify({ request, part });
  const [submitted, setSubmitted] = useState<{ readonly key: string; readonly jobId: string }>();
  const run = (what: 'still' | 'sample', seconds: number) => ({
    queryKey: [what, key],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const sample = previewRequest(request, { ...part, seconds }, newName(), sourceSeconds);
      if (sample === undefined) throw new Error('There is no preview of this request.');
      return runJob(what === 'still' ? firstFrameOf(sample) : sample, signal, (jobId) =>
        setSubmitted({ key: `${what} ${key}`, jobId }),
      );
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Forget the result before the service removes the file, which happens after half an hour.
    gcTime: 10 * 60_000,
  });
  const hasStill = isWanted && stillSeconds !== undefined && queries.getQueryData(['sample', key]) === undefined;
  const still = useQuery({ ...run('still', stillSeconds ?? 0), enabled: hasStill });
  const { isAwaited, onStillShown } = useStillShown(hasStill ? still.data : undefined);
  const isStillFirst = hasStill && (still.isPending || isAwaited);
  // One after the other: together, the first frame would take as long as the rest. If it fails, the rest fails too and shows the error.
  const sample = useQuery({ ...run('sample', part.seconds), enabled: isWanted && !isStillFirst });
  const what = still.isFetching || isAwaited ? 'still' : sample.isFetching ? 'sample' : undefined;
  return {
    sample: sample.data,
    still: still.data,
    error: sample.error,
    running: what && { what, jobId: submitted?.key === `${what} ${key}` ? submitted.jobId : undefined },
    onStillShown,
  };
}

/**
 * Whether the page is loading the first frame of a finished job. The rest waits for that: if the browser cannot play the video, the service
 * makes an image of the frame, which takes several times as long beside the encoder of the rest.
 */
function useStillShown(job: Job | undefined) {
  const [shown, setShown] = useState<Job>();
  const isAwaited = job !== undefined && job !== shown && shownVideo(job) !== undefined;
  const onStillShown = useCallback(() => {
    if (job !== undefined) setShown(job);
  }, [job]);
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setTimeout(onStillShown, STILL_MS);
    return () => clearTimeout(timer);
  }, [isAwaited, onStillShown]);
  return { isAwaited, onStillShown };
}

/**
 * Measures the similarity of the sample to the source, after the filters of the request: the mean SSIM, from 0 to 1. Waits until there is a
 * sample. `sourceSeconds`: see `useSample`.
 */
export function useSimilarity(
  request: ConversionRequest,
  part: Part,
  sample: Job | undefined,
  sourceSeconds: number | undefined,
) {
  const [output] = sample?.outputs ?? [];
  const video = sample && shownVideo(sample);
  return useQuery({
    queryKey: ['similarity', sample?.jobId ?? ''],
    queryFn: async ({ signal }) => {
      const { width = 0, height = 0, fps } = video ?? {};
      const wanted = referenceRequest(request, part, { width, height, fps }, newName(), sourceSeconds);
      if (wanted === undefined) return null;
      const reference = await runJob(wanted, signal);
      const [lossless] = reference.outputs ?? [];
      if (output === undefined || lossless === undefined) throw new Error('The preview has no output.');
      return meanSsim(output.path, lossless.path, part.seconds, signal);
    },
    enabled: video !== undefined && isComparable(request),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
