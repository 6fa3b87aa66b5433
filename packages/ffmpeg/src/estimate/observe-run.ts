import { definedMembers, pick } from '@telecine/contract/domain/defined.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { InputReport } from '../log/report.ts';
import { allKnown, sizesOf } from './estimate.ts';
import type { Observation, Work } from './machine-time.ts';
import { predictOutput } from './predict.ts';
import { workOf } from './work.ts';

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
  inputs: readonly InputReport[],
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
const mediaInfo = ({ demuxer, durationSeconds, bitRate, streams }: InputReport): MediaInfo => ({
  format: {
    ...{ names: demuxer.split(','), tags: {} },
    ...definedMembers({ durationSeconds: durationSeconds || undefined, bitRate: bitRate && bitRate * 1000 }),
  },
  streams: streams.map(({ disposition = [], width, height, fps, sampleRate, channels, rotation = 0, ...stream }) => ({
    ...pick(stream, ['index', 'type', 'codec']),
    ...{ disposition: [...disposition], tags: {}, rotationDegrees: rotation },
    isAttachedPicture: disposition.includes('attached_pic'),
    ...definedMembers({ width, height, frameRate: fps, sampleRate }),
    ...(channels !== undefined && { channels: channels === 'mono' ? 1 : 2 }),
  })),
  chapters: [],
});
