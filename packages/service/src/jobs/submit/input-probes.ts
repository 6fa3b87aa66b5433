import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import { sendValue } from '@telecine/contract/domain/edit.ts';
import type { MediaInfo, ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { inspected } from '@telecine/contract/domain/plan.ts';
import { type FieldError, invalidRequest, Problem, pointerKey } from '@telecine/contract/domain/problem.ts';
import { isTimeout } from '@telecine/contract/domain/steps.ts';
import { memberAt } from '@telecine/contract/domain/structured-values.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { probeParameters } from '@telecine/ffmpeg/probe/probe-options.ts';
import { timecodeSeconds } from '@telecine/ffmpeg/values/duration.ts';
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

/** The facts about an input on which a time in a request can depend. */
interface TimesOfInput {
  readonly seconds?: number;
  readonly frameRate?: number;
}

/** Probes an input. Resolves to undefined if the input cannot be read in time. Never throws. */
export type InputTimes = (caller: Caller, path: string) => Promise<TimesOfInput | undefined>;

const SHARE = /^\s*(\d{1,3}(?:\.\d{1,3})?)\s*%\s*$/;

/** Options, and arguments of recipes, that say where something begins. */
const STARTS: ReadonlySet<string> = new Set(['ss', 'start', 'at']);
const MAX_START = 0.99;

/** The highest frame rate with timecodes: they have two digits for the frame number. */
const MAX_RATE = 100;

/** Returns whether an error is about an invalid time, in an option or in an argument of a recipe. */
const isAboutTime = ({ code, about }: FieldError): boolean =>
  code === 'BAD_TIME' || (code === 'BAD_ARGUMENT' && about === 'time');

/** A time that depends on the input: a share of its length (`"50%"`) or a timecode (`"00:00:05:12"`). */
interface DependentTime {
  readonly text: string;
  readonly path: string;
  readonly isOption: boolean;
  /** The share of the length, from 0 to 1. undefined: the time is a timecode. */
  readonly share: number | undefined;
}

/**
 * Improves errors about times that depend on the input, such as `"ss": "50%"` or a timecode: the new fix contains the
 * time in seconds.
 */
export async function withInputTimes(
  error: unknown,
  request: ConversionRequest,
  timesOf: (path: string) => Promise<TimesOfInput | undefined>,
): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'INVALID_REQUEST') return error;
  const found = error.errors.map((one) => (isAboutTime(one) ? timeAt(request, one.field) : undefined));
  // Read only one input. Most times are about the same input, and a client may send any number of times.
  const path = found.find((one) => one !== undefined)?.path;
  const times = path === undefined ? undefined : await timesOf(path);
  if (times === undefined) return error;
  return invalidRequest(
    error.errors.map((one, index): FieldError => {
      const time = found[index];
      return time === undefined || time.path !== path ? one : withTime(one, time, times);
    }),
  );
}

function withTime(
  error: FieldError,
  { text, share, isOption }: DependentTime,
  { seconds, frameRate }: TimesOfInput,
): FieldError {
  const time =
    share === undefined
      ? frameRate && timecodeSeconds(text, frameRate)
      : seconds === undefined
        ? undefined
        : share * seconds;
  if (time === undefined) return error;
  const exact = Number(time.toFixed(3));
  const fact =
    share === undefined
      ? `The input has ${Number(frameRate?.toFixed(3))} frames per second.`
      : `The input lasts ${Number(seconds?.toFixed(3))} s.`;
  return { ...error, message: `${error.message} ${fact}`, fix: sendValue(isOption ? String(exact) : exact) };
}

function timeAt(request: ConversionRequest, field: string): DependentTime | undefined {
  const keys = field.split('/').slice(1).map(pointerKey);
  const text = memberAt(request, keys);
  const { input, inputs = [] } = request;
  const own = keys[0] === 'inputs' ? inputs[Number(keys[1])] : (inputs[0] ?? input);
  const path = typeof own === 'object' ? own.input : own;
  if (typeof text !== 'string' || path === undefined) return undefined;
  const at = { text, path, isOption: keys.includes('parameters') };
  const percent = SHARE.exec(text)?.[1];
  if (percent === undefined)
    return timecodeSeconds(text, MAX_RATE) === undefined ? undefined : { ...at, share: undefined };
  const share = Number(percent) / 100;
  // A time after the end of the input selects nothing, and neither does a start close to the end.
  return share > (STARTS.has(keys.at(-1) ?? '') ? MAX_START : 1) ? undefined : { ...at, share };
}
