import type { ExpectedResult } from './expected-results.ts';
import { hearAt, ofKind, type SeenMedia } from './seen-media.ts';
import { frameAt, frameTimes, type Source } from './sources.ts';

/** The kinds of deviations, and the codes of the warnings that tell them. */
export const TOLD_BY = {
  length: ['SHORT_OUTPUT', 'LONG_OUTPUT', 'UNEQUAL_LENGTHS', 'CUT_OFF'],
  frames: ['FRAMES_DROPPED', 'FRAMES_REPEATED', 'FRAME_RATE_CHANGED', 'SHORT_OUTPUT', 'EARLY_START'],
  orientation: ['ROTATION_LOST', 'ROTATED_TWICE'],
  shape: ['SQUEEZED', 'NON_SQUARE_PIXELS', 'SIZE_CHANGED'],
  colour: ['COLOUR_CHANGED', 'PIXEL_FORMAT_CHANGED', 'HDR_LOST'],
  sound: ['OUT_OF_SYNC', 'SOUND_LEFT_OUT'],
  level: ['LOUDNESS_MISSED'],
  tracks: ['UNUSED_STREAM', 'SOUND_LEFT_OUT', 'STREAM_LEFT_OUT'],
  languages: ['LANGUAGE_LOST', 'UNUSED_STREAM'],
  subtitles: ['UNUSED_STREAM', 'SUBTITLES_LEFT_OUT', 'STREAM_LEFT_OUT'],
  chapters: ['CHAPTERS_LOST', 'NO_EFFECT', 'STREAM_LEFT_OUT'],
  title: ['TAGS_LOST', 'STREAM_LEFT_OUT'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export interface Deviation {
  readonly kind: keyof typeof TOLD_BY;
  readonly text: string;
}

/** The number of places of a result at which frames and sound are compared. */
const PLACES = 10;
/** A corner may differ by this from its colour, in steps of 255. BT.601 for BT.709 is 28. */
const COLOUR_ERROR = 24;
const LEVEL_DB = 1.5;
const SOUND_SECONDS = 0.03;

/** Compares a result with its source. */
export function judge(source: Source, expected: ExpectedResult, seen: SeenMedia): readonly Deviation[] {
  const found: Deviation[] = [];
  const add = (kind: Deviation['kind'], text: string): void => void found.push({ kind, text });
  const { seconds, picture, tracks, keeps, slack } = expected;
  const frameSeconds = 1 / (typeof picture === 'number' ? picture : 25);
  if (Math.abs(seen.seconds - seconds) > Math.max(0.1, 2 * slack, frameSeconds))
    add('length', `${seen.seconds.toFixed(2)} s instead of ${seconds.toFixed(2)} s`);
  const places = Array.from(
    { length: PLACES },
    (_, place) => ((place + 0.5) * Math.min(seconds, seen.seconds)) / PLACES,
  );
  if (picture !== undefined) judgeFrames(source, expected, seen, places, add);
  else if (seen.frames.length > 0) add('frames', 'a picture that nobody asked for');
  const heard = ofKind(seen, 'audio');
  if (heard.length < tracks.length) add('tracks', `${heard.length} of ${tracks.length} tracks of sound`);
  for (const [index, track] of tracks.slice(0, heard.length).entries()) {
    const { language } = source.audio[track] ?? {};
    const told = heard[index]?.tags?.language;
    if (told !== undefined && told !== language) add('languages', `track ${index} is ${told} instead of ${language}`);
    const sound = seen.sounds[index] ?? new Float32Array();
    for (const time of places.slice(1, -1)) {
      const { sourceTime, level } = hearAt(sound, time, track);
      const wanted = expected.sourceTime(time);
      if (sourceTime === undefined) add('sound', `silence at ${time.toFixed(2)} s of track ${index}`);
      else if (Math.abs(sourceTime - wanted) > Math.max(SOUND_SECONDS, slack))
        add(
          'sound',
          `track ${index} at ${time.toFixed(2)} s is of ${sourceTime.toFixed(3)} s instead of ${wanted.toFixed(3)} s`,
        );
      else if (Math.abs(level) > LEVEL_DB) add('level', `track ${index} is ${level.toFixed(1)} dB louder`);
      else continue;
      break;
    }
  }
  const texts = ofKind(seen, 'subtitle').length;
  if (keeps.has('subtitles') && texts < source.subtitles.length)
    add('subtitles', `${texts} of ${source.subtitles.length} subtitles`);
  if (keeps.has('chapters') && seen.chapters !== source.chapters)
    add('chapters', `${seen.chapters} of ${source.chapters} chapters`);
  if (keeps.has('title') && source.container !== 'ts' && seen.title === undefined) add('title', 'no title');
  return found;
}

function judgeFrames(
  source: Source,
  { sourceTime, picture, slack, turns = 0 }: ExpectedResult,
  { frames }: SeenMedia,
  places: readonly number[],
  add: (kind: Deviation['kind'], text: string) => void,
): void {
  const times = frameTimes(source);
  const [first] = frames;
  if (first === undefined) {
    add('frames', 'no frame');
    return;
  }
  if (picture === 'every' && sourceTime(0) === 0 && frames.length !== times.length)
    add('frames', `${frames.length} of ${times.length} frames`);
  if (first.turns !== turns) add('orientation', `turned by ${first.turns ?? 'something'} instead of ${turns}`);
  else if (first.colourError > COLOUR_ERROR) add('colour', `a colour is ${first.colourError} steps away`);
  // At another frame rate, a frame of the result may be of the moment before.
  const step = typeof picture === 'number' ? 1 / picture : slack;
  for (const time of places) {
    const shown = frames.findLast((frame) => frame.time <= time + 0.0005) ?? first;
    const [from, to] = [time - step, time + slack].map((at) => frameAt(times, sourceTime(Math.max(0, at))));
    if (shown.number !== undefined && shown.number >= (from ?? 0) && shown.number <= (to ?? 0)) continue;
    add('frames', `at ${time.toFixed(2)} s frame ${shown.number ?? '?'} instead of ${from} to ${to}`);
    break;
  }
}

/** Splits deviations into those that a warning tells and others. */
export function splitTold(deviations: readonly Deviation[], warnings: readonly { readonly code: string }[]) {
  const codes = new Set(warnings.map(({ code }) => code));
  const isTold = ({ kind }: Deviation): boolean => TOLD_BY[kind].some((code) => codes.has(code));
  return { told: deviations.filter(isTold), defects: deviations.filter((one) => !isTold(one)) };
}
