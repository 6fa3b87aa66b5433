import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { PreviewView } from '@telecine/contract/domain/preview.ts';
import { STILL } from '../../allowlist/containers.ts';
import {
  BT709_HEIGHT,
  type HdrTransfer,
  isHdrTransfer,
  mayBeTransparent,
  onGround,
  toneMapping,
} from '../../filtergraph/video-colours.ts';
import type { Size } from './layout.ts';

/** What a preview needs to know about the video or image of a file. */
export interface ShownVideo {
  readonly index: number;
  /** The width as a player shows the frame: after rotation, with square pixels. */
  readonly width: number;
  readonly height: number;
  /** The pixels that the decoder stores for one frame. */
  readonly codedPixels: number;
  /** True if there is only one frame, as in an image or a cover. */
  readonly isStill: boolean;
  readonly hasAlpha: boolean;
  /** The transfer function of HDR. Absent if the video is not HDR. */
  readonly hdrTransfer?: HdrTransfer;
  /** True if the file names no matrix and the size suggests BT.709. */
  readonly isBt709BySize: boolean;
  readonly durationSeconds?: number;
}

/** The first video of a file, or else its first image. undefined: the file has neither. */
export function videoOf({ format, streams }: MediaInfo): ShownVideo | undefined {
  const videos = streams.filter(({ type, width = 0, height = 0 }) => type === 'video' && width > 0 && height > 0);
  const stream = videos.find(({ isAttachedPicture }) => isAttachedPicture !== true) ?? videos[0];
  if (stream === undefined) return undefined;
  const { index, width: w = 0, height: h = 0, codedWidth = w, codedHeight = h } = stream;
  const wide = Math.max(1, Math.round(w * ratioOf(stream)));
  const turned = isTurned(stream);
  const duration = stream.durationSeconds ?? format.durationSeconds;
  const isStill = stream.isAttachedPicture === true || format.names.some((name) => STILL.test(name));
  const { pixelFormat = '', colorTransfer, colorSpace } = stream;
  const isYuv = pixelFormat.startsWith('yuv') || pixelFormat.startsWith('p0');
  return {
    index,
    width: turned ? h : wide,
    height: turned ? wide : h,
    codedPixels: codedWidth * codedHeight,
    isStill,
    hasAlpha: mayBeTransparent(pixelFormat),
    ...(isYuv && isHdrTransfer(colorTransfer) && { hdrTransfer: colorTransfer }),
    isBt709BySize: isYuv && colorSpace === undefined && h >= BT709_HEIGHT,
    ...(!isStill && duration !== undefined && duration > 0 && { durationSeconds: duration }),
  };
}

/** Whether players show the rows of the stored frame as columns. */
export const isTurned = ({ rotationDegrees = 0 }: MediaStream): boolean =>
  Math.round(Math.abs(rotationDegrees) / 90) % 2 === 1;

/** The width of a pixel divided by its height. Absurd ratios come from damage and count as 1. */
function ratioOf({ sampleAspectRatio = '1:1' }: MediaStream): number {
  const [x = 1, y = 1] = sampleAspectRatio.split(':').map(Number);
  const ratio = x / y;
  return Number.isFinite(ratio) && ratio >= 0.1 && ratio <= 10 ? ratio : 1;
}

export interface ShownAudio {
  readonly index: number;
  readonly sampleRate: number;
  readonly durationSeconds?: number;
  /** Bits per second. Absent: unknown. */
  readonly bitRate?: number;
}

export function audioOf({ format, streams }: MediaInfo): ShownAudio | undefined {
  const stream = streams.find(({ type }) => type === 'audio');
  if (stream === undefined) return undefined;
  const duration = stream.durationSeconds ?? format.durationSeconds;
  return {
    index: stream.index,
    sampleRate: stream.sampleRate ?? 48_000,
    ...(stream.bitRate !== undefined && { bitRate: stream.bitRate }),
    ...(duration !== undefined && duration > 0 && { durationSeconds: duration }),
  };
}

/** The colour behind transparent images, and around images that are smaller than a tile. Both constants are the same grey. */
const GREY = 0x80;
const GROUND = '0x808080';

/**
 * The filters that make a tile of a rotated frame. Scaling comes first, so that the other filters process few pixels. `times`: the file to
 * which the time of each frame is written.
 */
export function frameChain(
  { hasAlpha, hdrTransfer, isBt709BySize }: ShownVideo,
  { frame, tile }: { readonly frame: Size; readonly tile: Size },
  times: string,
  { mapsTones }: { readonly mapsTones: boolean },
): string {
  const scale = `scale=w=${frame.width}:h=${frame.height}:flags=area`;
  const toRgb = isBt709BySize ? `${scale}:in_color_matrix=bt709` : scale;
  const toTile =
    hdrTransfer !== undefined && mapsTones
      ? [mapTones(frame, hdrTransfer), 'format=rgb24']
      : hasAlpha
        ? [toRgb, onGround(GREY), 'format=rgb24']
        : [toRgb, 'format=rgb24'];
  const fills = frame.width === tile.width && frame.height === tile.height;
  return [
    // Delete the metadata first, because decoders copy tags of the file into it.
    'metadata=mode=delete,metadata=mode=add:key=telecine:value=1',
    `metadata=mode=print:key=telecine:file=${times}:direct=1`,
    ...toTile,
    ...(fills ? [] : [`pad=w=${tile.width}:h=${tile.height}:x=-1:y=-1:color=${GROUND}`]),
    'setsar=1',
  ].join(',');
}

/** Without subsampling: zscale rejects a width or height that the subsampling does not divide. */
const mapTones = ({ width, height }: Size, transfer: HdrTransfer): string =>
  `${toneMapping({ input: `w=${width}:h=${height}:tin=${transfer}:min=bt2020nc:pin=bt2020:`, pixelFormat: 'yuv444p' })},scale=in_color_matrix=bt709`;

/** The maximum number of samples of one channel that filters keep in memory: 20 minutes at 48 kHz, or two hours at 8 kHz. */
const MAX_SAMPLES = 60_000_000;

const RATES = [48_000, 32_000, 24_000, 16_000, 8000, 4000, 2000, 1000];

/** The sample rate of a waveform, in Hz. A column shows many samples, so high frequencies are not needed. */
const WAVEFORM_RATE = 8000;

/** Of a longer stream, only a part is decoded for a waveform. In seconds. */
const WHOLE_SECONDS = 1200;
/** How many seconds of a longer stream are decoded. */
const SAMPLED_SECONDS = 900;
/** The maximum size of the file with the sampled packets, in bytes. Runs for previews may write 64 MiB. */
const SAMPLED_BYTES = 40_000_000;
/** Assumed if the file does not tell the bit rate: that of compressed lossless audio. */
const USUAL_BIT_RATE = 1_000_000;

/** Returns n if every n-th part of an audio stream is enough for its waveform. 1: the stream is short, so all of it is decoded. */
export function waveformShare({ bitRate = USUAL_BIT_RATE }: Pick<ShownAudio, 'bitRate'>, seconds: number): number {
  if (seconds <= WHOLE_SECONDS) return 1;
  return Math.ceil(Math.max(seconds / SAMPLED_SECONDS, (seconds * bitRate) / 8 / SAMPLED_BYTES));
}

/** The colour of a waveform. Its background is transparent. */
const COLOUR = '0x2563eb';

/** The sample rate at which the audio is read, in Hz. `seconds`: the duration of the audio. */
export function readRate(view: PreviewView, { sampleRate }: ShownAudio, seconds: number): number {
  const most = Math.min(view === 'waveform' ? WAVEFORM_RATE : 48_000, MAX_SAMPLES / Math.max(1, seconds));
  return Math.min(sampleRate, RATES.find((rate) => rate <= most) ?? 1000);
}

/** The graph that draws the audio. Its output is `[o]`. */
export function audioGraph(view: PreviewView, { index }: ShownAudio, rate: number, { width, height }: Size): string {
  const size = `s=${width}x${height}`;
  const source = `[0:${index}]aresample=${rate}`;
  return view === 'waveform'
    ? // At most two channels, one over the other. In their sum, sounds of opposite phase would vanish.
      `${source},aformat=channel_layouts=mono|stereo,showwavespic=${size}:draw=full:filter=peak:colors=${COLOUR}|${COLOUR},format=rgba[o]`
    : `${source},aformat=channel_layouts=mono,showspectrumpic=${size}:legend=0:color=intensity:scale=log,format=rgb24[o]`;
}
