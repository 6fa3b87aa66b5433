import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { workOf } from './conversion-time.ts';
import { type EstimatedPlan, knownOutput } from './estimate.ts';
import { NoEstimate } from './links.ts';
import { showsSpeed, type Work } from './machine-time.ts';

/** An input, as ffmpeg logged it, and the size of its file. */
export interface LoggedInput {
  /** The demuxer with all its names: `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly demuxer: string;
  readonly durationSeconds?: number;
  readonly streams: readonly OutputStream[];
  readonly rotations?: ReadonlyMap<number, number>;
  readonly sizeBytes: number;
}

/** The fewest threads that the service sets, when a client may use more. */
const MANY_THREADS = 16;

/**
 * Returns whether a run uses as many threads as the client may use. Otherwise it does not show how fast the machine is.
 * `threadLimit`: how many threads the client may use. undefined: any number.
 */
function hasUsualThreads({ passes, outputs }: EstimatedPlan, threadLimit: number | undefined): boolean {
  const fewest = Math.min(threadLimit ?? Number.POSITIVE_INFINITY, MANY_THREADS);
  return [...passes, ...outputs.flatMap(({ argv }) => (argv === undefined ? [] : [argv]))].every((argv) =>
    argv.every((word, at) => {
      const value = argv[at + 1] ?? '';
      if (/^-threads(?::|$)/.test(word)) return value === '0' || Number(value) >= fewest;
      if (/^-(?:x26[45]|svtav1)-params(?::|$)/.test(word) && threadLimit === undefined)
        return !/(?:^|:)(?:threads|pools|lp)=/.test(value);
      return true;
    }),
  );
}

/**
 * Computes the work of a conversion that has run, from what ffmpeg logged about its inputs, in the order of the plan. So the
 * real time can be compared with the time that a dry run would have estimated. undefined: the work is unknown,
 * or the run does not show how fast the machine is.
 *
 * @param threadLimit How many threads the client may use. undefined: any number.
 */
export function workOfRun(plan: EstimatedPlan, inputs: readonly LoggedInput[], threadLimit?: number): Work | undefined {
  // The estimate has the usual size, and not the one that the job chose.
  if (plan.frameSize !== undefined) return undefined;
  // The job may have run its last pass again.
  if (plan.maxBytes !== undefined) return undefined;
  if (inputs.length !== plan.inputs.length || !hasUsualThreads(plan, threadLimit)) return undefined;
  const media = inputs.map(mediaInfo);
  const known = plan.outputs.map((output) => knownOutput(plan, output, media));
  const outputs = known.filter((one) => typeof one !== 'string');
  if (outputs.length < known.length || outputs.length === 0) return undefined;
  try {
    const work = workOf(outputs, plan);
    return showsSpeed(work) ? work : undefined;
  } catch (error) {
    if (error instanceof NoEstimate) return undefined;
    throw error;
  }
}

/** Returns what ffprobe would have said about an input, as far as an estimate of time needs it. */
function mediaInfo({ demuxer, durationSeconds, streams, rotations, sizeBytes }: LoggedInput): MediaInfo {
  return {
    format: {
      names: demuxer.split(','),
      ...(durationSeconds !== undefined && {
        durationSeconds,
        ...(durationSeconds > 0 && { bitRate: Math.round((sizeBytes * 8) / durationSeconds) }),
      }),
      tags: {},
    },
    streams: streams.map((one) => mediaStream(one, rotations?.get(one.index))),
    chapters: [],
  };
}

function mediaStream(
  { index, type, codec, width, height, fps, sampleRate, channels, disposition = [] }: OutputStream,
  rotationDegrees: number | undefined,
): MediaStream {
  const isCover = disposition.includes('attached_pic');
  return {
    ...{ index, type, codec, disposition: [...disposition], tags: {} },
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(fps !== undefined && { frameRate: fps }),
    ...(sampleRate !== undefined && { sampleRate }),
    ...(channels !== undefined && { channels: channels === 'mono' ? 1 : 2 }),
    ...(isCover && { isAttachedPicture: true }),
    ...(rotationDegrees !== undefined && { rotationDegrees }),
  };
}
