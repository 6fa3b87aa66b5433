import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { workOf } from './conversion-time.ts';
import { type EstimatedPlan, knownOutput } from './estimate.ts';
import { NoEstimate } from './links.ts';
import type { Work } from './machine-time.ts';

/** An input, as ffmpeg logged it, and the size of its file. */
export interface LoggedInput {
  /** The demuxer with all its names: `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly demuxer: string;
  readonly durationSeconds?: number;
  readonly streams: readonly OutputStream[];
  readonly rotations?: ReadonlyMap<number, number>;
  readonly sizeBytes: number;
}

/**
 * Computes the work of a conversion that has run, from what ffmpeg logged about its inputs, in the order of the plan. So the
 * real time can be compared with the time that a dry run would have estimated. undefined: the work is unknown.
 */
export function workOfRun(plan: EstimatedPlan, inputs: readonly LoggedInput[]): Work | undefined {
  if (inputs.length !== plan.inputs.length) return undefined;
  const media = inputs.map(mediaInfo);
  const known = plan.outputs.map((output) => knownOutput(plan, output, media));
  const outputs = known.filter((one) => typeof one !== 'string');
  if (outputs.length < known.length || outputs.length === 0) return undefined;
  try {
    return workOf(outputs, plan);
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
