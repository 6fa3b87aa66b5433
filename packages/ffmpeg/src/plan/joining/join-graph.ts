import {
  type FrameRate,
  frameRateOf,
  framesIn,
  joinPictures,
  joinSounds,
  limitCrossfades,
  type Part,
  samplesOf,
  secondsOfFrames,
  totalFrames,
} from '../../filtergraph/crossfades.ts';
import { BT709, scaledTo, taggedAs, toneMapping } from '../../filtergraph/picture-colours.ts';
import type { Clip, ClipPicture, ClipSound } from './clip.ts';
import { even, squareSize, type TargetPicture, type TargetSound } from './target.ts';

/** The streams of a joined output, and their formats. */
export interface JoinTarget {
  readonly picture?: TargetPicture;
  readonly sound?: TargetSound;
}

export const JOINED = { picture: 'joined_v', sound: 'joined_a' } as const;

/** Prints the graph that plays clips one after the other. A clip without video or audio gets black frames or silence. */
export function printJoinGraph(clips: readonly Clip[], target: JoinTarget): string {
  return clips.some(({ input }) => input.crossfade !== undefined)
    ? printFadingGraph(clips, target)
    : printConcatenation(clips, target);
}

function printConcatenation(clips: readonly Clip[], { picture, sound }: JoinTarget): string {
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

/**
 * Prints the graph that joins clips with crossfades. The filters for that need to know where each clip ends, so each gets an exact length
 * in whole frames: its last frame is repeated, and silence is added.
 */
function printFadingGraph(clips: readonly Clip[], target: JoinTarget): string {
  const { picture, sound } = target;
  const rate = rateOfJoin(target);
  const parts = fadingParts(clips, rate);
  const chains: string[] = [];
  const label = (kind: 'v' | 'a') => (part: (typeof parts)[number], index: number) => ({
    ...part,
    label: `${kind}${index}`,
  });
  if (picture !== undefined) {
    for (const [index, clip] of clips.entries()) {
      const { frames = 0 } = parts[index] ?? {};
      const chain =
        clip.picture === undefined
          ? blackPicture(secondsOfFrames(frames, rate), picture)
          : `[${index}:${clip.picture.stream}]${fitPicture(clip.picture, picture, ':start_time=0')},tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames}`;
      chains.push(`${chain}[v${index}]`);
    }
    const joined = joinPictures(parts.map(label('v')), rate, chains);
    // xfade outputs only 4:4:4 and RGB. In ffmpeg 5.1, it may also end one frame late.
    chains.push(
      `[${joined}]trim=end_frame=${totalFrames(parts)},format=pix_fmts=${picture.pixelFormat}[${JOINED.picture}]`,
    );
  }
  if (sound !== undefined) {
    for (const [index, clip] of clips.entries()) {
      const samples = samplesOf(parts[index]?.frames ?? 0, rate, sound.sampleRate);
      const chain =
        clip.sound === undefined
          ? `anullsrc=channel_layout=${sound.layout}:sample_rate=${sound.sampleRate}`
          : `[${index}:${clip.sound.stream}]${soundFormat(sound)},aresample=async=1:first_pts=0,apad`;
      chains.push(`${chain},atrim=end_sample=${samples}[a${index}]`);
    }
    const joined = joinSounds(parts.map(label('a')), rate, sound.sampleRate, chains);
    chains.push(`[${joined}]anull[${JOINED.sound}]`);
  }
  return chains.join(';');
}

/** The rate of the frames in which the lengths of clips with crossfades are counted. Audio without video counts in milliseconds. */
export const rateOfJoin = ({ picture }: JoinTarget): FrameRate =>
  picture === undefined ? { frames: 1000, per: 1 } : frameRateOf(picture.framesPerSecond);

/** The assumed length of a clip that was not probed, in seconds. A graph that runs has only probed clips. */
const ASSUMED_SECONDS = 10;

/** The lengths and crossfades of clips, in frames. */
export function fadingParts(clips: readonly Clip[], rate: FrameRate): readonly Omit<Part, 'label'>[] {
  const lengths = clips.map(({ seconds = ASSUMED_SECONDS }) => Math.max(1, framesIn(seconds, rate)));
  const asked = clips.map(({ input: { crossfade } }) =>
    crossfade === undefined ? 0 : framesIn(crossfade.seconds, rate),
  );
  const crossfades = limitCrossfades(lengths, asked);
  return lengths.map((frames, index) => ({ frames, crossfade: crossfades[index] ?? 0 }));
}

/** The filters that fit a clip to the target: deinterlaced, scaled, on black, with square pixels and the target's colours. */
function fitPicture(picture: ClipPicture, target: TargetPicture, fps = ''): string {
  const { width, height, isPadded } = placeOf(picture, target);
  return [
    // Scaling would mix the two fields of a frame.
    ...(picture.isInterlaced === true ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    ...toColours(picture, target, `scale=width=${width}:height=${height}${isPadded === undefined ? SHRINK : ''}`),
    ...(isPadded === false ? [] : [`pad=width=${target.width}:height=${target.height}:x=(ow-iw)/2:y=(oh-ih)/2`]),
    'setsar=sar=1',
    `fps=fps=${target.rate}${fps}`,
    ...tags(target),
  ].join(',');
}

const SHRINK = ':force_original_aspect_ratio=decrease';

/** The size of a clip within the target. `isPadded` undefined: only the filters of a source know its size. */
function placeOf(
  picture: ClipPicture,
  target: TargetPicture,
): { readonly width: number; readonly height: number; readonly isPadded: boolean | undefined } {
  if (picture.isFlexible) return { width: target.width, height: target.height, isPadded: undefined };
  const { width, height } = fittedSize(picture, target);
  return { width, height, isPadded: width !== target.width || height !== target.height };
}

/** True if a clip is HDR, and the joined output has another transfer function. */
export const needsToneMapping = ({ hdrTransfer }: ClipPicture, { colours }: TargetPicture): boolean =>
  hdrTransfer !== undefined && colours?.transfer !== hdrTransfer;

/** The filter `scale`, and the conversion to the colours of the joined output. */
function toColours(picture: ClipPicture, target: TargetPicture, scale: string): readonly string[] {
  const { hdrTransfer, colours: own } = picture;
  const { colours, pixelFormat } = target;
  if (hdrTransfer !== undefined && needsToneMapping(picture, target)) {
    const isNamed = own !== undefined && !own.isGuessed && own.primaries !== undefined;
    const input = isNamed ? '' : `tin=${hdrTransfer}:min=2020_ncl:pin=2020:`;
    const matrix = colours?.matrix ?? BT709.matrix;
    // Scaling comes first, because tone mapping is most of the work.
    return [scale, toneMapping({ input, matrix, pixelFormat: `pix_fmts=${pixelFormat}` })];
  }
  const format = `format=pix_fmts=${pixelFormat}`;
  if (colours === undefined) return [scale, format];
  // By default, `scale` assumes BT.601.
  const guessed = own?.isGuessed === true && own.matrix === 'bt709' ? ':in_color_matrix=bt709' : '';
  return [`${scale}${guessed}:${scaledTo(colours)}`, format];
}

const tags = ({ colours }: TargetPicture): readonly string[] => (colours === undefined ? [] : [taggedAs(colours)]);

/** The largest even size that fits into the target and has the shape of the clip. */
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

/** How long black frames or silence last if the length of the clip is unknown, in seconds. `concat` pads the audio with silence. */
const SHORT = 0.04;

function blackPicture(seconds = SHORT, target: TargetPicture): string {
  const { width, height, rate, pixelFormat } = target;
  const black = `color=color=black:size=${width}x${height}:rate=${rate}:duration=${printSeconds(seconds)}`;
  return [black, 'setsar=sar=1', `format=pix_fmts=${pixelFormat}`, ...tags(target)].join(',');
}

/**
 * A source of silence.
 *
 * @param less By how many seconds the silence is shorter than the clip. `concat` fills them, except in its last part. Silence that is
 * longer than the video would delay the next clip.
 */
const silence = (seconds = SHORT, { sampleRate, layout }: TargetSound, less: number): string =>
  `anullsrc=channel_layout=${layout}:sample_rate=${sampleRate},atrim=duration=${printSeconds(Math.max(SHORT, seconds - less))}`;

export const printSeconds = (seconds: number): string => `${Math.round(seconds * 1e6) / 1e6}`;
