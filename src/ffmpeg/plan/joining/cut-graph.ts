import { type FrameRate, joinPictures, rateText, samplesOf, totalFrames } from '../../filtergraph/crossfades.ts';
import type { Clip } from './clip.ts';
import { JOINED, type JoinTarget } from './join-graph.ts';

/** A part that the output has, in frames from the start of the input. Without `to`, it lasts until its end. */
export interface KeptFrames {
  readonly from: number;
  readonly to?: number;
}

/** The parts of the input, and how they are counted. */
export interface CutFrames {
  /** In order, without overlaps. */
  readonly parts: readonly KeptFrames[];
  /** Of the picture, or that of the samples if there is none. */
  readonly rate: FrameRate;
  /** The frames in which each part fades in over the one before: 0 for the first. Empty: none does. */
  readonly crossfades: readonly number[];
  /** The frame until which the last picture is held. Absent if the picture has all frames of the parts. */
  readonly held?: number;
}

/**
 * Prints the graph that shows parts of one input one after the other. The picture gets a constant rate, whose frames are counted from
 * the start of the input; the sound is cut at the samples of the same times. So both have the same length at each cut. `segment` and
 * `asegment` hand each frame to one part only, so the work does not grow with their number.
 */
export function printCutGraph(
  { picture: film, sound: audio }: Pick<Clip, 'picture' | 'sound'>,
  { picture, sound }: JoinTarget,
  { parts, rate, crossfades, held }: CutFrames,
): string {
  const chains: string[] = [];
  const rateName = rateText(rate);
  if (picture !== undefined && film !== undefined) {
    const pieces = parts.map((part, index) => ({ ...part, label: `v${index}` }));
    const hold = held === undefined ? '' : `,tpad=stop=-1:stop_mode=clone,trim=end_frame=${held}`;
    chains.push(...split(`[0:${film.stream}]fps=fps=${rateName}:start_time=0${hold}`, PICTURE, pieces));
    if (!crossfades.some((frames) => frames > 0)) {
      // `concat` and `segment` keep other times, and setpts of ffmpeg 7 forgets the rate.
      const restart = `settb=1/(${rateName}),setpts=N,fps=fps=${rateName}`;
      chains.push(`${concat(pieces, ':v=1:a=0')}${restart}[${JOINED.picture}]`);
    } else {
      chains.push(...pieces.map(({ label }) => `[${label}]setpts=PTS-STARTPTS[f${label}]`));
      const timed = pieces.map(({ label, from, to = from }, index) => ({
        label: `f${label}`,
        frames: to - from,
        crossfade: crossfades[index] ?? 0,
      }));
      const joined = joinPictures(timed, rate, chains);
      // xfade takes 4:4:4 and RGB only, and that of ffmpeg 5.1 may end one frame late.
      const end = `trim=end_frame=${totalFrames(timed)},format=pix_fmts=${picture.pixelFormat}`;
      chains.push(`[${joined}]${end}[${JOINED.picture}]`);
    }
  }
  if (sound !== undefined && audio !== undefined) {
    const toSamples = (frames: number): number => samplesOf(frames, rate, sound.sampleRate);
    const end = parts.at(-1)?.to;
    const pad = end === undefined ? '' : `,apad=whole_len=${toSamples(end)}`;
    const source = `[0:${audio.stream}]aresample=${sound.sampleRate}:async=1:first_pts=0${pad}`;
    const { pieces, order, mixes } = fadingSounds(parts, crossfades, toSamples);
    chains.push(...split(source, SOUND, pieces), ...mixes);
    chains.push(`${concat(order, ':v=0:a=1')}asetpts=N/SR/TB[${JOINED.sound}]`);
  }
  return chains.join(';');
}

/** A piece of a stream, in frames or samples. */
interface Piece extends KeptFrames {
  readonly label: string;
}

/**
 * The pieces of the sound, in the order of the input, and those of the output: between two parts, the end of one is mixed with the start of
 * the other. `acrossfade` of ffmpeg 5.1 ends too early if both come from one input.
 */
function fadingSounds(
  parts: readonly KeptFrames[],
  crossfades: readonly number[],
  toSamples: (frames: number) => number,
) {
  const pieces: Piece[] = [];
  const order: Pick<Piece, 'label'>[] = [];
  const mixes: string[] = [];
  const add = (label: string, from: number, to?: number): void =>
    void pieces.push({ label, from: toSamples(from), ...(to !== undefined && { to: toSamples(to) }) });
  for (const [index, { from, to }] of parts.entries()) {
    const fade = crossfades[index] ?? 0;
    const next = to === undefined ? 0 : (crossfades[index + 1] ?? 0);
    if (fade > 0) {
      const samples = toSamples(fade);
      add(`h${index}`, from, from + fade);
      mixes.push(
        `[t${index - 1}]asetpts=N/SR/TB,afade=type=out:nb_samples=${samples}[o${index}]`,
        `[h${index}]asetpts=N/SR/TB,afade=type=in:nb_samples=${samples}[i${index}]`,
        `[o${index}][i${index}]amix=inputs=2:normalize=0,asetpts=N/SR/TB[m${index}]`,
      );
      order.push({ label: `m${index}` });
    }
    // Two crossfades can take all of a part.
    if (to === undefined || to - next > from + fade) {
      add(`a${index}`, from + fade, to === undefined ? undefined : to - next);
      order.push({ label: `a${index}` });
    }
    if (to !== undefined && next > 0) add(`t${index}`, to - next, to);
  }
  return { pieces, order, mixes };
}

const PICTURE = { filter: 'segment=frames', removed: 'w', sink: 'nullsink', all: 'null' };
const SOUND = { filter: 'asegment=samples', removed: 'b', sink: 'anullsink', all: 'anull' };

/** The chain that splits a stream into pieces, and one for each part that is removed. */
function split(
  source: string,
  { filter, removed, sink, all }: typeof PICTURE,
  pieces: readonly Piece[],
): readonly string[] {
  const bounds: number[] = [];
  const pads: string[] = [];
  const dropped: string[] = [];
  const drop = (): void => {
    const pad = `${removed}${dropped.length}`;
    pads.push(pad);
    dropped.push(`[${pad}]${sink}`);
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
  const cuts = bounds.length === 0 ? all : `${filter}=${bounds.join('|')}`;
  return [`${source},${cuts}${outputs}`, ...dropped];
}

const concat = (pieces: readonly Pick<Piece, 'label'>[], kinds: string): string => {
  const inputs = pieces.map(({ label }) => `[${label}]`).join('');
  return pieces.length === 1 ? inputs : `${inputs}concat=n=${pieces.length}${kinds},`;
};
