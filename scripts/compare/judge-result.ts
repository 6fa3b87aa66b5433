import { GRID, similarityOf, WINDOW } from '../../test/outcomes/generated/coded-frames.ts';
import { type Frame, type MediaFacts, type Picture, STEP_SECONDS, type Track } from './media-facts.ts';

/** What can differ between a source and its result, and the words by which `lost` of a warning, or a line of a log, tells it. */
export const LOSSES = {
  length: /length\b|duration|truncat|^(?:picture|sound) at the end|^start of|^sound$|^video$|damaged/i,
  frames: /\bframes?\b|^length|^start of|^video$|damaged/i,
  rate: /\bframes?\b|\brate\b|^video$|damaged/i,
  orientation: /rotat|orientation/i,
  shape: /aspect|shape|crop|^frame sizes?/i,
  size: /\bsizes?\b|width|height|divisible/i,
  colour: /colou?r|matrix|pixel format|^HDR/i,
  hdr: /\bhdr|tone|smpte2084|\bpq\b|hlg/i,
  alpha: /alpha|transparen/i,
  sound: /audio|sound|channel layout|\bsync|^length|damaged/i,
  level: /loud|level|peak|volume|clip|damaged/i,
  tracks: /\b(?:audio|sound|stream|track)s?\b/i,
  languages: /language|^audio|^subtitles/i,
  subtitles: /subtitle|caption|teletext/i,
  chapters: /chapter/i,
  cover: /cover|picture|attached/i,
  attachments: /attachment|font/i,
  tags: /\b(?:tags?|metadata|titles?|artist)\b/i,
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
  readonly turns?: 1;
  /** In LUFS. */
  readonly loudness?: number;
  readonly keeps: ReadonlySet<Loss>;
}

const PLACES = 8;
/** Frames that are less alike show another moment, or something else. */
const LEAST_LIKENESS = 0.65;
/** A part of a frame may differ by this from its colour, in steps of 255. BT.601 for BT.709 is about 28 for a pure colour. */
const COLOUR_ERROR = 22;
const LEVEL_DB = 1.5;
/** A mix of surround sound has other levels than its channels. */
const MIX_DB = 7;
/** Coding noise hides the shape of sound with lower peaks. */
const QUIET_DB = -45;
const SYNC_SECONDS = 0.08;

type Add = (loss: Loss, text: string) => void;

/** Compares a result with its source. */
export function judgeResult(source: MediaFacts, result: MediaFacts, expected: Expectation): readonly Deviation[] {
  const found: Deviation[] = [];
  const add: Add = (loss, text) => {
    if (expected.keeps.has(loss)) found.push({ loss, text });
  };
  const { speed = 1, early = 0, part } = expected;
  const all =
    expected.picture === 'video' ? source.seconds : Math.max(0, ...source.tracks.map((one) => one.end - one.start));
  const [from, to] = [part?.[0] ?? 0, Math.min(part?.[1] ?? all, all)];
  const wanted = (to - from) / speed;
  const slack = Math.max(0.12, 2 * frameSeconds(source.picture), 2 * frameSeconds(result.picture));
  if (result.seconds < wanted - slack || result.seconds > wanted + slack + early)
    add('length', `${result.seconds.toFixed(2)} s instead of ${wanted.toFixed(2)} s`);
  if (expected.picture !== undefined && source.picture !== undefined) {
    if (result.picture === undefined) found.push({ loss: 'frames', text: 'no picture' });
    else judgePicture(source.picture, result.picture, expected, [from - early, to], add);
  }
  if (expected.keeps.has('sound')) judgeSound(source, result, expected, from, add);
  const counts = {
    tracks: [result.tracks.length, source.tracks.length],
    subtitles: [result.subtitles.length, source.subtitles.length],
    chapters: [result.chapters, source.chapters],
    cover: [result.covers, Math.min(1, source.covers)],
    attachments: [result.attachments, source.attachments],
  } as const;
  for (const [loss, [have, had]] of Object.entries(counts))
    if (have < had) add(loss as Loss, `${have} of ${had} ${loss}`);
  for (const [name, value] of Object.entries(source.tags))
    if (result.tags[name] !== value) add('tags', `${name} is ${result.tags[name] ?? 'lost'}`);
  for (const kind of ['tracks', 'subtitles'] as const) {
    const had = source[kind].slice(0, result[kind].length).flatMap(({ language }) => language ?? []);
    const have = result[kind].map(({ language }) => language);
    if (had.some((language) => !have.includes(language)))
      add('languages', `${have.join(' ')} instead of ${had.join(' ')}`);
  }
  return found;
}

const frameSeconds = ({ frames }: Pick<Picture, 'frames'> = { frames: [] }): number =>
  frames.length < 2 ? 0.04 : ((frames.at(-1)?.time ?? 0) - (frames[0]?.time ?? 0)) / (frames.length - 1);

function judgePicture(source: Picture, result: Picture, expected: Expectation, part: readonly number[], add: Add) {
  const { turns, early = 0, speed = 1, picture, keeps } = expected;
  if (source.hdr && !result.hdr) add('hdr', 'no HDR');
  if (source.alpha && !result.alpha) add('alpha', 'no transparency');
  if (picture === 'other') return;
  const [width, height] = turns === 1 ? [source.height, source.width] : [source.width, source.height];
  const sizes = `${Math.round(result.width)}x${result.height} instead of ${Math.round(width)}x${height}`;
  const aspect = result.width / result.height / (width / height);
  const isSideways = Math.abs(result.height / result.width / (width / height) - 1) < 0.03;
  if (Math.abs(aspect - 1) > 0.025 + 1.5 / Math.min(result.width, result.height))
    add(isSideways ? 'orientation' : 'shape', sizes);
  const isResized = Math.abs(result.height - height) > 2 && Math.abs(result.width - width) > 2;
  // A video whose pixels are not square may get another size and look the same.
  if (isResized && Math.abs(result.pixels / source.pixels - 1) > 0.02) add('size', sizes);
  // What is below transparent parts is nobody's picture.
  if (source.alpha && !result.alpha) return;
  const [from = 0, to = 0] = part;
  const turned = turns === 1 ? source.frames.map(turnRight) : source.frames;
  const frames = turned.filter(({ time }) => time <= to + 0.001);
  const had =
    frames.length -
    Math.max(
      0,
      frames.findLastIndex(({ time }) => time <= from + 0.001),
    );
  if (picture === 'video' && result.frames.length * Math.max(1, speed) < 0.9 * had - 1)
    add('rate', `${result.frames.length} of ${had} frames`);
  const window = Math.max(0.05, 1.6 * frameSeconds(source), 1.1 * frameSeconds(result) * speed);
  const seconds = Math.min((to - from) / speed, result.frames.at(-1)?.time ?? 0);
  const places = picture === 'image' ? [0] : Array.from({ length: PLACES }, (_, at) => ((at + 0.5) * seconds) / PLACES);
  let colour = 0;
  for (const place of places) {
    const shown = result.frames.findLast(({ time }) => time <= place + 0.001) ?? result.frames[0];
    if (shown === undefined) return;
    const at = from + early + place * speed;
    const isNear = ({ time }: Frame, index: number): boolean =>
      time <= at + window && (turned[index + 1]?.time ?? Number.POSITIVE_INFINITY) >= at - window - early;
    const near = picture === 'image' && expected.part === undefined ? turned : turned.filter(isNear);
    const alike = (frame: Frame): number => similarityOf(frame.luma, shown.luma);
    const likest = near.map((frame) => ({ frame, ssim: alike(frame) })).toSorted((a, b) => b.ssim - a.ssim)[0];
    if (likest === undefined) continue;
    if (likest.ssim < LEAST_LIKENESS) {
      const right = turnRight(near.findLast(({ time }) => time <= at + 0.001) ?? likest.frame);
      const isTurned = [right, turnRight(right), turnRight(turnRight(right))].some(
        (frame) => alike(frame) > LEAST_LIKENESS + 0.1,
      );
      add(
        isTurned ? 'orientation' : 'frames',
        `another picture at ${place.toFixed(2)} s (SSIM ${likest.ssim.toFixed(2)})`,
      );
      return;
    }
    const distances = near
      .filter((frame) => alike(frame) > likest.ssim - 0.03)
      .map(({ colours }) => distanceOf(colours, shown.colours));
    colour = Math.max(colour, Math.min(...distances));
  }
  if (colour > COLOUR_ERROR && source.hdr === result.hdr && keeps.has('colour'))
    add('colour', `a colour is ${Math.round(colour)} steps away`);
}

const distanceOf = (one: Numbers, other: Numbers): number =>
  Math.max(...Array.from(one, (value, index) => Math.abs(value - (other[index] ?? 0))));

/** Turns a frame by a quarter to the right. */
export function turnRight({ time, luma, colours }: Frame): Frame {
  const turn = (values: ArrayLike<number>, side: number, channels: number): readonly number[] =>
    Array.from({ length: values.length }, (_, at) => {
      const place = Math.floor(at / channels);
      const from = (side - 1 - (place % side)) * side + Math.floor(place / side);
      return values[from * channels + (at % channels)] ?? 0;
    });
  return { time, luma: turn(luma, GRID, 1), colours: turn(colours, GRID / WINDOW, 3) };
}

type Numbers = ArrayLike<number>;

const mean = (all: Numbers): number => Array.from(all).reduce((sum, value) => sum + value, 0) / Math.max(1, all.length);

function covariance(one: Numbers, other: Numbers): number {
  const [a, b] = [mean(one), mean(other)];
  return mean(Array.from(one, (value, at) => (value - a) * ((other[at] ?? 0) - b)));
}

function judgeSound(source: MediaFacts, result: MediaFacts, expected: Expectation, from: number, add: Add): void {
  if (source.tracks.length === 0) return;
  const [heard] = result.tracks;
  if (heard === undefined) {
    add('sound', 'no sound');
    return;
  }
  const { loudness, early } = expected;
  const off = heard.loudness - (loudness ?? heard.loudness);
  if (heard.end - heard.start > 0.5 && heard.loudness > -69 && Math.abs(off) > 1)
    add('level', `${off.toFixed(1)} LU off`);
  // The result has one of the tracks: the likest one.
  const compared = source.tracks.map((track) => ({ track, ...compareSound(track, heard, from, expected) }));
  const likest = compared.toSorted((one, other) => other.likeness - one.likeness)[0];
  if (likest === undefined || early !== undefined) return;
  const { track, likeness, lag, level } = likest;
  // Evening out changes the shape.
  if (likeness < (loudness === undefined ? 0.6 : 0.3)) add('sound', `other sound (correlation ${likeness.toFixed(2)})`);
  else if (Math.abs(lag) > SYNC_SECONDS) add('sound', `${(lag * 1000).toFixed(0)} ms late`);
  if (loudness !== undefined) return;
  const most = track.channels > 2 || track.channels !== heard.channels ? MIX_DB : LEVEL_DB;
  if (Math.abs(level) > most && heard.end - heard.start > 0.2) add('level', `${level.toFixed(1)} dB louder`);
  if (heard.peak > 1 && heard.peak > track.peak + 2) add('level', `peak of ${heard.peak} dBTP`);
}

/** Compares the envelopes of two tracks. A flat one has no shape, and is like each other flat one. */
function compareSound(track: Track, heard: Track, from: number, { part, picture, speed = 1 }: Expectation) {
  // A file of sound alone begins with the sound.
  const startOf = ({ start }: Track): number => (picture === undefined ? 0 : start);
  const length = Math.min(part?.[1] ?? Number.POSITIVE_INFINITY, startOf(track) + track.end - track.start) - from;
  const stepsOf = (one: Track, begin: number, pace: number): Float32Array =>
    Float32Array.from(
      { length: Math.max(0, Math.floor(length / speed / STEP_SECONDS)) },
      (_, step) => one.envelope[Math.floor((begin - startOf(one)) / STEP_SECONDS + step * pace)] ?? 0,
    );
  const [wanted, have] = [stepsOf(track, from, speed), stepsOf(heard, 0, 1)];
  const power = (all: Numbers): number => mean(Array.from(all, (value) => value * value)) + 1e-9;
  const level = 10 * Math.log10(power(have) / power(wanted));
  const isFlat =
    Math.sqrt(covariance(wanted, wanted)) < 0.1 * mean(wanted) + 1e-4 || wanted.length < 15 || track.peak < QUIET_DB;
  if (isFlat) return { likeness: 1, lag: 0, level };
  const reach = Math.min(25, Math.floor(wanted.length / 3));
  const at = (lag: number): number => {
    const [one, other] = lag >= 0 ? [wanted, have.subarray(lag)] : [wanted.subarray(-lag), have];
    const size = Math.min(one.length, other.length);
    const [a, b] = [one.subarray(0, size), other.subarray(0, size)];
    return covariance(a, b) / (Math.sqrt(covariance(a, a) * covariance(b, b)) + 1e-9);
  };
  const lags = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
  const best = lags.toSorted((one, other) => at(other) - at(one))[0] ?? 0;
  // Of a sound that repeats, several lags are alike.
  const lag = at(0) > at(best) - 0.05 ? 0 : best;
  return { likeness: at(lag), lag: lag * STEP_SECONDS, level };
}
