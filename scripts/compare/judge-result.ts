import { covariance, mean, similarityOf } from '../../test/outcomes/generated/coded-frames.ts';
import { type Frame, type Listed, type MediaFacts, type Picture, STEP_SECONDS, type Track } from './media-facts.ts';

/** What can differ between a source and its result, and the words by which `lost` of a warning, or a line of a log, tells it. */
export const LOSSES = {
  length: /length\b|duration|truncat|^(?:picture|sound) at the end|^start of|^sound$|^video$|damaged/i,
  frames: /\bframes?\b|^length|^start of|^video$|damaged|rotat/i,
  rate: /\bframes?\b|\brate\b|^video$|^start of/i,
  shape: /aspect|shape|crop|^frame sizes?|rotat/i,
  size: /\bsizes?\b|width|height|divisible/i,
  colour: /colou?r|matrix|pixel format|^HDR/i,
  hdr: /\bhdr|tone|smpte2084|\bpq\b|hlg/i,
  alpha: /alpha|transparen/i,
  sound: /audio|sound|channel layout|\bsync|^length|damaged/i,
  level: /loud|level|peak|volume|clip|^sound$/i,
  tracks: /\b(?:audio|sound|stream|track)s?\b/i,
  languages: /language|^audio|^subtitles|^tags$/i,
  subtitles: /subtitle|caption|teletext/i,
  chapters: /chapter/i,
  cover: /cover|picture|attached/i,
  attachments: /attachment|font/i,
  tags: /\b(?:tags?|metadata|titles?|artist)\b/i,
  everything: /nothing can be decoded/i,
} as const satisfies Readonly<Record<string, RegExp>>;

export type Loss = keyof typeof LOSSES;

export interface Deviation {
  readonly loss: Loss;
  readonly text: string;
}

/** What a request says about its result. What it does not keep is dropped on purpose. */
export interface Expectation {
  /** `video`: frames over time. `image`: one frame of the source. `other`: an image of another kind. */
  readonly picture?: 'video' | 'image' | 'other';
  /** The part of the source that is asked for, in seconds. Default: all. */
  readonly part?: readonly [from: number, to: number];
  /** Copies begin up to this earlier, at a key frame. */
  readonly early?: number;
  /** How many times as fast. */
  readonly speed?: number;
  /** Quarters to the right. `readMedia` turns the frames of the result back. */
  readonly turns?: number;
  /** In LUFS. */
  readonly loudness?: number;
  readonly keeps: ReadonlySet<Loss>;
}

const PLACES = 8;
/** Frames that are less alike show another moment, or something else. An image has only one, and its thin lines get pale. */
const LEAST_LIKENESS = { frame: 0.8, image: 0.65 };
/** A part of a frame may differ by this from its colour, in steps of 255. BT.601 for BT.709 is about 28 for a pure colour. */
const COLOUR_ERROR = 22;
const LEVEL_DB = 1.5;
/** A mix of surround sound has other levels than its channels. */
const MIX_DB = 7;
/** Coding noise hides the shape of sound with lower peaks. */
const QUIET_DB = -45;
/** The meter's value for silence, and for less than 0.4 s. */
const SILENT_LUFS = -69;
/** Sound that is further from its picture is out of sync. */
const SYNC_STEPS = 0.08 / STEP_SECONDS;
const LEAST_CORRELATION = 0.6;

type Add = (loss: Loss, text: string) => void;

/** Compares a result with its source. undefined: nothing in it can be decoded. */
export function judgeResult(
  source: MediaFacts | undefined,
  result: MediaFacts | undefined,
  expected: Expectation,
): readonly Deviation[] {
  if (source === undefined || result === undefined)
    return [
      { loss: 'everything', text: `nothing in the ${source === undefined ? 'source' : 'result'} can be decoded` },
    ];
  const found: Deviation[] = [];
  const add: Add = (loss, text) => {
    if (expected.keeps.has(loss)) found.push({ loss, text });
  };
  const { speed = 1, early = 0, part, picture } = expected;
  const all = picture === 'video' ? source.seconds : Math.max(0, ...source.tracks.map((one) => one.end - one.start));
  // A video whose sound is left out begins with its first frame.
  const begin = expected.keeps.has('sound') ? 0 : (source.picture?.frames[0]?.time ?? 0);
  const [from, to] = [part?.[0] ?? begin, Math.min(part?.[1] ?? all, all)];
  const wanted = (to - from) / speed;
  const slack = Math.max(0.12, 2 * frameSeconds(source.picture), 2 * frameSeconds(result.picture));
  if (result.seconds < wanted - slack || result.seconds > wanted + slack + early)
    add('length', `${result.seconds.toFixed(2)} s instead of ${wanted.toFixed(2)} s`);
  if (picture !== undefined && source.picture !== undefined) {
    if (result.picture === undefined) found.push({ loss: 'frames', text: 'no picture' });
    else judgePicture(source.picture, result.picture, expected, [from, to], add);
  }
  judgeSound(source, result, expected, from, add);
  for (const [loss, names] of Object.entries(source.lists)) {
    const lost = names.filter((name) => !result.lists[loss as Listed].includes(name));
    if (lost.length > 0) add(loss as Listed, `without ${lost.join(', ')}`);
  }
  return found;
}

const frameSeconds = ({ frames }: Pick<Picture, 'frames'> = { frames: [] }): number =>
  frames.length < 2 ? 0.04 : ((frames.at(-1)?.time ?? 0) - (frames[0]?.time ?? 0)) / (frames.length - 1);

function judgePicture(
  source: Picture,
  result: Picture,
  { early = 0, speed = 1, picture, part }: Expectation,
  [from, to]: readonly [from: number, to: number],
  add: Add,
): void {
  if (source.hdr && !result.hdr) add('hdr', 'no HDR');
  if (source.alpha && !result.alpha) add('alpha', 'no transparency');
  if (picture === 'other') return;
  const { width, height } = source;
  const sizes = `${Math.round(result.width)}x${result.height} instead of ${Math.round(width)}x${height}`;
  const aspect = result.width / result.height / (width / height);
  if (Math.abs(aspect - 1) > 0.025 + 1.5 / Math.min(result.width, result.height)) add('shape', sizes);
  const isResized = Math.abs(result.height - height) > 2 && Math.abs(result.width - width) > 2;
  // A video whose pixels are not square may get another size and look the same.
  if (isResized && Math.abs(result.pixels / source.pixels - 1) > 0.02) add('size', sizes);
  const frames = source.frames.filter(({ time }) => time <= to + 0.001);
  const isBefore = ({ time }: Frame): boolean => time <= from + 0.001;
  const had = frames.length - Math.max(0, frames.findLastIndex(isBefore));
  if (picture === 'video' && result.frames.length * Math.max(1, speed) < 0.9 * had - 1)
    add('rate', `${result.frames.length} of ${had} frames`);
  // What is below transparent parts is nobody's picture.
  if (source.alpha && !result.alpha) return;
  const window = Math.max(0.05, 1.6 * frameSeconds(source), 1.1 * frameSeconds(result) * speed);
  const seconds = Math.min((to - from + early) / speed, result.frames.at(-1)?.time ?? 0);
  const places = picture === 'image' ? [0] : Array.from({ length: PLACES }, (_, at) => ((at + 0.5) * seconds) / PLACES);
  let colour = 0;
  for (const place of places) {
    const shown = result.frames.findLast(({ time }) => time <= place + 0.001) ?? result.frames[0];
    if (shown === undefined) return;
    const at = from + place * speed;
    const isNear = ({ time }: Frame, index: number): boolean =>
      time <= at + window && (source.frames[index + 1]?.time ?? Number.POSITIVE_INFINITY) >= at - window - early;
    const alike = source.frames
      .filter(isNear)
      .map(({ luma, colours }) => ({ colours, ssim: similarityOf(luma, shown.luma) }))
      .toSorted((one, other) => other.ssim - one.ssim);
    const [likest] = alike;
    if (likest === undefined) continue;
    if (likest.ssim < LEAST_LIKENESS[picture === 'image' && part === undefined ? 'image' : 'frame']) {
      add('frames', `another picture at ${place.toFixed(2)} s (SSIM ${likest.ssim.toFixed(2)})`);
      return;
    }
    const distances = alike
      .filter(({ ssim }) => ssim > likest.ssim - 0.03)
      .map(({ colours }) => distanceOf(colours, shown.colours));
    colour = Math.max(colour, Math.min(...distances));
  }
  if (colour > COLOUR_ERROR && source.hdr === result.hdr) add('colour', `a colour is ${Math.round(colour)} steps away`);
}

const distanceOf = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Math.max(...Array.from(one, (value, index) => Math.abs(value - (other[index] ?? 0))));

function judgeSound(source: MediaFacts, result: MediaFacts, expected: Expectation, from: number, add: Add): void {
  if (source.tracks.length === 0) return;
  const [heard] = result.tracks;
  if (heard === undefined) {
    add('sound', 'no sound');
    return;
  }
  const { loudness, early } = expected;
  const off = heard.loudness - (loudness ?? heard.loudness);
  if (heard.loudness > SILENT_LUFS && Math.abs(off) > 1) add('level', `${off.toFixed(1)} LU off`);
  // The result has one of the tracks: the likest one.
  const compared = source.tracks.map((track) => ({ track, likeness: compareSound(track, heard, from, expected) }));
  const likest = compared.toSorted((one, other) => other.likeness - one.likeness)[0];
  if (likest === undefined || early !== undefined) return;
  const { track, likeness } = likest;
  if (likeness < LEAST_CORRELATION) add('sound', `other sound, or out of sync (correlation ${likeness.toFixed(2)})`);
  if (loudness !== undefined) return;
  const most = track.channels > 2 || track.channels !== heard.channels ? MIX_DB : LEVEL_DB;
  const level = heard.loudness - track.loudness;
  if (Math.abs(level) > most && track.loudness > SILENT_LUFS) add('level', `${level.toFixed(1)} dB louder`);
  if (heard.peak > 1 && heard.peak > track.peak + 2) add('level', `peak of ${heard.peak} dBTP`);
}

/** Half of the steps around a step, to whose mean its level is compared if the loudness is evened out: it changes only slowly. */
const AROUND = 0.5 / STEP_SECONDS;

const evened = (all: Float32Array): Float32Array =>
  all.map((value, at) => value / (mean(all.subarray(Math.max(0, at - AROUND), at + AROUND)) + 1e-4));

/** The correlation of the envelopes of two tracks. A flat one has no shape, and is like each other flat one. */
function compareSound(
  track: Track,
  heard: Track,
  from: number,
  { part, picture, speed = 1, loudness }: Expectation,
): number {
  // A file of sound alone begins with the sound.
  const startOf = ({ start }: Track): number => (picture === undefined ? 0 : start);
  const length = Math.min(part?.[1] ?? Number.POSITIVE_INFINITY, startOf(track) + track.end - track.start) - from;
  const stepsOf = (one: Track, begin: number, pace: number): Float32Array =>
    Float32Array.from(
      { length: Math.max(0, Math.floor(length / speed / STEP_SECONDS)) },
      (_, step) => one.envelope[Math.floor((begin - startOf(one)) / STEP_SECONDS + step * pace)] ?? 0,
    );
  const [before, after] = [stepsOf(track, from, speed), stepsOf(heard, 0, 1)];
  const isFlat =
    Math.sqrt(covariance(before, before)) < 0.1 * mean(before) + 1e-4 || before.length < 15 || track.peak < QUIET_DB;
  if (isFlat) return 1;
  const [wanted, have] = loudness === undefined ? [before, after] : [evened(before), evened(after)];
  const at = (lag: number): number => {
    const [late, early] = [Math.max(0, lag), Math.max(0, -lag)];
    const [a, b] = [wanted.subarray(early, wanted.length - late), have.subarray(late, have.length - early)];
    return covariance(a, b) / (Math.sqrt(covariance(a, a) * covariance(b, b)) + 1e-9);
  };
  return Math.max(...Array.from({ length: 2 * SYNC_STEPS + 1 }, (_, step) => at(step - SYNC_STEPS)));
}
