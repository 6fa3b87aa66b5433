import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { type QUALITY_OPTIONS, QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { Sample } from '../../quality/samples.ts';

const {
  value: VALUE,
  start: START,
  seconds: SECONDS,
  keyFrames: KEY_FRAMES,
  referenceTime,
  encodedTime,
  frameRate,
  sourceFrames,
} = QUALITY_PLACEHOLDERS;

/** The options whose value is a placeholder. Elsewhere, such as in a title, the same word is the client's. */
const OPTION_WITH_VALUE: Readonly<Record<`-${(typeof QUALITY_OPTIONS)[number]}:v`, true>> = {
  '-crf:v': true,
  '-cq:v': true,
  '-qp:v': true,
};

/** Puts the value of the quality option into an argv. */
export const withValue = (argv: readonly string[], value: number): readonly string[] =>
  argv.map((word, at) => (word === VALUE && (argv[at - 1] ?? '') in OPTION_WITH_VALUE ? String(value) : word));

/** Puts the part of the inputs into an argv, and the times of key frames from its start on. */
export const withSample = (
  argv: readonly string[],
  { start, seconds }: Pick<Sample, 'start' | 'seconds'>,
): readonly string[] =>
  argv.map((word) => {
    if (word === START) return seconds6(start);
    if (word === SECONDS) return seconds6(seconds);
    return word.startsWith(KEY_FRAMES) ? keyTimesFrom(start, word.slice(KEY_FRAMES.length)) : word;
  });

/**
 * The listed times from a time on. ffmpeg would force one more frame for each earlier one. The first frame is a key frame without being forced.
 * Times of chapters are left out, because the plan does not know them.
 */
function keyTimesFrom(start: number, listed: string): string {
  if (start <= 0) return listed;
  const times = listed.split(',').filter((time) => (parseDuration(time) ?? 0) >= start);
  return times.join(',') || '0';
}

const seconds6 = (seconds: number): string => String(Number(seconds.toFixed(6)));

/** How the frames of a video and its source are paired. */
export interface Pairing {
  /** Frames per second of the encoded video. */
  readonly fps: number;
  /** How many frames of the source the encoder got. */
  readonly sourceFrames: number;
  /** True if no frame was dropped or repeated, so that the numbers of the frames tell which belong together. */
  readonly hasAllFrames: boolean;
  /** True if frames were repeated, as at the start of a video that begins later than the audio. */
  readonly hasRepeatedFrames: boolean;
}

/** When an encoded video begins. */
export interface EncodedTimes {
  /** By how many seconds its times are later than those of its source. */
  readonly shift: number;
  /**
   * False for the full video: a constant frame rate begins at 0. Its file may begin later, because Matroska shifts all times if those of the
   * audio begin before 0, as with AAC by 21 ms.
   */
  readonly isChunk: boolean;
}

/**
 * Puts the times of the frames into an argv that compares a video with its source. Frames are paired by their numbers: containers round
 * times, and a pair of different frames would have a low score. If ffmpeg dropped or repeated frames to keep the frame rate, they are
 * paired by time, with half a frame of tolerance.
 *
 * @param times When the encoded video begins. Absent: both begin with the same frame.
 */
export function withPairing(
  argv: readonly string[],
  { fps, sourceFrames: frames, hasAllFrames, hasRepeatedFrames }: Pairing,
  times?: EncodedTimes,
): readonly string[] {
  const rate = Math.max(1, Math.round(fps));
  const byNumber = `N/(${rate}*TB)`;
  const [reference, encoded] = hasAllFrames
    ? [byNumber, byNumber]
    : hasRepeatedFrames && times !== undefined
      ? // The first frame may be a repeated one, so start times do not pair frames. After a repeated one, frames are written up to half a frame late.
        [`PTS-${(0.25 / fps).toFixed(6)}/TB`, `${times.isChunk ? 'PTS' : 'PTS-STARTPTS'}-(${times.shift})/TB`]
      : [`PTS-STARTPTS-${(0.5 / fps).toFixed(6)}/TB`, 'PTS-STARTPTS'];
  return argv.map((word) =>
    word.includes(referenceTime)
      ? word
          .replaceAll(sourceFrames, String(frames))
          .replaceAll(referenceTime, reference)
          .replaceAll(encodedTime, encoded)
          .replaceAll(frameRate, String(rate))
      : word,
  );
}
