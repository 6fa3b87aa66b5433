import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo, ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { inspected } from '@telecine/contract/domain/plan.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { isTimeout } from '@telecine/contract/domain/steps.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { probeParameters } from '@telecine/ffmpeg/probe/probe-options.ts';
import type { InputMedia, PlanOfPaths } from '../ports/ffmpeg.ts';

/** Probes one file while a client waits for the reply. Rejects if `signal` is aborted, with any error. */
export type ProbeForClient = (caller: Caller, request: ProbeRequest, signal: AbortSignal) => Promise<MediaInfo>;

/**
 * The maximum time, in seconds, for which a submission waits for probes of its inputs. The job probes the remaining
 * inputs when it runs.
 */
const SECONDS = 15;

/**
 * Limits the time of all probes of one call of the API together. All requests of a batch must use the same returned
 * function.
 */
export function untilDeadline(probe: ProbeForClient): ProbeForClient {
  const deadline = AbortSignal.timeout(SECONDS * 1000);
  return (caller, request, signal) => probe(caller, request, AbortSignal.any([signal, deadline]));
}

/** The facts about the inputs that a request joins or cuts. */
interface ProbedClips {
  readonly media: InputMedia;
  /** The first input that could not be read in time. */
  readonly unread?: MediaPath;
}

/**
 * Probes the inputs that a request joins or cuts, so that inputs that do not fit are rejected before the job is queued.
 * Leaves out, for the job to probe: missing and expected files, URLs, bucket files, and files for which no ffprobe is
 * free. Throws INVALID_REQUEST for an unreadable file.
 */
export async function probeClips(
  probe: ProbeForClient,
  caller: Caller,
  { input: single, inputs = single === undefined ? [] : [single] }: ConversionRequest,
  plan: PlanOfPaths,
  expected: ReadonlySet<MediaPath>,
): Promise<ProbedClips> {
  const media: (MediaInfo | undefined)[] = inputs.map(() => undefined);
  let unread: MediaPath | undefined;
  const ended = AbortSignal.timeout(SECONDS * 1000);
  const { inputs: planned } = plan;
  const { clips = [], parameters: inputParameters = [] } = inspected(plan) ?? {};
  for (const [at, index] of clips.entries()) {
    const [one, input] = [inputs[index], planned[index]];
    const path = one === undefined ? undefined : pathOfInput(one);
    if (path === undefined || input === undefined || isUrl(path) || isBucketPath(path)) continue;
    if (expected.has(input.path)) continue;
    if (ended.aborted) {
      unread ??= input.path;
      break;
    }
    const parameters = probeParameters(inputParameters[at] ?? {});
    media[index] = await probe(caller, { input: path, parameters }, ended).catch((error: unknown) => {
      const [cause] = error instanceof Problem && UNREADABLE.has(error.code) ? error.errors : [];
      if (cause !== undefined) throw invalidRequest([{ ...cause, field: input.field }]);
      if (isOfTime(error)) unread ??= input.path;
      if (error instanceof Problem || isTimeout(error)) return undefined;
      throw error;
    });
  }
  return { media, ...(unread !== undefined && { unread }) };
}

/** Error codes of a probe whose cause is the file. */
const UNREADABLE: ReadonlySet<string> = new Set(['INPUT_INVALID', 'UNSUPPORTED']);

const isOfTime = (error: unknown): boolean => (error instanceof Problem ? error.code === 'TIMEOUT' : isTimeout(error));
