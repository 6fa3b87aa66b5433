import {
  type FrameRate,
  frameRateOf,
  framesIn,
  joinAudio,
  joinVideo,
  limitCrossfades,
  type Part,
  samplesOf,
  secondsOfFrames,
  totalFrames,
} from '../../filtergraph/crossfades.ts';
import { BT709, scaledTo, taggedAs, toneMapping } from '../../filtergraph/video-colours.ts';
import type { Clip, ClipAudio, ClipVideo } from './clip.ts';
import { heldAudio, heldVideo } from './held-clip.ts';
import { even, squareSize, type TargetAudio, type TargetVideo } from './target-format.ts';

/** The streams of a joined output, and their formats. */
export interface JoinTarget {
  readonly video?: TargetVideo;
  readonly audio?: TargetAudio;
}

export const JOINED = { video: 'joined_v', audio: 'joined_a' } as const;

/** Prints the graph that plays clips one after the other. A clip without video or audio gets black frames or silence. */
export function printJoinGraph(clips: readonly Clip[], target: JoinTarget): string {
  return clips.some(({ input }) => input.crossfade !== undefined)
    ? printFadingGraph(clips, target)
    : printConcatenation(clips, target);
}

function printConcatenation(clips: readonly Clip[], { video, audio }: JoinTarget): string {
  const chains: string[] = [];
  const pads: string[] = [];
  for (const [index, clip] of clips.entries()) {
    const isLast = index === clips.length - 1;
    if (video !== undefined) {
      const held = heldVideo(clip, rateOfJoin({ video }));
      const chain =
        clip.video === undefined
          ? blackVideo(clip.seconds, video)
          : `[${index}:${clip.video.stream}]${held.before}${fitVideo(clip.video, video, held.start)}${held.after}`;
      chains.push(`${chain}[v${index}]`);
      pads.push(`[v${index}]`);
    }
    if (audio !== undefined) {
      const chain =
        clip.audio === undefined
          ? silence(clip.seconds, audio, isLast || video === undefined ? 0 : 1 / video.framesPerSecond)
          : `[${index}:${clip.audio.stream}]${heldAudio(clip)}${fitAudio(clip.audio, audio)}`;
      chains.push(`${chain}[a${index}]`);
      pads.push(`[a${index}]`);
    }
  }
  const outputs = [...(video === undefined ? [] : [JOINED.video]), ...(audio === undefined ? [] : [JOINED.audio])];
  const counts = `n=${clips.length}:v=${Number(video !== undefined)}:a=${Number(audio !== undefined)}`;
  return [...chains, `${pads.join('')}concat=${counts}${outputs.map((one) => `[${one}]`).join('')}`].join(';');
}

/**
 * Prints the graph that joins clips with crossfades. The crossfade filters need to know where each clip ends. So each clip gets an exact
 * length in whole frames: its last frame is repeated, and silence is added.
 */
function printFadingGraph(clips: readonly Clip[], target: JoinTarget): string {
  const { video, audio } = target;
  const rate = rateOfJoin(target);
  const parts = fadingParts(clips, rate);
  const chains: string[] = [];
  const label = (kind: 'v' | 'a') => (part: (typeof parts)[number], index: number) => ({
    ...part,
    label: `${kind}${index}`,
  });
  if (video !== undefined) {
    for (const [index, clip] of clips.entries()) {
      const { frames = 0 } = parts[index] ?? {};
      const chain =
        clip.video === undefined
          ? blackVideo(secondsOfFrames(frames, rate), video)
          : `[${index}:${clip.video.stream}]${heldVideo(clip, rate).before}${fitVideo(clip.video, video, ':start_time=0')},tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames}`;
      chains.push(`${chain}[v${index}]`);
    }
    const joined = joinVideo(parts.map(label('v')), rate, chains);
    // Convert the pixel format back: xfade outputs only 4:4:4 and RGB. Trim the end: xfade of ffmpeg 5.1 may end one frame late.
    chains.push(
      `[${joined}]trim=end_frame=${totalFrames(parts)},format=pix_fmts=${video.pixelFormat}[${JOINED.video}]`,
    );
  }
  if (audio !== undefined) {
    for (const [index, clip] of clips.entries()) {
      const samples = samplesOf(parts[index]?.frames ?? 0, rate, audio.sampleRate);
      const chain =
        clip.audio === undefined
          ? `anullsrc=channel_layout=${audio.layout}:sample_rate=${audio.sampleRate}`
          : `[${index}:${clip.audio.stream}]${heldAudio(clip)}${audioFormat(audio)},aresample=async=1:first_pts=0,apad`;
      chains.push(`${chain},atrim=end_sample=${samples}[a${index}]`);
    }
    const joined = joinAudio(parts.map(label('a')), rate, audio.sampleRate, chains);
    chains.push(`[${joined}]anull[${JOINED.audio}]`);
  }
  return chains.join(';');
}

/** The frame rate in which the lengths of clips with crossfades are counted. Without video, the unit is a millisecond. */
export const rateOfJoin = ({ video }: JoinTarget): FrameRate =>
  video === undefined ? { frames: 1000, per: 1 } : frameRateOf(video.framesPerSecond);

/** The assumed length of a clip that was not probed, in seconds. Only for checks: a graph that runs has probed clips. */
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
function fitVideo(video: ClipVideo, target: TargetVideo, fps: string): string {
  const { width, height, isPadded } = placeOf(video, target);
  return [
    // Deinterlace before scaling, which would mix the two fields of a frame.
    ...(video.isInterlaced === true ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    ...toColours(video, target, `scale=width=${width}:height=${height}${isPadded === undefined ? SHRINK : ''}`),
    ...(isPadded === false ? [] : [`pad=width=${target.width}:height=${target.height}:x=(ow-iw)/2:y=(oh-ih)/2`]),
    'setsar=sar=1',
    `fps=fps=${target.rate}${fps}`,
    ...tags(target),
  ].join(',');
}

const SHRINK = ':force_original_aspect_ratio=decrease';

/** The size of a clip within the target. `isPadded` undefined: a filtergraph generates the clip, so its size is unknown. */
function placeOf(
  video: ClipVideo,
  target: TargetVideo,
): { readonly width: number; readonly height: number; readonly isPadded: boolean | undefined } {
  if (video.isFlexible) return { width: target.width, height: target.height, isPadded: undefined };
  const { width, height } = fittedSize(video, target);
  return { width, height, isPadded: width !== target.width || height !== target.height };
}

/** True if a clip is HDR, and the joined output has another transfer function. */
export const needsToneMapping = ({ hdrTransfer }: ClipVideo, { colours }: TargetVideo): boolean =>
  hdrTransfer !== undefined && colours?.transfer !== hdrTransfer;

/** The filter `scale`, and the conversion to the colours of the joined output. */
function toColours(video: ClipVideo, target: TargetVideo, scale: string): readonly string[] {
  const { hdrTransfer, colours: own } = video;
  const { colours, pixelFormat } = target;
  if (hdrTransfer !== undefined && needsToneMapping(video, target)) {
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

const tags = ({ colours }: TargetVideo): readonly string[] => (colours === undefined ? [] : [taggedAs(colours)]);

/** The largest even size that fits into the target and has the aspect ratio of the clip. */
function fittedSize(video: ClipVideo, target: TargetVideo): { readonly width: number; readonly height: number } {
  const { width, height } = squareSize(video);
  const factor = Math.min(target.width / width, target.height / height);
  const sideOf = (side: number, most: number): number =>
    Math.abs(side * factor - most) < 2 ? most : even(side * factor);
  return { width: sideOf(width, target.width), height: sideOf(height, target.height) };
}

const fitAudio = ({ sampleRate, layout, end }: ClipAudio, target: TargetAudio): string => {
  const ended = end === undefined ? 'anull' : `atrim=end=${printSeconds(end)}`;
  if (sampleRate === target.sampleRate && layout === target.layout) return ended;
  return end === undefined ? audioFormat(target) : `${ended},${audioFormat(target)}`;
};

const audioFormat = ({ sampleRate, layout }: TargetAudio): string =>
  `aformat=sample_rates=${sampleRate}:channel_layouts=${layout}`;

/** How long black frames or silence last if the length of a clip is unknown, in seconds. `concat` adds more silence as needed. */
const SHORT = 0.04;

function blackVideo(seconds = SHORT, target: TargetVideo): string {
  const { width, height, rate, pixelFormat } = target;
  const black = `color=color=black:size=${width}x${height}:rate=${rate}:duration=${printSeconds(seconds)}`;
  return [black, 'setsar=sar=1', `format=pix_fmts=${pixelFormat}`, ...tags(target)].join(',');
}

/**
 * A source of silence.
 *
 * @param less By how many seconds the silence is shorter than the clip. `concat` fills this difference, except after the last clip. Silence
 * that is longer than the video would delay the next clip.
 */
const silence = (seconds = SHORT, { sampleRate, layout }: TargetAudio, less: number): string =>
  `anullsrc=channel_layout=${layout}:sample_rate=${sampleRate},atrim=duration=${printSeconds(Math.max(SHORT, seconds - less))}`;

export const printSeconds = (seconds: number): string => `${Math.round(seconds * 1e6) / 1e6}`;
