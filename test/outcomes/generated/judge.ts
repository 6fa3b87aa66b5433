import type { JobView } from '../../../packages/contract/src/wire/job.ts';
import { similarityOf } from './coded-frames.ts';
import type { ExpectedResult } from './expected-results.ts';
import { hearAt, ofKind, peakOf, type SeenMedia, type TimedFrame, WINDOW_SECONDS } from './seen-media.ts';
import type { Source } from './sources.ts';

/**
 * The kinds of deviations, and what warnings call them: what is `lost`, or the code of a warning that compares nothing, such as one about a
 * request.
 */
export const TOLD_BY = {
  length: ['length', 'picture at the end', 'sound at the end', 'video', 'CUT_OFF', 'KEY_FRAME_CUTS'],
  frames: ['times of the frames', 'frame rate', 'length', 'video', 'start of the video', 'KEY_FRAME_CUTS'],
  orientation: ['rotation', 'ROTATED_TWICE'],
  colour: ['HDR'],
  alpha: ['transparency'],
  sound: ['audio', 'length', 'sound at the end', 'KEY_FRAME_CUTS'],
  level: ['LOUDNESS_MISSED'],
  tracks: ['audio'],
  languages: ['tags', 'audio'],
  subtitles: ['subtitles'],
  chapters: ['chapters'],
  cover: ['cover', 'COVER_AS_VIDEO'],
  title: ['tags'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export interface Deviation {
  readonly kind: keyof typeof TOLD_BY;
  readonly text: string;
}

type Add = (kind: Deviation['kind'], text: string) => void;

/** The number of places of a result at which frames and sound are compared. */
const PLACES = 10;
/** A corner may differ by this from its colour, in steps of 255. BT.601 for BT.709 is 28. */
const COLOUR_ERROR = 24;
/** A frame of low quality that shows the same. One with another matrix or number is less similar. */
const SIMILARITY = 0.8;
/** Padding of encoders, and what filters such as `loudnorm` still hold at the end. */
const LENGTH_SECONDS = 0.13;
/** Encoders at low bit rates come near to this. */
const LEVEL_DB = 2;
/** By how much the peaks of an encoder with loss may exceed those of the source. */
const PEAK = 1.6;
const SOUND_SECONDS = 0.03;
/** What a mix of equal channels changes by the levels of ITU-R BS.775: of mono to stereo, stereo to mono, and surround sound to either. */
const MIX_DB = {
  1: { quieter: 3.1, louder: 0 },
  2: { quieter: 0, louder: 3.1 },
  6: { quieter: 0, louder: 10.7 },
} as const;

/** Compares a result with its source. `from`: what is seen and heard of the source. */
export function judge(source: Source, from: SeenMedia, wanted: ExpectedResult, seen: SeenMedia): readonly Deviation[] {
  const found: Deviation[] = [];
  const add: Add = (kind, text) => void found.push({ kind, text });
  const expected = wanted.times === 'part-from-key-frame' ? fromKeyFrame(from, wanted, seen, add) : wanted;
  const { seconds, keeps, slack, late, times } = expected;
  const tolerance = Math.max(LENGTH_SECONDS, 2 * slack, 1.5 * late) * (times === 'repeated' ? 2 : 1);
  if (times !== 'still' && Math.abs(seen.seconds - seconds) > tolerance)
    add('length', `${seen.seconds.toFixed(2)} s instead of ${seconds.toFixed(2)} s`);
  const length = Math.min(seconds, seen.seconds);
  const places = Array.from({ length: PLACES }, (_, place) => ((place + 0.5) * length) / PLACES);
  if (keeps.has('picture') && from.frames.length > 0) judgeFrames(from, expected, seen, places, add);
  // Only the video of a copy ends later than it should, and its sound may begin before its first key frame.
  const [first, last] = [(seen.frames[0]?.time ?? 0) + WINDOW_SECONDS, length - REORDER_SECONDS];
  const isCopy = times === 'part-from-key-frame';
  const heard = isCopy ? places.filter((time) => time > first && time < last) : places;
  judgeSound(source, from, expected, seen, heard, add);
  const count = (media: SeenMedia, type: string): number => ofKind(media, type).length;
  if (keeps.has('subtitles') && count(seen, 'subtitle') < count(from, 'subtitle'))
    add('subtitles', `${count(seen, 'subtitle')} of ${count(from, 'subtitle')} subtitles`);
  if (keeps.has('chapters') && seen.chapters !== from.chapters)
    add('chapters', `${seen.chapters} of ${from.chapters} chapters`);
  if (keeps.has('tags') && from.title !== undefined && ![seen.title, seen.service].includes(from.title))
    add('title', `the title ${seen.title ?? 'is missing'}`);
  if (keeps.has('cover') && from.hasCover && !seen.hasCover) add('cover', 'no cover');
  return found;
}

/** A copy ends in the order in which frames are decoded: some frames of its end are shown later. */
const REORDER_SECONDS = 0.3;

/** A copy begins at the key frame before its start: its first frame says where. */
function fromKeyFrame({ frames }: SeenMedia, wanted: ExpectedResult, seen: SeenMedia, add: Add): ExpectedResult {
  const start = wanted.sourceTime(0);
  const [shown] = seen.frames;
  // In an MP4, the sound may begin before the key frame. A video that no player shows leaves only the sound.
  const ofSound =
    (hearAt(seen.sounds[0] ?? new Float32Array(), WINDOW_SECONDS, 0).sourceTime ?? start) - WINDOW_SECONDS;
  const first = frames.find(({ number }) => number === shown?.number)?.time ?? start;
  const begin = shown === undefined ? ofSound : first - shown.time;
  if (begin > start + wanted.slack) add('frames', `begins at ${begin.toFixed(2)} s, after ${start.toFixed(2)} s`);
  const seconds = wanted.seconds + start - begin;
  const isLonger = seen.seconds > seconds && seen.seconds - seconds < REORDER_SECONDS;
  return { ...wanted, sourceTime: (time) => begin + time, seconds: isLonger ? seen.seconds : seconds };
}

function judgeFrames(
  from: SeenMedia,
  { sourceTime, fps, slack, late, turns, times, changes, keeps, isOpaque }: ExpectedResult,
  { frames }: SeenMedia,
  places: readonly number[],
  add: Add,
): void {
  const [first] = frames;
  if (first === undefined) {
    add('frames', 'no frame');
    return;
  }
  // The frame that is first on the screen lasts longer where the sound begins before it.
  const held = (from.frames[0]?.time ?? 0) > 0.004 ? 1 : 0;
  const isVariable =
    new Set(from.frames.slice(1).map(({ time }, at) => Math.round((time - (from.frames[at]?.time ?? 0)) * 50))).size >
    1;
  if (times === 'same' && fps === undefined && !changes.has('frame-rate')) {
    // Matroska does not say how long the last frame of a varying rate is shown, and an MP4 of it may show it for no time.
    const isUnstated = isVariable && from.streams.every(({ duration }) => duration === undefined);
    const least = from.frames.length - (isUnstated ? 1 : 0);
    const most = isVariable ? Number.POSITIVE_INFINITY : from.frames.length + held;
    if (frames.length < least || frames.length > most) add('frames', `${frames.length} of ${least} frames`);
  }
  if (changes.has('shape')) return;
  const isRecoloured = changes.has('colours');
  if (first.turns !== turns && !isRecoloured)
    add('orientation', `turned by ${first.turns ?? 'something'} instead of ${turns}`);
  else if (
    !changes.has('colours') &&
    first.colourError > Math.max(COLOUR_ERROR, (from.frames[0]?.colourError ?? 0) + 8)
  )
    add('colour', `a colour is ${first.colourError} steps away`);
  const isFlattened = isOpaque && from.frames[0]?.isTransparent === true;
  if (keeps.has('alpha') && !isOpaque && from.frames[0]?.isTransparent === true && !first.isTransparent)
    add('alpha', 'opaque');
  const shownIn = (all: readonly TimedFrame[], time: number): TimedFrame =>
    all.findLast((frame) => frame.time <= time + 0.0005) ?? all[0] ?? first;
  for (const time of times === 'still' ? [0] : places) {
    const shown = shownIn(frames, time);
    const moments = times === 'still' ? [] : [time - late, time + slack].map((at) => sourceTime(Math.max(0, at)));
    const around = times === 'still' || times === 'reversed' ? [sourceTime(time) - late, sourceTime(time) + late] : [];
    const ends = [...moments, ...around].map((at) => shownIn(from.frames, at).number ?? 0);
    const [least, most] = [Math.min(...ends), Math.max(...ends)];
    const { number } = shown;
    // Without its colours, a frame does not show how it is turned.
    if (isRecoloured && shown.turns !== turns) continue;
    if (number === undefined || number < least || number > most) {
      add('frames', `at ${time.toFixed(2)} s frame ${number ?? '?'} instead of ${least} to ${most}`);
      return;
    }
    const same = from.frames.find((one) => one.number === number);
    const similarity = same === undefined || isRecoloured || isFlattened ? 1 : similarityOf(shown.greens, same.greens);
    if (similarity >= SIMILARITY) continue;
    add('colour', `at ${time.toFixed(2)} s only ${similarity.toFixed(2)} similar`);
    return;
  }
}

/** Without a map, ffmpeg takes the default track. Where none is marked, it takes the one with most channels, and recipes the first. */
function tracksOf({ audio }: Source, { keeps }: ExpectedResult): readonly (readonly number[])[] {
  const all = audio.map((_, track) => track);
  return keeps.has('all-sound') ? all.map((track) => [track]) : keeps.has('sound') && all.length > 0 ? [all] : [];
}

function judgeSound(
  source: Source,
  from: SeenMedia,
  expected: ExpectedResult,
  seen: SeenMedia,
  places: readonly number[],
  add: Add,
): void {
  const tracks = tracksOf(source, expected);
  const heard = ofKind(seen, 'audio');
  if (heard.length < tracks.length) add('tracks', `${heard.length} of ${tracks.length} tracks of sound`);
  for (const [index, allowed] of tracks.slice(0, heard.length).entries()) {
    const sound = seen.sounds[index] ?? new Float32Array();
    const near = (track: number): number =>
      Math.abs((hearAt(sound, 0.6 * seen.seconds, track).sourceTime ?? 99) - expected.sourceTime(0.6 * seen.seconds));
    const [track = 0] = allowed.toSorted((one, other) => near(one) - near(other));
    const languageOf = (media: SeenMedia, at: number): string | undefined =>
      ofKind(media, 'audio')[at]?.tags?.['language'];
    const language = languageOf(from, track) ?? 'und';
    const told = languageOf(seen, index) ?? 'und';
    if (expected.holdsLanguages && expected.keeps.has('languages') && language !== 'und' && told !== language)
      add('languages', `track ${index} is ${told} instead of ${language}`);
    const wrong = wrongSound({ source, from, expected, sound, track, places });
    if (wrong !== undefined) add(wrong.kind, `track ${index} ${wrong.text}`);
    const [peak, before] = [peakOf(sound), peakOf(from.sounds[track])];
    const isMixed = (heard[index]?.channels ?? 0) < (source.audio[track]?.channels ?? 0);
    if (!expected.changes.has('loudness') && !isMixed && peak > PEAK * before)
      add('level', `track ${index} has a peak of ${peak.toFixed(2)} instead of ${before.toFixed(2)}`);
  }
}

/** The first deviation of a track of sound. */
function wrongSound({
  source,
  from,
  expected: { sourceTime, times, changes },
  sound,
  track,
  places,
}: {
  readonly source: Source;
  readonly from: SeenMedia;
  readonly expected: ExpectedResult;
  readonly sound: Float32Array;
  readonly track: number;
  readonly places: readonly number[];
}): Deviation | undefined {
  const original = from.sounds[track] ?? new Float32Array();
  const mixed = MIX_DB[source.audio[track]?.channels ?? 2];
  // Backwards, the sound begins with its own end, which an encoder may have padded.
  const factor = times === 'same' ? 1 : times === 'reversed' ? 3 : 2;
  for (const time of places.slice(1, -1)) {
    const wanted = hearAt(original, sourceTime(time), track);
    const { sourceTime: content, level } = hearAt(sound, time, track);
    if (wanted.sourceTime === undefined) continue;
    if (content === undefined) return { kind: 'sound', text: `is silent at ${time.toFixed(2)} s` };
    if (Math.abs(content - wanted.sourceTime) > SOUND_SECONDS * factor)
      return {
        kind: 'sound',
        text: `at ${time.toFixed(2)} s is of ${content.toFixed(3)} s instead of ${wanted.sourceTime.toFixed(3)} s`,
      };
    const louder = level - wanted.level;
    if (!changes.has('loudness') && (louder < -LEVEL_DB - mixed.quieter || louder > LEVEL_DB + mixed.louder))
      return { kind: 'level', text: `is ${louder.toFixed(1)} dB louder` };
  }
  return undefined;
}

/** Splits deviations into those that a warning tells and others. */
export function splitTold(deviations: readonly Deviation[], warnings: NonNullable<JobView['warnings']>) {
  const words = new Set(warnings.map(({ code, lost = code }) => lost));
  const isTold = ({ kind }: Deviation): boolean => TOLD_BY[kind].some((word) => words.has(word));
  return { told: deviations.filter(isTold), defects: deviations.filter((one) => !isTold(one)) };
}
