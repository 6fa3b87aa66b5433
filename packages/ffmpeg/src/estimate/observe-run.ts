import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { allKnown, sizesOf } from './estimate.ts';
import type { Observation, Work } from './machine-time.ts';
import { predictOutput } from './predict.ts';
import { workOf } from './work.ts';

/** An input, as ffmpeg logged it, and the size of its file. */
export interface LoggedInput {
  /** The demuxer with all its names: `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly demuxer: string;
  readonly durationSeconds?: number;
  readonly streams: readonly OutputStream[];
  readonly rotations?: ReadonlyMap<number, number>;
  readonly sizeBytes: number;
}

/** What a run has shown: how much work it was, and how large its outputs are. */
export interface ObservedRun {
  readonly work: Work;
  readonly sizes: readonly Observation[];
}

/**
 * Compares a conversion that has run with what would have been expected, from what ffmpeg logged about its inputs. undefined: nothing
 * would have been expected.
 *
 * @param bytes The sizes of the outputs. undefined: an output is more than one file.
 */
export function observeRun(
  plan: Plan,
  inputs: readonly LoggedInput[],
  bytes: readonly (number | undefined)[],
): ObservedRun | undefined {
  const media = inputs.map(mediaInfo);
  const predictions = plan.outputs.map((output) => predictOutput(plan, output, media));
  const outputs = allKnown(predictions);
  if (typeof outputs === 'string' || outputs.length === 0) return undefined;
  const sizes = outputs.flatMap((output, index): readonly Observation[] => {
    const streams = sizesOf(output, plan);
    const [shown, ...others] = streams.toSorted((a, b) => b.bytes - a.bytes);
    const rest = others.reduce((sum, one) => sum + one.bytes, 0);
    const own = (bytes[index] ?? 0) - rest;
    // The file tells the size of only one stream, and only if that is most of the file and no option limits it.
    if (shown?.kind === undefined || shown.most !== undefined || own < 2 * rest) return [];
    return [{ kind: shown.kind, processors: 0, ratio: own / shown.bytes }];
  });
  return { work: workOf(outputs, plan), sizes };
}

/** Returns what ffprobe would have said about an input, as far as an estimate needs it. */
function mediaInfo({ demuxer, durationSeconds = 0, streams, rotations, sizeBytes }: LoggedInput): MediaInfo {
  const known = durationSeconds > 0 && { durationSeconds, bitRate: Math.round((sizeBytes * 8) / durationSeconds) };
  return {
    format: { names: demuxer.split(','), tags: {}, ...known },
    streams: streams.map(({ index, type, codec, fps, channels, disposition = [], ...one }) => ({
      ...{ index, type, codec, disposition: [...disposition], tags: {} },
      ...(one.width !== undefined && { width: one.width }),
      ...(one.height !== undefined && { height: one.height }),
      ...(fps !== undefined && { frameRate: fps }),
      ...(one.sampleRate !== undefined && { sampleRate: one.sampleRate }),
      ...(channels !== undefined && { channels: channels === 'mono' ? 1 : 2 }),
      isAttachedPicture: disposition.includes('attached_pic'),
      rotationDegrees: rotations?.get(index) ?? 0,
    })),
    chapters: [],
  };
}
