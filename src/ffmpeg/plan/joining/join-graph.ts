import type { Clip, ClipPicture, ClipSound } from './clip.ts';
import { even, squareSize, type TargetPicture, type TargetSound } from './target.ts';

/** What a joined film has: a picture, a sound, or both. */
export interface JoinTarget {
  readonly picture?: TargetPicture;
  readonly sound?: TargetSound;
}

/** The labels of the joined streams. */
export const JOINED = { picture: 'joined_v', sound: 'joined_a' } as const;

/**
 * Prints the graph that makes clips alike and shows them one after the other. The stream `[0:v]` of ffmpeg belongs to the
 * first clip. A clip without a picture gets a black one, and a clip without a sound gets silence.
 */
export function printJoinGraph(clips: readonly Clip[], { picture, sound }: JoinTarget): string {
  const chains: string[] = [];
  const pads: string[] = [];
  for (const [index, clip] of clips.entries()) {
    const isLast = index === clips.length - 1;
    if (picture !== undefined) {
      const chain =
        clip.picture === undefined
          ? blackPicture(clip.seconds, picture)
          : `[${index}:${clip.picture.stream}]${fitPicture(clip.picture, picture)}`;
      chains.push(`${chain}[v${index}]`);
      pads.push(`[v${index}]`);
    }
    if (sound !== undefined) {
      const chain =
        clip.sound === undefined
          ? silence(clip.seconds, sound, isLast || picture === undefined ? 0 : 1 / picture.framesPerSecond)
          : `[${index}:${clip.sound.stream}]${fitSound(clip.sound, sound)}`;
      chains.push(`${chain}[a${index}]`);
      pads.push(`[a${index}]`);
    }
  }
  const outputs = [...(picture === undefined ? [] : [JOINED.picture]), ...(sound === undefined ? [] : [JOINED.sound])];
  const counts = `n=${clips.length}:v=${Number(picture !== undefined)}:a=${Number(sound !== undefined)}`;
  return [...chains, `${pads.join('')}concat=${counts}${outputs.map((one) => `[${one}]`).join('')}`].join(';');
}

/** The filters that make a picture fit: scaled as a whole, on black, with square pixels. */
function fitPicture(picture: ClipPicture, target: TargetPicture): string {
  return `${scaleTo(picture, target)},setsar=sar=1,fps=fps=${target.rate},format=pix_fmts=${target.pixelFormat}`;
}

function scaleTo(picture: ClipPicture, target: TargetPicture): string {
  const pad = `,pad=width=${target.width}:height=${target.height}:x=(ow-iw)/2:y=(oh-ih)/2`;
  // Only the filters of a source know its size.
  if (picture.isFlexible)
    return `scale=width=${target.width}:height=${target.height}:force_original_aspect_ratio=decrease${pad}`;
  const { width, height } = fittedSize(picture, target);
  const isFilled = width === target.width && height === target.height;
  return `scale=width=${width}:height=${height}${isFilled ? '' : pad}`;
}

/** The largest even size with the shape of a picture that fits into the target. */
function fittedSize(picture: ClipPicture, target: TargetPicture): { readonly width: number; readonly height: number } {
  const { width, height } = squareSize(picture);
  const factor = Math.min(target.width / width, target.height / height);
  const sideOf = (side: number, most: number): number =>
    Math.abs(side * factor - most) < 2 ? most : even(side * factor);
  return { width: sideOf(width, target.width), height: sideOf(height, target.height) };
}

const fitSound = ({ sampleRate, layout }: ClipSound, target: TargetSound): string =>
  sampleRate === target.sampleRate && layout === target.layout ? 'anull' : soundFormat(target);

const soundFormat = ({ sampleRate, layout }: TargetSound): string =>
  `aformat=sample_rates=${sampleRate}:channel_layouts=${layout}`;

/** The length of what replaces a missing stream if that of the clip is unknown: `concat` fills the rest with silence. */
const SHORT = 0.04;

const blackPicture = (seconds = SHORT, { width, height, rate, pixelFormat }: TargetPicture): string =>
  `color=color=black:size=${width}x${height}:rate=${rate}:duration=${print(seconds)},setsar=sar=1,format=pix_fmts=${pixelFormat}`;

/**
 * @param less Seconds that the silence ends early. `concat` fills them, except in its last part: silence that is longer than
 *   the pictures would delay the next clip.
 */
const silence = (seconds = SHORT, { sampleRate, layout }: TargetSound, less: number): string =>
  `anullsrc=channel_layout=${layout}:sample_rate=${sampleRate},atrim=duration=${print(Math.max(SHORT, seconds - less))}`;

const print = (seconds: number): string => `${Math.round(seconds * 1e6) / 1e6}`;
