import type { Job, MediaInfo } from '@telecine/client';
import { convertedPart } from '../../packages/contract/src/domain/converted-part.ts';
import { mediaKind } from '../media/media-kind.ts';
import { hasFilter, REARRANGES } from './result-facts.ts';

type Output = NonNullable<Job['outputs']>[number];

/** The times of one frame, in seconds, in the source and in an output. */
export interface Moment {
  readonly source: number;
  readonly result: number;
}

/** Options with which the times of the source are not those of the output. */
const OWN_TIME = ['itsoffset', 'itsscale', 'loop', 'pass'];

/** Filters that choose frames by their content. */
const CHOOSES = /(?:^|[,;\]])\s*(?:thumbnail|tile|decimate|framestep)\b/;

/**
 * The frame by which the source and an output are shown beside each other. undefined: the conversion moved frames in time, or one of both has no
 * frames.
 *
 * @param shownAt The time of a frame of the output that is not black, in seconds. Default: its middle.
 */
export function sameMoment(
  {
    join,
    cut,
    parameters = {},
    requestedOutputs = [],
    inputs,
  }: Pick<Job, 'join' | 'cut' | 'parameters' | 'requestedOutputs' | 'inputs'>,
  output: Output,
  { format: { durationSeconds: whole = 0 }, streams }: Pick<MediaInfo, 'format' | 'streams'>,
  shownAt?: number,
): Moment | undefined {
  const kind = mediaKind(output.path, output.streams);
  const hasFrames = streams.some(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  if (join !== undefined || cut !== undefined || whole <= 0 || !hasFrames) return undefined;
  const requested = requestedOutputs.find((one) => one.output === output.path)?.parameters ?? {};
  const options = { ...parameters, ...requested };
  if ([REARRANGES, CHOOSES].some((filters) => hasFilter({ parameters: options }, filters))) return undefined;
  const [first] = inputs ?? [];
  const own = (typeof first === 'object' ? first.parameters : undefined) ?? {};
  if (OWN_TIME.some((name) => name in own || name in options)) return undefined;
  const { start } = convertedPart({ input: own, output: options, duration: whole });
  const loops = Number(own['stream_loop'] ?? 0) || 0;
  const { durationSeconds: length = 0 } = output;
  if (kind === 'image') return start < whole ? { source: start, result: 0 } : undefined;
  if (!['video', 'hls'].includes(kind) || length <= 0) return undefined;
  const result = rounded(shownAt ?? length / 2);
  const source = start + result;
  if (source >= whole && loops === 0) return undefined;
  return { source: rounded(source % whole), result };
}

const rounded = (seconds: number): number => Math.floor(seconds * 1000) / 1000;
