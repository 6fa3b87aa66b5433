import type { Caller } from '../domain/client.ts';
import { type Failure, JobFailed } from '../domain/failure.ts';
import { replaceRetryJob } from '../domain/hint.ts';
import type { MediaInfo, ProbeRequest } from '../domain/media-info.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';
import { type ProbePlan, planProbe } from '../ffmpeg/probe/plan-probe.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { InputStaging, StagedInput } from './ports/input-staging.ts';
import type { PathStats } from './ports/path-stats.ts';
import type { Prober } from './ports/prober.ts';
import { checkInputSize } from './run/size-limits.ts';
import { pathError } from './submit/check-request.ts';

export interface ProbeDeps {
  readonly media: PathStats & Pick<InputStaging, 'stageFile' | 'stageUrl' | 'removeInput'>;
  readonly prober: Prober;
  readonly limitConcurrency: ConcurrencyLimiter;
  /** How long a file may be fetched from its URL. */
  readonly fetchSeconds: number;
}

/** Plans a probe and stats its file. Throws INVALID_REQUEST. */
export async function checkProbe(
  media: PathStats,
  caller: Pick<Caller, 'root'>,
  request: ProbeRequest,
): Promise<ProbePlan> {
  const planned = planProbe(request, caller.root);
  if (!planned.ok) throw invalidRequest(planned.errors);
  const { plan } = planned;
  const [stat = { kind: 'missing' }] = await media.statPaths(caller.root, [plan.path]);
  const error = pathError('/input', 'input', stat);
  if (error !== undefined) throw invalidRequest([error]);
  return plan;
}

/** Probes a file in the caller's media root, or at a URL. `signal`: aborted when the caller disconnects. Throws `Problem`. */
export async function probeFile(
  { media, prober, limitConcurrency, fetchSeconds }: ProbeDeps,
  caller: Pick<Caller, 'clientId' | 'root' | 'policy'>,
  request: ProbeRequest,
  signal: AbortSignal,
): Promise<MediaInfo> {
  const plan = await checkProbe(media, caller, request);
  return limitConcurrency(caller.clientId, signal, async () => {
    try {
      const input = await stageProbed(media, caller, plan, signal, fetchSeconds);
      const outcome = await prober({ plan, input, signal }).finally(() => media.removeInput(input));
      if (!outcome.ok) throw new JobFailed(outcome.failure);
      return outcome.info;
    } catch (error) {
      throw error instanceof JobFailed ? toProblem(error.failure, error.cause) : error;
    }
  });
}

/** Stages the file of a probe, from the media root or from its URL. */
function stageProbed(
  media: ProbeDeps['media'],
  { root, policy }: Pick<Caller, 'root' | 'policy'>,
  { path, url, logical }: ProbePlan,
  signal: AbortSignal,
  seconds: number,
): Promise<StagedInput> {
  if (url === undefined || media.stageUrl === undefined) return media.stageFile(root, path, logical, signal);
  const failure: Failure = {
    code: 'TIMEOUT',
    message: `Fetching "${path}" took longer than ${seconds} s.`,
    fix: 'Convert it without a probe, or upload it.',
  };
  return media.stageUrl(
    { url, path, logical },
    { signal, checkSizes: (sizes) => checkInputSize(sizes, policy), deadline: { seconds, failure } },
  );
}

/** Replaces fixes that tell the client to retry a job, because a probe has no job. */
function toProblem({ code, message, fix }: Failure, cause: unknown): Problem {
  switch (code) {
    case 'LIMIT_EXCEEDED':
      return toProblem({ code: 'INPUT_INVALID', message, ...(fix && { fix }) }, cause);
    case 'INPUT_NOT_FOUND':
    case 'INPUT_INVALID':
    case 'INPUT_UNAVAILABLE':
    case 'UNSUPPORTED':
    case 'TIMEOUT':
      return new Problem(code, message, {
        errors: [{ ...AT, code, message, ...(fix && { fix: replaceRetryJob(fix, { do: 'repeat-request' }) }) }],
      });
    default:
      return new Problem('UNAVAILABLE', message, { retryAfterSeconds: 5, cause });
  }
}

const AT = { field: '/input' } as const;
