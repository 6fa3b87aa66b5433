import { isBucketPath } from '../../domain/bucket-path.ts';
import type { Caller } from '../../domain/client.ts';
import { type ConversionRequest, pathOfInput } from '../../domain/conversion.ts';
import type { MediaInfo, ProbeRequest } from '../../domain/media-info.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import { inspected } from '../../domain/plan.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';
import { isUrl } from '../../domain/url-input.ts';
import { probeParameters } from '../../ffmpeg/probe/probe-options.ts';
import type { InputMedia, PlanOfPaths } from '../ports/ffmpeg.ts';

/** Probes one file for a client that waits for the reply. Rejects with any reason once `signal` is aborted. */
export type ProbeForClient = (caller: Caller, request: ProbeRequest, signal: AbortSignal) => Promise<MediaInfo>;

/** The longest that a submission waits for probes of its inputs. What is not known then is checked when the job runs. */
const SECONDS = 15;

/** A probe that all requests of a call share: it ends when the call has waited long enough. */
export function untilDeadline(probe: ProbeForClient): ProbeForClient {
  const deadline = AbortSignal.timeout(SECONDS * 1000);
  return (caller, request, signal) => probe(caller, request, AbortSignal.any([signal, deadline]));
}

/** What is in the inputs that a request joins or cuts. */
export interface ProbedClips {
  readonly media: InputMedia;
  /** The first input that could not be read in time. */
  readonly late?: MediaPath;
}

/**
 * Probes the inputs that a request joins, so that those that do not fit together are rejected before the job is queued. A missing
 * file, one that a job creates before, one that no ffprobe is free for, and one that would have to be copied or fetched first is
 * left to the run of the job. Throws INVALID_REQUEST for a file that cannot be read.
 */
export async function probeClips(
  probe: ProbeForClient,
  caller: Caller,
  { input: single, inputs = single === undefined ? [] : [single] }: ConversionRequest,
  plan: PlanOfPaths,
  expected: ReadonlySet<MediaPath>,
): Promise<ProbedClips> {
  const media: (MediaInfo | undefined)[] = inputs.map(() => undefined);
  let late: MediaPath | undefined;
  const ended = AbortSignal.timeout(SECONDS * 1000);
  const { inputs: planned } = plan;
  const { clips = [], parameters: inputParameters = [] } = inspected(plan) ?? {};
  for (const [at, index] of clips.entries()) {
    const [one, input] = [inputs[index], planned[index]];
    const path = one === undefined ? undefined : pathOfInput(one);
    if (path === undefined || input === undefined || isUrl(path) || isBucketPath(path)) continue;
    if (expected.has(input.path)) continue;
    if (ended.aborted) {
      late ??= input.path;
      break;
    }
    const parameters = probeParameters(inputParameters[at] ?? {});
    media[index] = await probe(caller, { input: path, parameters }, ended).catch((error: unknown) => {
      const [cause] = error instanceof Problem && UNREADABLE.has(error.code) ? error.errors : [];
      if (cause !== undefined) throw invalidRequest([{ ...cause, field: input.field }]);
      if (isTimeout(error)) late ??= input.path;
      if (error instanceof Problem || isTimeout(error)) return undefined;
      throw error;
    });
  }
  return { media, ...(late !== undefined && { late }) };
}

/** Problems of a probe that are in the file. */
const UNREADABLE: ReadonlySet<string> = new Set(['INPUT_INVALID', 'UNSUPPORTED']);

const isTimeout = (error: unknown): boolean =>
  error instanceof Problem ? error.code === 'TIMEOUT' : error instanceof DOMException && error.name === 'TimeoutError';
