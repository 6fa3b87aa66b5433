import type { PictureColours } from '../../filtergraph/picture-colours.ts';
import { readRate } from '../../values/rate.ts';
import { parseSize } from '../../values/size.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import type { Clip, ClipPicture } from './clip.ts';
import { chooseColours, isDeep } from './target-colours.ts';

/** What all pictures of a joined film become. */
export interface TargetPicture {
  readonly width: number;
  readonly height: number;
  /** Frames a second, as ffmpeg reads it: `30000/1001`. */
  readonly rate: string;
  readonly framesPerSecond: number;
  readonly pixelFormat: string;
  /** Absent for pixel formats that have none, such as RGB. */
  readonly colours?: PictureColours;
}

/** What all sounds of a joined film become. */
export interface TargetSound {
  readonly sampleRate: number;
  /** `stereo`, `5.1`. */
  readonly layout: string;
}

/** The size if no clip tells one: all are sources. */
const DEFAULT_SIZE = { width: 1280, height: 720 };
const DEFAULT_RATE = 25;

/**
 * Chooses what the pictures become: the client's `s`, `r` and `pix_fmt`; else the size of the largest picture, the highest
 * rate, the common pixel format or 4:2:0, which all players show, and one meaning of colours.
 */
export function choosePicture(clips: readonly Clip[], options: readonly ArgvOption[]): TargetPicture {
  const pictures = clips.flatMap(({ picture }) => (picture === undefined || picture.isFlexible ? [] : [picture]));
  const sentRate = videoValue(options, 'r');
  const framesPerSecond = (sentRate && readRate(sentRate)) || usualRate(highestRate(pictures));
  const size = parseSize(videoValue(options, 's') ?? '') ?? largestSize(pictures);
  const pixelFormat = choosePixelFormat(pictures, options);
  const colours = chooseColours(clips, { height: size.height, pixelFormat });
  return {
    ...size,
    rate: sentRate !== undefined && readRate(sentRate) !== undefined ? sentRate : rateText(framesPerSecond),
    framesPerSecond,
    pixelFormat,
    ...(colours && { colours }),
  };
}

/** Returns the value of an option that applies to the video. */
const videoValue = (options: readonly ArgvOption[], name: string): string | undefined =>
  options.findLast(({ key }) => key === name || key === `${name}:v` || key === `${name}:v:0`)?.values[0];

const audioValue = (options: readonly ArgvOption[], name: string): string | undefined =>
  options.findLast(({ key }) => key === name || key === `${name}:a` || key === `${name}:a:0`)?.values[0];

/** An even number near `value`: most encoders need even sizes. */
export const even = (value: number): number => Math.max(2, 2 * Math.round(value / 2));

/** The size of a picture with square pixels, which keeps its height. */
export const squareSize = ({ width, height, pixelAspect }: ClipPicture) => ({ width: width * pixelAspect, height });

function largestSize(pictures: readonly ClipPicture[]): Pick<TargetPicture, 'width' | 'height'> {
  const sizes = pictures.map(squareSize);
  const [first = DEFAULT_SIZE, ...others] = sizes;
  const largest = others.reduce(
    (best, one) => (one.width * one.height > best.width * best.height * (1 + EQUAL) ? one : best),
    first,
  );
  return { width: even(largest.width), height: even(largest.height) };
}

/** Sizes that differ by less count as equal: the first of them is chosen. */
const EQUAL = 0.001;

/** Above this rate, an average is that of a container without a real one. */
const MAX_RATE = 120;

const highestRate = (pictures: readonly ClipPicture[]): number =>
  Math.max(0, ...pictures.flatMap(({ rate = 0 }) => (rate <= MAX_RATE ? [rate] : []))) || DEFAULT_RATE;

/** Rates that films have. */
const USUAL = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60, 100, 120];

/** The part by which the average rate of a recording may differ from the nominal one. */
const RATE_TOLERANCE = 0.005;

/** The usual rate next to a rate, or the rate itself if there is none near it. */
export function usualRate(rate: number): number {
  const nearest = USUAL.reduce((best, one) => (Math.abs(one - rate) < Math.abs(best - rate) ? one : best));
  return Math.abs(nearest - rate) <= nearest * RATE_TOLERANCE ? nearest : rate;
}

/** Prints a rate as `25`, `30000/1001` or `12500/1000`. */
function rateText(rate: number): string {
  if (Number.isInteger(rate)) return `${rate}`;
  const nominal = Math.round(rate * 1.001);
  return Math.abs((nominal * 1000) / 1001 - rate) < 1e-6 ? `${nominal * 1000}/1001` : `${Math.round(rate * 1000)}/1000`;
}

/** Encoders whose films players show in 8 bits only. The default encoders of films are among them. */
const SHOWN_IN_8_BITS = /^(?:libx264|libopenh264|h264_\w+|libvpx|mpeg[124]\w*|libxvid|libtheora|flv)$/;
/** Those whose films they also show in 10 bits. */
const SHOWN_IN_10_BITS = /^(?:libx265|libkvazaar|hevc_\w+|libaom-av1|libsvtav1|librav1e|av1_\w+|libvpx-vp9)$/;

/** The common format of the films, unless players would not show it. Encoders for editing, such as ProRes, keep it. */
function choosePixelFormat(pictures: readonly ClipPicture[], options: readonly ArgvOption[]): string {
  const sent = videoValue(options, 'pix_fmt');
  if (sent !== undefined && /^[a-z0-9]+$/.test(sent)) return sent;
  const films = pictures.filter(({ rate }) => rate !== undefined);
  const encoder = videoValue(options, 'c');
  if (encoder === undefined || SHOWN_IN_8_BITS.test(encoder)) return 'yuv420p';
  if (SHOWN_IN_10_BITS.test(encoder))
    return films.length > 0 && films.every(({ pixelFormat }) => isDeep(pixelFormat)) ? 'yuv420p10le' : 'yuv420p';
  const formats = new Set(films.map(({ pixelFormat }) => pixelFormat));
  const [common] = formats;
  return common !== undefined && formats.size === 1 && /^yuv4/.test(common) ? common : 'yuv420p';
}

const DEFAULT_SAMPLE_RATE = 48_000;

/** The layouts that ffmpeg assumes for a number of channels. */
const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

/** Chooses what the sounds become: the client's `ar` and `ac`; else the highest sample rate and the most channels. */
export function chooseSound(clips: readonly Clip[], options: readonly ArgvOption[]): TargetSound {
  const sounds = clips.flatMap(({ sound }) => sound ?? []);
  const rates = sounds.flatMap(({ sampleRate }) => sampleRate ?? []);
  const sentRate = Number(audioValue(options, 'ar'));
  const sentLayout = LAYOUTS[Number(audioValue(options, 'ac'))];
  const most = sounds.reduce<(typeof sounds)[number] | undefined>(
    (best, one) => ((one.channels ?? 0) > (best?.channels ?? 0) ? one : best),
    undefined,
  );
  const own = most?.layout !== undefined && /^[\w.()]+$/.test(most.layout) ? most.layout : undefined;
  return {
    sampleRate: sentRate > 0 ? sentRate : rates.length === 0 ? DEFAULT_SAMPLE_RATE : Math.max(...rates),
    layout: sentLayout ?? own ?? LAYOUTS[most?.channels ?? 2] ?? 'stereo',
  };
}
