import type { Caller } from '../domain/client.ts';
import { type Failure, JobFailed } from '../domain/failure.ts';
import { replaceRetryJob } from '../domain/hint.ts';
import type { MediaInfo, ProbeRequest } from '../domain/media-info.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';
import { planProbe } from '../ffmpeg/probe/plan-probe.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { InputStaging, PathStats, Prober } from './ports.ts';
import { pathError } from './submit/check-request.ts';

export interface ProbeDeps {
  readonly media: PathStats & Pick<InputStaging, 'stageFile'>;
  readonly prober: Prober;
  readonly limitConcurrency: ConcurrencyLimiter;
}

/** Probes a file in the caller's media root. `signal`: aborted when the caller disconnects. Throws `Problem`. */
export async function probeFile(
  { media, prober, limitConcurrency }: ProbeDeps,
  caller: Caller,
  request: ProbeRequest,
  signal: AbortSignal,
): Promise<MediaInfo> {
  const planned = planProbe(request, caller.root.pathPrefix);
  if (!planned.ok) throw invalidRequest(planned.errors);
  const { plan } = planned;
  const [stat = { kind: 'missing' }] = await media.statPaths(caller.root, [plan.path]);
  const error = pathError('/input', 'input', stat);
  if (error !== undefined) throw invalidRequest([error]);
  return limitConcurrency(caller.clientId, signal, async () => {
    try {
      const input = await media.stageFile(caller.root, plan.path, plan.logical);
      const outcome = await prober({ plan, input, signal });
      if (!outcome.ok) throw new JobFailed(outcome.failure);
      return outcome.info;
    } catch (error) {
      throw error instanceof JobFailed ? toProblem(error.failure, error.cause) : error;
    }
  });
}

/** Replaces fixes that tell the client to retry a job, because a probe has no job. */
function toProblem({ code, message, fix }: Failure, cause: unknown): Problem {
  switch (code) {
    case 'INPUT_NOT_FOUND':
    case 'INPUT_INVALID':
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
