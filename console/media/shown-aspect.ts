import type { Size } from '../picture/region.ts';

interface Frame {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly rotationDegrees?: number | undefined;
}

interface Stream extends Frame {
  readonly type: string;
  readonly sampleAspectRatio?: string | undefined;
}

const isTurned = ({ rotationDegrees = 0 }: Frame): boolean => Math.round(Math.abs(rotationDegrees) / 90) % 2 === 1;

/** The frame size as it is stored, after rotation. undefined: the stream has none. */
export function turnedSize(frame: Frame): Size | undefined {
  const { width, height } = frame;
  if (!width || !height) return undefined;
  return isTurned(frame) ? { width: height, height: width } : { width, height };
}

/** `turnedSize` as thumbnails say it too: `854×480`. */
export function frameSizeText(frame: Frame): string | undefined {
  const size = turnedSize(frame);
  return size && `${size.width}×${size.height}`;
}

/** The aspect ratio of most videos, for a file that is not read yet. */
export const USUAL_ASPECT = 16 / 9;

/** The aspect ratio at which players show the first video of a file: after rotation, with square pixels. */
export function shownAspect(streams: readonly Stream[]): number {
  const video = streams.find(({ type }) => type === 'video');
  const { width, height, sampleAspectRatio } = video ?? {};
  if (!video || !width || !height) return USUAL_ASPECT;
  const [x = 1, y = 1] = (sampleAspectRatio ?? '1:1').split(':').map(Number);
  const aspect = (width / height) * (x > 0 && y > 0 ? x / y : 1);
  return isTurned(video) ? 1 / aspect : aspect;
}
