import type { ConversionRequest, MediaInfo } from '@telecine/client';
import { mediaKind } from '../media/media-kind.ts';
import { isImage } from './preview-request.ts';

/** The shortest length of the first frames, in seconds. */
const SHORTEST = 0.2;

/**
 * How many seconds of a source to convert for its first frames: at least two frames. undefined: the result has no frames, or is one image,
 * which is converted as fast as a first frame.
 */
export function stillSecondsOf(
  { output, outputs, format }: Pick<ConversionRequest, 'output' | 'outputs' | 'format'>,
  info: Pick<MediaInfo, 'streams'> | undefined,
): number | undefined {
  const path = outputs?.[0]?.output ?? output ?? '';
  const extension = /\.(\w{1,8})$/.exec(path)?.[1] ?? outputs?.[0]?.format ?? format ?? '';
  const video = info?.streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  if (video === undefined || isImage(extension) || mediaKind(`a.${extension}`) === 'audio') return undefined;
  return Math.max(SHORTEST, 2 / Math.max(0.1, video.frameRate ?? 25));
}
