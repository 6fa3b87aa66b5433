import type { MediaInfo, MediaStream } from '../../../domain/media-info.ts';
import { BT709_HEIGHT } from '../../filtergraph/picture-colours.ts';
import { type HdrTransfer, isHdrTransfer } from '../../filtergraph/tone-mapping.ts';

/** The picture of a file, as far as a preview depends on it. */
export interface Picture {
  /** The index of its stream. */
  readonly index: number;
  /** The size at which a player shows it: after rotation, with square pixels. */
  readonly width: number;
  readonly height: number;
  /** The pixels that the decoder holds for one frame. */
  readonly codedPixels: number;
  /** Whether it has one frame only: a still, or the cover of a recording. */
  readonly isStill: boolean;
  readonly hasAlpha: boolean;
  /** The transfer function of an HDR picture. Absent for others. */
  readonly hdrTransfer?: HdrTransfer;
  /** Whether the file does not say its matrix, and the size tells that it is BT.709. */
  readonly isBt709BySize: boolean;
  readonly durationSeconds?: number;
}

/** Pixel formats with an alpha channel, and palettes, whose colours may be transparent. */
const ALPHA = /^(?:yuva|rgba|bgra|argb|abgr|gbrap|ya\d|pal8|ayuv|vuya)/;

/** Demuxers of files with one picture. */
const STILLS = /(?:^image2$|_pipe$)/;

/** Returns the first moving picture of a file, else its first picture. undefined if it has none. */
export function pictureOf({ format, streams }: MediaInfo): Picture | undefined {
  const videos = streams.filter(({ type, width = 0, height = 0 }) => type === 'video' && width > 0 && height > 0);
  const stream = videos.find(({ isAttachedPicture }) => isAttachedPicture !== true) ?? videos[0];
  if (stream === undefined) return undefined;
  const { index, width: w = 0, height: h = 0, codedWidth = w, codedHeight = h, rotationDegrees = 0 } = stream;
  const wide = Math.max(1, Math.round(w * ratioOf(stream)));
  const isTurned = Math.round(Math.abs(rotationDegrees) / 90) % 2 === 1;
  const duration = stream.durationSeconds ?? format.durationSeconds;
  const isStill = stream.isAttachedPicture === true || format.names.some((name) => STILLS.test(name));
  const { pixelFormat = '', colorTransfer, colorSpace } = stream;
  const isYuv = pixelFormat.startsWith('yuv') || pixelFormat.startsWith('p0');
  return {
    index,
    width: isTurned ? h : wide,
    height: isTurned ? wide : h,
    codedPixels: codedWidth * codedHeight,
    isStill,
    hasAlpha: ALPHA.test(pixelFormat),
    ...(isYuv && isHdrTransfer(colorTransfer) && { hdrTransfer: colorTransfer }),
    isBt709BySize: isYuv && colorSpace === undefined && h >= BT709_HEIGHT,
    ...(!isStill && duration !== undefined && duration > 0 && { durationSeconds: duration }),
  };
}

/** The width of a pixel relative to its height. Ratios that no real file has come from damage. */
function ratioOf({ sampleAspectRatio = '1:1' }: MediaStream): number {
  const [x = 1, y = 1] = sampleAspectRatio.split(':').map(Number);
  const ratio = x / y;
  return Number.isFinite(ratio) && ratio >= 0.1 && ratio <= 10 ? ratio : 1;
}

/** The sound of a file, as far as a preview depends on it. */
export interface Sound {
  readonly index: number;
  readonly sampleRate: number;
  readonly durationSeconds?: number;
}

export function soundOf({ format, streams }: MediaInfo): Sound | undefined {
  const stream = streams.find(({ type }) => type === 'audio');
  if (stream === undefined) return undefined;
  const duration = stream.durationSeconds ?? format.durationSeconds;
  return {
    index: stream.index,
    sampleRate: stream.sampleRate ?? 48_000,
    ...(duration !== undefined && duration > 0 && { durationSeconds: duration }),
  };
}
