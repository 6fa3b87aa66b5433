import { type Frame, type MediaFacts, type Picture, SIDE, STEP_SECONDS, type Track } from './media-facts.ts';

/** What can differ between a source and its result, and the words in which a tool tells it. */
export const LOSSES = {
  length: /\b(shorter|longer|length|ends? early|short|duration|cut off|truncat)/i,
  frames: /\bframes?\b/i,
  rate: /\bframes?\b|\brate\b/i,
  orientation: /\b(rotat|turn|orientation|sideways)/i,
  shape: /\b(aspect|squeez|square|shape|crop)/i,
  size: /\b(size|width|height|divisible|enlarg|smaller|wide)/i,
  colour: /\b(colou?r|matrix|pixel format|bt\.?(601|709)|range)\b/i,
  hdr: /\bhdr|tone|pale|smpte2084|\bpq\b|hlg/i,
  alpha: /alpha|transparen/i,
  sound: /\b(out of sync|audio|sound|silen|sync)/i,
  level: /\b(loud|level|peak|volume|clip)/i,
  tracks: /\b(audio|sound|stream|track)s?\b/i,
  languages: /language/i,
  subtitles: /subtitle|caption|teletext/i,
  chapters: /chapter/i,
  cover: /\b(cover|picture|image|attached)/i,
  attachments: /attachment|font/i,
  tags: /\b(tags?|metadata|titles?|artist)\b/i,
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
const LEAST_LIKENESS = 0.7;
/** A part of a frame may differ by this from its colour, in steps of 255. BT.601 for BT.709 is about 28 for a pure colour. */
const COLOUR_ERROR = 22;
const LEVEL_DB = 1.5;
/** A mix of surround sound has other levels than its channels. */
const MIX_DB = 7;
/** Coding noise hides the shape of sound with lower peaks. */
const QUIET_DB = -45;
const SYNC_SECONDS = 0.08;

/** Compares a result with its source. */
export function judgeResult(source: MediaFacts, result: MediaFacts, expected: Expectation): readonly Deviation[] {
  const found: Deviation[] = [];
  const add = (loss: Loss, text: string): void => {
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
  const count = (loss: Loss, have: number, had: number): void => {
    if (have < had) add(loss, `${have} of ${had} ${loss}`);
  };
  count('tracks', result.tracks.length, source.tracks.length);
  count('subtitles', result.subtitles.length, source.subtitles.length);
  count('chapters', result.chapters, source.chapters);
  count('cover', result.covers, Math.min(1, source.covers));
  count('attachments', result.attachments, source.attachments);
  for (const [name, value] of Object.entries(source.tags))
    if (result.tags[name]?.trim() !== value.trim()) add('tags', `${name} is ${result.tags[name] ?? 'lost'}`);
  for (const kind of ['tracks', 'subtitles'] as const) {
    const had = source[kind].slice(0, result[kind].length).map((one) => one.language ?? '');
    const have = result[kind].map((one) => one.language ?? '');
    if (had.some((language) => language !== '' && !have.includes(language)))
      add('languages', `${have.join(' ') || 'none'} instead of ${had.join(' ')}`);
  }
  return found;
}

const frameSeconds = (picture: Picture | undefined): number => {
  const { frames } = picture ?? { frames: [] };
  return frames.length < 2 ? 0.04 : ((frames.at(-1)?.time ?? 0) - (frames[0]?.time ?? 0)) / (frames.length - 1);
};

type Add = (loss: Loss, text: string) => void;

function judgePicture(source: Picture, result: Picture, expected: Expectation, part: readonly number[], add: Add) {
  const { turns, early = 0, speed = 1 } = expected;
  if (source.hdr && !result.hdr) add('hdr', 'no HDR');
  if (source.alpha && !result.alpha) add('alpha', 'no transparency');
  if (expected.picture === 'other') return;
  const [width, height] = turns === 1 ? [source.height, source.width] : [source.width, source.height];
  const aspect = result.width / result.height / (width / height);
  const pixel = 1.5 / Math.min(result.width, result.height);
  if (Math.abs(aspect - 1) > 0.025 + pixel) {
    const sideways = Math.abs(result.height / result.width / (width / height) - 1) < 0.03;
    add(
      sideways ? 'orientation' : 'shape',
      `${Math.round(result.width)}x${result.height} of ${Math.round(width)}x${height}`,
    );
  }
  if (Math.abs(result.height - height) > 2 && Math.abs(result.width - width) > 2)
    add('size', `${Math.round(result.width)}x${result.height} instead of ${Math.round(width)}x${height}`);
  // What is below transparent parts is nobody's picture.
  if (source.alpha && !result.alpha) return;
  const [from = 0, to = 0] = part;
  const turned =
    turns === 1 ? source.frames.map((frame) => ({ ...frame, pixels: turnRight(frame.pixels) })) : source.frames;
  const frames = turned.filter(({ time }) => time <= to + 0.001);
  const first = frames.findLastIndex(({ time }) => time <= from + 0.001);
  if (expected.keeps.has('rate') && expected.picture === 'video') {
    const [had, have] = [frames.length - Math.max(0, first), result.frames.length * Math.max(1, speed)];
    if (have < 0.9 * had - 1) add('rate', `${result.frames.length} of ${had} frames`);
  }
  const window = Math.max(0.05, 1.6 * frameSeconds(source), 1.1 * frameSeconds(result) * speed);
  const seconds = Math.min((to - from) / speed, result.frames.at(-1)?.time ?? 0);
  const places =
    expected.picture === 'image' ? [0] : Array.from({ length: PLACES }, (_, at) => ((at + 0.5) * seconds) / PLACES);
  let colour = 0;
  for (const place of places) {
    const shown = result.frames.findLast(({ time }) => time <= place + 0.001) ?? result.frames[0];
    const at = from + early + place * speed;
    const near =
      expected.picture === 'image' && expected.part === undefined
        ? turned
        : turned.filter(({ time }, index) => {
            const next = turned[index + 1]?.time ?? Number.POSITIVE_INFINITY;
            return time <= at + window && next >= at - window - early;
          });
    const likest = near.map((frame) => likeness(frame, shown)).toSorted((one, other) => other.ssim - one.ssim)[0];
    if (likest === undefined) continue;
    if (likest.ssim < LEAST_LIKENESS) {
      let pixels = near.findLast(({ time }) => time <= at + 0.001)?.pixels ?? Buffer.alloc(0);
      const isTurned = [1, 2, 3].some(() => {
        pixels = turnRight(pixels);
        return likeness({ time: at, pixels }, shown).ssim > LEAST_LIKENESS + 0.1;
      });
      const loss = isTurned ? 'orientation' : 'frames';
      add(loss, `another picture at ${place.toFixed(2)} s (SSIM ${likest.ssim.toFixed(2)})`);
      return;
    }
    colour = Math.max(colour, likest.colour);
  }
  if (colour > COLOUR_ERROR && source.hdr === result.hdr) add('colour', `a colour is ${Math.round(colour)} steps away`);
}

/** Turns a square frame by a quarter to the right. */
export function turnRight(pixels: Buffer): Buffer {
  const turned = Buffer.alloc(pixels.length);
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1)
      pixels.copy(turned, (x * SIDE + SIDE - 1 - y) * 4, (y * SIDE + x) * 4, (y * SIDE + x) * 4 + 4);
  return turned;
}

const BLOCK = 8;

/** The mean SSIM of the luma of two frames, and the greatest difference of a colour of a part of them. Transparent parts are white. */
export function likeness(
  one: Frame | undefined,
  other: Frame | undefined,
): { readonly ssim: number; readonly colour: number } {
  const blocks = SIDE / BLOCK;
  let [ssim, colour] = [0, 0];
  for (let block = 0; block < blocks * blocks; block += 1) {
    const [a, b] = [one, other].map((frame) => blockOf(frame, block % blocks, Math.floor(block / blocks)));
    const [ma, mb] = [mean(a?.luma), mean(b?.luma)];
    const [va, vb] = [covariance(a?.luma, a?.luma), covariance(b?.luma, b?.luma)];
    const shared = covariance(a?.luma, b?.luma);
    ssim += ((2 * ma * mb + 6.5) * (2 * shared + 58.5)) / ((ma * ma + mb * mb + 6.5) * (va + vb + 58.5));
    for (const channel of [0, 1, 2])
      colour = Math.max(colour, Math.abs((a?.colours[channel] ?? 0) - (b?.colours[channel] ?? 0)));
  }
  return { ssim: ssim / (blocks * blocks), colour };
}

function blockOf(frame: Frame | undefined, column: number, row: number) {
  const luma: number[] = [];
  const colours = [0, 0, 0];
  for (let y = row * BLOCK; y < (row + 1) * BLOCK; y += 1)
    for (let x = column * BLOCK; x < (column + 1) * BLOCK; x += 1) {
      const at = (y * SIDE + x) * 4;
      const opacity = (frame?.pixels[at + 3] ?? 0) / 255;
      const rgb = [0, 1, 2].map((channel) => 255 + ((frame?.pixels[at + channel] ?? 0) - 255) * opacity);
      for (const [channel, value] of rgb.entries()) colours[channel] = (colours[channel] ?? 0) + value / BLOCK ** 2;
      luma.push(0.299 * (rgb[0] ?? 0) + 0.587 * (rgb[1] ?? 0) + 0.114 * (rgb[2] ?? 0));
    }
  return { luma, colours };
}

type Numbers = ArrayLike<number>;

const mean = (all: Numbers = []): number =>
  Array.from(all).reduce((sum, value) => sum + value, 0) / Math.max(1, all.length);

function covariance(one: Numbers = [], other: Numbers = []): number {
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
  if (expected.loudness !== undefined) {
    const off = heard.loudness - expected.loudness;
    if (heard.end - heard.start > 0.5 && heard.loudness > -69 && Math.abs(off) > 1)
      add('level', `${off.toFixed(1)} LU off`);
  }
  // The result has one of the tracks: the likest one.
  const compared = source.tracks.map((track) => compareSound(track, heard, from, expected));
  const likest = compared.toSorted((one, other) => other.likeness - one.likeness)[0];
  if (likest === undefined || expected.early !== undefined) return;
  if (likest.likeness < 0.6) add('sound', `other sound (correlation ${likest.likeness.toFixed(2)})`);
  else if (Math.abs(likest.lag) > SYNC_SECONDS) add('sound', `${(likest.lag * 1000).toFixed(0)} ms late`);
  const { track } = likest;
  if (expected.loudness !== undefined) return;
  const most = track.channels > 2 || track.channels !== heard.channels ? MIX_DB : LEVEL_DB;
  if (Math.abs(likest.level) > most) add('level', `${likest.level.toFixed(1)} dB louder`);
  if (heard.peak > 1 && heard.peak > track.peak + 2) add('level', `peak of ${heard.peak} dBTP`);
}

/** Compares the envelopes of two tracks. A flat one has no shape, and is like each other flat one. */
export function compareSound(track: Track, heard: Track, from: number, { part, picture, speed = 1 }: Expectation) {
  // A file of sound alone begins with the sound.
  const startOf = ({ start }: Track): number => (picture === undefined ? 0 : start);
  const length = Math.min(part?.[1] ?? Number.POSITIVE_INFINITY, startOf(track) + track.end - track.start) - from;
  const stepsOf = (one: Track, begin: number, pace: number): Float32Array =>
    Float32Array.from(
      { length: Math.max(0, Math.floor(length / speed / STEP_SECONDS)) },
      (_, step) => one.envelope[Math.floor((begin - startOf(one)) / STEP_SECONDS + step * pace)] ?? 0,
    );
  const [wanted, have] = [stepsOf(track, from, speed), stepsOf(heard, 0, 1)];
  const power = (all: Numbers): number => mean(Array.from(all, (value) => value * value));
  const level = 10 * Math.log10((power(have) + 1e-9) / (power(wanted) + 1e-9));
  const isFlat =
    Math.sqrt(covariance(wanted, wanted)) < 0.1 * mean(wanted) + 1e-4 || wanted.length < 15 || track.peak < QUIET_DB;
  if (isFlat) return { track, likeness: 1, lag: 0, level };
  const reach = Math.min(25, Math.floor(wanted.length / 3));
  const at = (lag: number): number => {
    const [one, other] = lag >= 0 ? [wanted, have.subarray(lag)] : [wanted.subarray(-lag), have];
    const size = Math.min(one.length, other.length);
    const [a, b] = [one.subarray(0, size), other.subarray(0, size)];
    return covariance(a, b) / (Math.sqrt(covariance(a, a) * covariance(b, b)) + 1e-9);
  };
  const lags = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
  const best = lags.map((lag) => ({ lag, value: at(lag) })).toSorted((one, other) => other.value - one.value)[0];
  const still = at(0);
  return still > (best?.value ?? 0) - 0.05
    ? { track, likeness: still, lag: 0, level }
    : { track, likeness: best?.value ?? 0, lag: (best?.lag ?? 0) * STEP_SECONDS, level };
}
