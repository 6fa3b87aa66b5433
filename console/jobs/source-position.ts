import type { Job, MediaInfo } from '@telecine/client';
import { convertedPart } from '../../packages/contract/src/domain/converted-part.ts';
import { hasFilter, REARRANGES } from './result-facts.ts';

/**
 * How many frames of the source a page shows at most while a job runs. The service makes each with ffmpeg, keeps it for all who look, and copies
 * the file for it if it is in an object store.
 */
const MAX_FRAMES = 60;

/**
 * The most bytes that all frames of a job may cost if the service copies the source for each. A large source has fewer frames, or none: the
 * page does not know where the service keeps it.
 */
const MAX_COPIED_BYTES = 20e9;

const MIN_FRAMES = 2;

type Running = Pick<
  Job,
  | 'status'
  | 'phase'
  | 'progress'
  | 'join'
  | 'cut'
  | 'quality'
  | 'ladder'
  | 'frameSize'
  | 'transcribe'
  | 'inputs'
  | 'parameters'
  | 'requestedOutputs'
>;

/** Options of an input with which its times are not those of the file, or start at its end. */
const OWN_TIME = ['sseof', 'itsoffset', 'itsscale'];

/**
 * The time in its only source at which a running job is, in whole steps, so that the frame at it changes seldom. undefined: it is not known, for
 * example because the job reads the source several times, or the source has no video.
 */
export function sourcePosition(
  job: Running,
  { format, streams }: Pick<MediaInfo, 'format' | 'streams'>,
): number | undefined {
  const { status, phase, progress, parameters = {} } = job;
  const { durationSeconds: whole = 0, sizeBytes = 0 } = format;
  if (status !== 'PROCESSING' || phase !== 'CONVERTING' || progress === undefined || whole <= 0) return undefined;
  if (
    [job.join, job.cut, job.quality, job.ladder, job.frameSize, job.transcribe, parameters['pass']].some(
      (one) => one !== undefined,
    )
  )
    return undefined;
  if (!streams.some(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true)) return undefined;
  if (hasOwnTime(job) || [job, ...(job.requestedOutputs ?? [])].some((one) => hasFilter(one, REARRANGES)))
    return undefined;
  const { start, seconds } = partOf(job, whole);
  const frames = Math.min(MAX_FRAMES, Math.floor(MAX_COPIED_BYTES / Math.max(1, sizeBytes)));
  if (frames < MIN_FRAMES) return undefined;
  const step = Math.floor((Math.min(99.9, progress) / 100) * frames);
  // A source that is repeated begins again and again.
  const at = (start + (step / frames) * seconds) % whole;
  return Math.floor(at * 1000) / 1000;
}

/** Whether options of the input set its times, or repeat it for ever. */
function hasOwnTime({ inputs, parameters = {} }: Running): boolean {
  const own = optionsOf(inputs);
  // `loop` of an output is an option of the file that a player repeats.
  return (
    'loop' in own || Number(own['stream_loop'] ?? 0) < 0 || OWN_TIME.some((name) => name in own || name in parameters)
  );
}

const optionsOf = ([first]: NonNullable<Running['inputs']> = []) =>
  (typeof first === 'object' ? first.parameters : undefined) ?? {};

/** The part of the source that a job converts, in seconds. With repetitions, it is longer than the source. */
function partOf({ inputs, parameters }: Running, whole: number) {
  const input = optionsOf(inputs);
  const loops = Math.max(0, Number(input['stream_loop'] ?? 0) || 0);
  const duration = whole * (loops + 1);
  const { start, end = duration } = convertedPart({ input, output: parameters, duration });
  return { start, seconds: Math.max(0, end - start) };
}
