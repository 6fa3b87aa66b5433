import type { ClientLimits } from '../domain/client-limits.ts';
import { type Failure, JobFailed } from '../domain/failure.ts';
import { sizeText } from '../domain/quantity.ts';
import type { ProbePlan } from '../ffmpeg/probe/plan-probe.ts';
import type { InputStaging, StagedInput, StagingOptions } from './ports/media-store.ts';
import { checkInputSize } from './run/size-limits.ts';

/**
 * The most bytes that a probe fetches. A longer file takes longer than most clients wait, and all clients together may
 * fetch several at once, beside the files of jobs on the same disk.
 */
export const MAX_FETCHED_BYTES = 4 * 2 ** 30;

export interface ProbeFetchOptions {
  readonly policy: ClientLimits;
  readonly signal: AbortSignal;
  /** The longest time to fetch the file, if the client has no shorter one. */
  readonly seconds: number;
}

/** Returns what fetches the file of a probe. Undefined if it is in the media root. */
export function planFetch(
  { stageUrl }: Pick<InputStaging, 'stageUrl'>,
  { path, url, logical }: ProbePlan,
  { policy, signal, seconds: maxSeconds }: ProbeFetchOptions,
): (() => Promise<StagedInput>) | undefined {
  if (url === undefined || stageUrl === undefined) return undefined;
  const seconds = Math.min(maxSeconds, policy.fetch ?? maxSeconds);
  const failure: Failure = {
    code: 'TIMEOUT',
    message: `Fetching "${path}" took longer than ${seconds} s.`,
    fix: NO_PROBE,
  };
  const checkSizes: StagingOptions['checkSizes'] = (sizes) => {
    checkInputSize(sizes, policy);
    const bytes = sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (bytes <= MAX_FETCHED_BYTES) return;
    throw new JobFailed({
      code: 'LIMIT_EXCEEDED',
      message: `"${path}" is ${sizeText(bytes)}; a probe fetches at most ${sizeText(MAX_FETCHED_BYTES)}.`,
      fix: NO_PROBE,
    });
  };
  return () => stageUrl({ url, path, logical }, { signal, checkSizes, deadline: { seconds, failure } });
}

const NO_PROBE = 'Convert it without a probe, or upload it.';
