import { type FrameRate, rateText, samplesOf } from '../../filtergraph/crossfades.ts';
import type { Clip } from './clip.ts';
import { JOINED, type JoinTarget } from './join-graph.ts';

/** A part of the input that the output keeps, in frames from the start of the input. Without `to`, it lasts until the input ends. */
export interface KeptFrames {
  readonly from: number;
  readonly to?: number;
}

/** The kept parts of the input, in frames. */
export interface CutFrames {
  /** By time, without overlaps. */
  readonly parts: readonly KeptFrames[];
  /** The frame rate of the video. Without a video, the sample rate: a "frame" is then a sample. */
  readonly rate: FrameRate;
  /** For each part, in how many frames it fades in over the previous part (0 for the first). Empty: no crossfades. */
  readonly crossfades: readonly number[];
  /** The frame until which the last frame of the video is repeated. Absent: the video has all frames of the parts. */
  readonly held?: number;
}

/**
 * Prints the graph that plays parts of one input one after the other. The video gets a constant rate that counts from the start of the
 * input. The audio is cut at the same times, so that video and audio stay in sync at each cut.
 *
 * `select` drops the frames of removed parts. Not `segment` with a sink for each removed part: ffmpeg 7.1 then aborts (`best_input >= 0`)
 * if the input has ended and no filter requests the next frame.
 */
export function printCutGraph(
  { video: clipVideo, audio: clipAudio }: Pick<Clip, 'video' | 'audio'>,
  { video, audio }: JoinTarget,
  { parts, rate, crossfades, held }: CutFrames,
): string {
  const chains: string[] = [];
  const rateName = rateText(rate);
  if (video !== undefined && clipVideo !== undefined) {
    const { pieces, order, fades } = arrange(parts, crossfades, (frames) => frames, VIDEO_LABELS);
    const hold = held === undefined ? '' : `,tpad=stop=-1:stop_mode=clone,trim=end_frame=${held}`;
    const kept = `[0:${clipVideo.stream}]fps=fps=${rateName}:start_time=0${hold},select='${isKept(parts)}'`;
    // Number the frames again: `select` and `concat` leave gaps. `fps` restores the rate that `setpts` of ffmpeg 7 removes.
    const restart = `settb=1/(${rateName}),setpts=N,fps=fps=${rateName}[${JOINED.video}]`;
    if (fades.length === 0) chains.push(`${kept},${restart}`);
    else {
      chains.push(splitKept(kept, pieces));
      chains.push(...fades.map((fade) => mixedVideo(fade, { pixelFormat: video.pixelFormat, ...clipVideo })));
      chains.push(`${concat(order, ':v=1:a=0')}${restart}`);
    }
  }
  if (audio !== undefined && clipAudio !== undefined) {
    const toSamples = (frames: number): number => samplesOf(frames, rate, audio.sampleRate);
    const end = parts.at(-1)?.to;
    const pad = end === undefined ? '' : `,apad=whole_len=${toSamples(end)}`;
    const source = `[0:${clipAudio.stream}]aresample=${audio.sampleRate}:async=1:first_pts=0${pad}`;
    const { pieces, order, fades } = arrange(parts, crossfades, toSamples, AUDIO_LABELS);
    chains.push(...splitAudio(source, pieces), ...fades.flatMap(mixedAudio));
    chains.push(`${concat(order, ':v=0:a=1')}asetpts=N/SR/TB[${JOINED.audio}]`);
  }
  return chains.join(';');
}

/** A piece of a stream, in frames or samples. */
interface Piece extends KeptFrames {
  readonly label: string;
}

/** A crossfade: the labels of the end of one part, of the start of the next part, and of the mix of both. */
interface Fade {
  readonly tail: string;
  readonly head: string;
  readonly mixed: string;
  /** In frames or samples. */
  readonly length: number;
}

/**
 * Splits a stream into pieces, so that a crossfade mixes only the end of one part and the start of the next. Crossfades of whole parts
 * fail: `xfade` keeps all frames of later parts in memory, and `acrossfade` of ffmpeg 5.1 ends too early if both parts come from one input.
 */
function arrange(
  parts: readonly KeptFrames[],
  crossfades: readonly number[],
  toUnits: (frames: number) => number,
  [body, head, tail, mixed]: Labels,
) {
  const pieces: Piece[] = [];
  const order: Pick<Piece, 'label'>[] = [];
  const fades: Fade[] = [];
  const add = (label: string, from: number, to?: number): void =>
    void pieces.push({ label, from: toUnits(from), ...(to !== undefined && { to: toUnits(to) }) });
  for (const [index, { from, to }] of parts.entries()) {
    const fade = crossfades[index] ?? 0;
    const next = to === undefined ? 0 : (crossfades[index + 1] ?? 0);
    if (fade > 0) {
      const labels = { tail: `${tail}${index - 1}`, head: `${head}${index}`, mixed: `${mixed}${index}` };
      add(labels.head, from, from + fade);
      fades.push({ ...labels, length: toUnits(fade) });
      order.push({ label: labels.mixed });
    }
    // Leave out a part whose two crossfades take all of it.
    if (to === undefined || to - next > from + fade) {
      add(`${body}${index}`, from + fade, to === undefined ? undefined : to - next);
      order.push({ label: `${body}${index}` });
    }
    if (to !== undefined && next > 0) add(`${tail}${index}`, to - next, to);
  }
  return { pieces, order, fades };
}

/** The first letters of labels: for parts, for the starts and ends that are mixed, and for the mixes. */
type Labels = readonly [body: string, head: string, tail: string, mixed: string];

const mixedAudio = ({ tail, head, mixed, length }: Fade): readonly string[] => [
  `[${tail}]asetpts=N/SR/TB,afade=type=out:nb_samples=${length}[o${tail}]`,
  `[${head}]asetpts=N/SR/TB,afade=type=in:nb_samples=${length}[i${head}]`,
  `[o${tail}][i${head}]amix=inputs=2:normalize=0,asetpts=N/SR/TB[${mixed}]`,
];

/**
 * The chain that fades in the start of a part over the end of the part before. `overlay` supports the pixel formats of most videos. `blend`
 * supports all, but is ten times slower. Full range needs `blend` too: before ffmpeg 7, `overlay` with alpha converts full range to limited
 * range.
 */
function mixedVideo(
  { tail, head, mixed, length }: Fade,
  { pixelFormat, isFullRange = false }: { readonly pixelFormat: string; readonly isFullRange?: boolean },
): string {
  const [, sampling, deep = ''] = /^yuv(42[02]|444)p(10(?=le$))?(?:le)?$/.exec(pixelFormat) ?? [];
  const restart = 'setpts=PTS-STARTPTS';
  if (isFullRange || sampling === undefined || (sampling === '444' && deep !== ''))
    return `[${tail}]${restart}[o${tail}];[${head}]${restart}[i${head}];[o${tail}][i${head}]blend=all_expr='A+(B-A)*N/${length}'[${mixed}]`;
  const alpha = `yuva${sampling}p${deep === '' ? '' : '10le'}`;
  const format = `yuv${sampling}${deep === '' ? '' : 'p10'}`;
  return (
    `[${tail}]${restart}[o${tail}];[${head}]${restart},format=pix_fmts=${alpha},fade=type=in:nb_frames=${length}:alpha=1[i${head}];` +
    `[o${tail}][i${head}]overlay=format=${format}[${mixed}]`
  );
}

const VIDEO_LABELS: Labels = ['v', 'g', 'u', 'x'];
const AUDIO_LABELS: Labels = ['a', 'h', 't', 'm'];

/**
 * An expression that is not 0 for the frames `n` of the parts. It is a binary search, because ffmpeg rejects a sum of more than about a
 * hundred terms.
 *
 * @param isAfter True if an outer expression has checked that `n` is not before the first part.
 */
function isKept(parts: readonly KeptFrames[], isAfter = false): string {
  const middle = parts.length >> 1;
  const { from, to } = parts[middle] ?? { from: 0 };
  if (middle > 0)
    return `if(lt(n,${from}),${isKept(parts.slice(0, middle), isAfter)},${isKept(parts.slice(middle), true)})`;
  if (to === undefined) return isAfter ? '1' : `gte(n,${from})`;
  return isAfter ? `lt(n,${to})` : `between(n,${from},${to - 1})`;
}

/** The chain that splits frames into pieces. `source`: a chain that has dropped the frames of removed parts. */
function splitKept(source: string, pieces: readonly Piece[]): string {
  const bounds: number[] = [];
  for (const { from, to = from } of pieces.slice(0, -1)) bounds.push((bounds.at(-1) ?? 0) + to - from);
  return `${source},segment=frames=${bounds.join('|')}${pieces.map(({ label }) => `[${label}]`).join('')}`;
}

/** The chains that split audio into pieces and discard the removed parts. */
function splitAudio(source: string, pieces: readonly Piece[]): readonly string[] {
  const bounds: number[] = [];
  const pads: string[] = [];
  const dropped: string[] = [];
  const drop = (): void => {
    const pad = `b${dropped.length}`;
    pads.push(pad);
    dropped.push(`[${pad}]anullsink`);
  };
  let at: number | undefined = 0;
  for (const [index, { label, from, to }] of pieces.entries()) {
    if (index > 0) bounds.push(at ?? from);
    if (from > (at ?? from)) {
      drop();
      bounds.push(from);
    }
    pads.push(label);
    at = to;
  }
  if (at !== undefined) {
    bounds.push(at);
    drop();
  }
  const outputs = pads.map((pad) => `[${pad}]`).join('');
  const cuts = bounds.length === 0 ? 'anull' : `asegment=samples=${bounds.join('|')}`;
  return [`${source},${cuts}${outputs}`, ...dropped];
}

const concat = (pieces: readonly Pick<Piece, 'label'>[], kinds: string): string => {
  const inputs = pieces.map(({ label }) => `[${label}]`).join('');
  return pieces.length === 1 ? inputs : `${inputs}concat=n=${pieces.length}${kinds},`;
};
