import type { ConversionRequest, MediaInfo } from '@telecine/client';
import { mediaKind } from '../media/media-kind.ts';
import { isImage } from './preview-request.ts';

/** The shortest length that is read, in seconds. */
const SHORTEST = 0.1;

type Named = Pick<ConversionRequest, 'output' | 'outputs' | 'format'>;
type Info = Pick<MediaInfo, 'streams'> | undefined;

/**
 * How many seconds of a source to read for the first frame of the result. They have at least two frames. undefined: no first frame is converted
 * by itself, because the result has no frames, or is one image.
 */
export function stillSecondsOf(request: Named, info: Info): number | undefined {
  if (!hasFrames(request, info) || isImage(extensionOf(request))) return undefined;
  return Math.max(SHORTEST, 2 / frameRateOf(info));
}

/** Whether a preview has frames to compare: its source has a video, and its result is not only sound. */
export const hasFrames = (request: Named, info: Info): boolean =>
  videoOf(info) !== undefined && mediaKind(`a.${extensionOf(request)}`) !== 'audio';

/** The frames a second of a source. */
export const frameRateOf = (info: Info): number => Math.max(0.1, videoOf(info)?.frameRate ?? 25);

const videoOf = (info: Info) =>
  info?.streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);

/** The extension of the first output. */
function extensionOf({ output, outputs, format }: Named): string {
  const path = outputs?.[0]?.output ?? output ?? '';
  return /\.(\w{1,8})$/.exec(path)?.[1] ?? outputs?.[0]?.format ?? format ?? '';
}
