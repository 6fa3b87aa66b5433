import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo, ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { isTimeout } from '@telecine/contract/domain/steps.ts';
import { probeParameters } from '@telecine/ffmpeg/probe/probe-options.ts';
import { type Inspector, inspectInputs } from '../inspect-inputs.ts';
import type { Planner, PlanOfPaths, PlanResult } from '../ports/ffmpeg.ts';

/** Probes one file while a client waits for the reply. Rejects if `signal` is aborted, with any error. */
export type ProbeForClient = (caller: Caller, request: ProbeRequest, signal: AbortSignal) => Promise<MediaInfo>;

/** Returns the paths that other jobs will create before this job starts. Called only if an input is missing, or could be read. */
export type FindExpected = () => ReadonlySet<MediaPath>;

/** Which inputs a plan may read before the reply, and until when. */
export interface InputReading {
  /** Default: earlier jobs will create no paths. */
  readonly findExpected?: FindExpected | undefined;
  /** An abort ends all probes. Default: `readingTime`. */
  readonly ends?: AbortSignal | undefined;
}

/** Plans a request while its client waits for the reply. */
export type RequestPlanner<P> = (
  request: ConversionRequest,
  caller: Caller,
  reading: InputReading,
) => Promise<PlanResult<P>>;

/** Limits the time for which a reply waits for probes of inputs: 15 seconds. The job probes the remaining inputs when it runs. */
export const readingTime = (): AbortSignal => AbortSignal.timeout(15_000);

/** How long a reply waits for probes that only change details of the command. */
const OPTIONAL_MS = 2000;

/**
 * Plans requests as a job does, with what a probe of their inputs finds. Leaves out, for the job to probe: missing and
 * expected files, URLs, bucket files, and files for which no ffprobe is free. Throws INVALID_REQUEST for an unreadable
 * file that is joined, cut or transcribed. `probe`: absent if no input is read.
 */
export const probingPlanner =
  <P extends Plan>(
    planner: Planner<P>,
    probe: ProbeForClient | undefined,
  ): RequestPlanner<P & Pick<PlanOfPaths, 'assumes'>> =>
  async (request, caller, { findExpected, ends = readingTime() }) => {
    const draft = await planner(request, caller);
    const expected = draft.probes.length === 0 ? undefined : findExpected?.();
    const endsSoon = AbortSignal.any([ends, AbortSignal.timeout(OPTIONAL_MS)]);
    let unread: MediaPath | undefined;
    const read: Inspector['probe'] = async ({ input: index, parameters = {}, needsHeaders }) => {
      const input = draft.inputs[index];
      if (probe === undefined || input === undefined || input.url !== undefined || isBucketPath(input.path))
        return undefined;
      if (expected?.has(input.path) === true) return undefined;
      const { path, field } = input;
      const signal = needsHeaders === true ? ends : endsSoon;
      return probe(caller, { input: path, parameters: probeParameters(parameters) }, signal).catch((error: unknown) => {
        const [cause] = error instanceof Problem && UNREADABLE.has(error.code) ? error.errors : [];
        if (cause !== undefined && needsHeaders === true) throw invalidRequest([{ ...cause, field }]);
        if (isOfTime(error)) unread ??= path;
        if (error instanceof Problem || isTimeout(error)) return undefined;
        throw error;
      });
    };
    const media = draft.errors.length > 0 ? [] : await inspectInputs(draft, request, { probe: read });
    const result = await draft.finish(media);
    if (!result.ok) return result;
    const isAssumed =
      result.plan.cut?.isAssumed === true ||
      draft.probes.some(({ input, needsHeaders }) => needsHeaders === true && media[input] === undefined);
    return { ok: true, plan: { ...result.plan, ...(isAssumed && { assumes: { ...(unread && { unread }) } }) } };
  };

/** Error codes of a probe whose cause is the file. */
const UNREADABLE: ReadonlySet<string> = new Set(['INPUT_INVALID', 'UNSUPPORTED']);

const isOfTime = (error: unknown): boolean => (error instanceof Problem ? error.code === 'TIMEOUT' : isTimeout(error));
