import { frameRateOf, rateText } from '../../filtergraph/crossfades.ts';
import {
  BT709,
  BT709_HEIGHT,
  type ColourMatrix,
  hasColours,
  isColourMatrix,
  isDeep,
  type VideoColours,
} from '../../filtergraph/video-colours.ts';
import { readRate } from '../../values/rate.ts';
import { parseSize } from '../../values/size.ts';
import { type ArgvOption, audioValue, videoValue } from '../request/argv-option.ts';
import type { Clip, ClipVideo } from './clip.ts';

/** The format to which all videos and images of a joined output are converted. */
export interface TargetVideo {
  readonly width: number;
  readonly height: number;
  /** In ffmpeg's syntax: `30000/1001`. */
  readonly rate: string;
  readonly framesPerSecond: number;
  readonly pixelFormat: string;
  /** Absent for a pixel format without colour tags, such as RGB. */
  readonly colours?: VideoColours;
}

/** The format to which all audio of a joined output is converted. */
export interface TargetAudio {
  readonly sampleRate: number;
  readonly layout: string;
}

/** The frame size if filtergraphs generate all clips. */
const DEFAULT_SIZE = { width: 1280, height: 720 };
const DEFAULT_RATE = 25;

/**
 * Chooses the format of the video. The client's `s`, `r` and `pix_fmt` win. If they are missing: the largest size, the highest rate, and
 * the pixel format that all clips share, or else 4:2:0, which all players support.
 */
export function chooseVideo(clips: readonly Clip[], options: readonly ArgvOption[]): TargetVideo {
  const clipVideos = clips.flatMap(({ video }) => (video === undefined || video.isFlexible ? [] : [video]));
  const sentRate = videoValue(options, 'r');
  const framesPerSecond = (sentRate && readRate(sentRate)) || usualRate(highestRate(clipVideos));
  const size = parseSize(videoValue(options, 's') ?? '') ?? largestSize(clipVideos);
  const pixelFormat = choosePixelFormat(clipVideos, options);
  const colours = chooseColours(clips, { height: size.height, pixelFormat });
  return {
    ...size,
    rate:
      sentRate !== undefined && readRate(sentRate) !== undefined ? sentRate : rateText(frameRateOf(framesPerSecond)),
    framesPerSecond,
    pixelFormat,
    ...(colours && { colours }),
  };
}

/** An even number near `value`. Most encoders need even sizes. */
export const even = (value: number): number => Math.max(2, 2 * Math.round(value / 2));

/** The size of a video in square pixels, with the same height. */
export const squareSize = ({ width, height, pixelAspect }: ClipVideo) => ({ width: width * pixelAspect, height });

function largestSize(clipVideos: readonly ClipVideo[]): Pick<TargetVideo, 'width' | 'height'> {
  const sizes = clipVideos.map(squareSize);
  const [first = DEFAULT_SIZE, ...others] = sizes;
  const largest = others.reduce(
    (best, one) => (one.width * one.height > best.width * best.height * (1 + EQUAL) ? one : best),
    first,
  );
  return { width: even(largest.width), height: even(largest.height) };
}

/** Areas that differ by less than this share count as equal. Of equal areas, the first is chosen. */
const EQUAL = 0.001;

/** The highest average rate to believe. A higher rate comes from a container without a real frame rate. */
const MAX_RATE = 120;

const highestRate = (clipVideos: readonly ClipVideo[]): number =>
  Math.max(0, ...clipVideos.flatMap(({ rate = 0 }) => (rate <= MAX_RATE ? [rate] : []))) || DEFAULT_RATE;

const USUAL_RATES = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60, 100, 120];

/** By which fraction the average rate of a recording may differ from a usual rate. */
const RATE_TOLERANCE = 0.005;

/** The nearest usual rate. If none is near, the rate itself. */
export function usualRate(rate: number): number {
  const nearest = USUAL_RATES.reduce((best, one) => (Math.abs(one - rate) < Math.abs(best - rate) ? one : best));
  return Math.abs(nearest - rate) <= nearest * RATE_TOLERANCE ? nearest : rate;
}

/** Encoders whose videos players support in 8 bits only. Most default encoders are among them. */
const SHOWN_IN_8_BITS = /^(?:libx264|libopenh264|h264_\w+|libvpx|mpeg[124]\w*|libxvid|libtheora|flv)$/;
/** Encoders whose videos players support in 10 bits too. */
const SHOWN_IN_10_BITS = /^(?:libx265|libkvazaar|hevc_\w+|libaom-av1|libsvtav1|librav1e|av1_\w+|libvpx-vp9)$/;

/** Chooses the pixel format that all videos share, if players support it for the encoder. Encoders for editing always keep it. */
function choosePixelFormat(clipVideos: readonly ClipVideo[], options: readonly ArgvOption[]): string {
  const sent = videoValue(options, 'pix_fmt');
  if (sent !== undefined && /^[a-z0-9]+$/.test(sent)) return sent;
  const videos = clipVideos.filter(({ rate }) => rate !== undefined);
  const encoder = videoValue(options, 'c');
  if (encoder === undefined || SHOWN_IN_8_BITS.test(encoder)) return 'yuv420p';
  if (SHOWN_IN_10_BITS.test(encoder))
    return videos.length > 0 && videos.every(({ pixelFormat }) => isDeep(pixelFormat)) ? 'yuv420p10le' : 'yuv420p';
  const formats = new Set(videos.map(({ pixelFormat }) => pixelFormat));
  const [common] = formats;
  return common !== undefined && formats.size === 1 && /^yuv4/.test(common) ? common : 'yuv420p';
}

const DEFAULT_SAMPLE_RATE = 48_000;

/** The channel layouts that ffmpeg assumes for a number of channels. */
const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

/**
 * Chooses the format of the audio. The client's `ar` and `ac` win. If they are missing: the highest sample rate, and the layout with the
 * most channels.
 */
export function chooseAudio(clips: readonly Clip[], options: readonly ArgvOption[]): TargetAudio {
  const audios = clips.flatMap(({ audio }) => audio ?? []);
  const rates = audios.flatMap(({ sampleRate }) => sampleRate ?? []);
  const sentRate = Number(audioValue(options, 'ar'));
  const sentLayout = LAYOUTS[Number(audioValue(options, 'ac'))];
  const most = audios.reduce<(typeof audios)[number] | undefined>(
    (best, one) => ((one.channels ?? 0) > (best?.channels ?? 0) ? one : best),
    undefined,
  );
  const own = most?.layout !== undefined && /^[\w.()]+$/.test(most.layout) ? most.layout : undefined;
  return {
    sampleRate: sentRate > 0 ? sentRate : rates.length === 0 ? DEFAULT_SAMPLE_RATE : Math.max(...rates),
    layout: sentLayout ?? own ?? LAYOUTS[most?.channels ?? 2] ?? 'stereo',
  };
}

/** The primaries and the transfer function that usually belong to a matrix. */
const USUAL_COLOURS: Readonly<Record<ColourMatrix, VideoColours>> = {
  bt709: BT709,
  smpte170m: { matrix: 'smpte170m', primaries: 'smpte170m', transfer: 'smpte170m' },
  bt470bg: { matrix: 'bt470bg', primaries: 'bt470bg', transfer: 'smpte170m' },
  bt2020nc: { matrix: 'bt2020nc', primaries: 'bt2020', transfer: 'bt2020-10' },
};

/** The primaries and transfer functions of clips that a joined output keeps. */
const KNOWN_PRIMARIES: ReadonlySet<string> = new Set(['bt709', 'smpte170m', 'bt470bg', 'bt2020', 'smpte432']);
const KNOWN_TRANSFERS: ReadonlySet<string> = new Set(['bt709', 'smpte170m', 'bt470bg', 'iec61966-2-1', 'bt2020-10']);

/**
 * Chooses the colours of the joined video. Colours that all videos share stay. Otherwise HD gets BT.709, and smaller videos get BT.601. HDR
 * stays if all clips are HDR of one kind and the pixel format has more than 8 bits. undefined: the pixel format has no colour tags.
 */
function chooseColours(
  clips: readonly Clip[],
  { height, pixelFormat }: { readonly height: number; readonly pixelFormat: string },
): VideoColours | undefined {
  if (!hasColours(pixelFormat)) return undefined;
  const clipVideos = clips.flatMap(({ video }) => video ?? []);
  const hdr = isDeep(pixelFormat) ? commonHdr(clipVideos) : undefined;
  if (hdr !== undefined) return hdr;
  const videos = clipVideos.filter(({ hdrTransfer, rate }) => hdrTransfer === undefined && rate !== undefined);
  const matrix = common(videos, (video) => video.colours?.matrix);
  if (!isColourMatrix(matrix)) return videos.length === 0 || height >= BT709_HEIGHT ? BT709 : USUAL_COLOURS.smpte170m;
  const primaries = common(videos, (video) => video.colours?.primaries);
  const transfer = common(videos, (video) => video.colours?.transfer);
  return {
    matrix,
    primaries: known(primaries, KNOWN_PRIMARIES) ?? USUAL_COLOURS[matrix].primaries,
    transfer: known(transfer, KNOWN_TRANSFERS) ?? USUAL_COLOURS[matrix].transfer,
  };
}

/** The HDR colours that all clips share. undefined: they share none. */
function commonHdr(clipVideos: readonly ClipVideo[]): VideoColours | undefined {
  const transfer = common(clipVideos, ({ hdrTransfer }) => hdrTransfer);
  const isBt2020 = clipVideos.every(({ colours }) => colours?.matrix === 'bt2020nc');
  return transfer !== undefined && isBt2020 ? { ...USUAL_COLOURS.bt2020nc, transfer } : undefined;
}

/** The value that all clips have. undefined: it differs, or there are no clips. */
function common<T>(clipVideos: readonly ClipVideo[], read: (video: ClipVideo) => T): T | undefined {
  const values = new Set(clipVideos.map(read));
  const [value] = values;
  return values.size === 1 ? value : undefined;
}

const known = (value: string | undefined, values: ReadonlySet<string>): string | undefined =>
  value !== undefined && values.has(value) ? value : undefined;
