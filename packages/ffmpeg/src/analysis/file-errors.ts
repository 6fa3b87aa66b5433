import {
  type ErrorVerdict,
  type Intervals,
  MAX_LISTED,
  type Measurements,
} from '@telecine/contract/domain/analysis.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { STEP, sortInSteps } from '@telecine/contract/domain/sort-in-steps.ts';
import type { InSteps } from '@telecine/contract/domain/steps.ts';
import { secondsText } from '../rules/facts/media-facts.ts';
import { endsEarly, type MeasuredPart } from './cut-off-file.ts';
import type { FrameList } from './frame-list.ts';

/** Damaged parts that are closer than this, in seconds, are joined. Nobody sees the few frames between them. */
const TOGETHER = 0.25;

/**
 * A gap between frames counts as lost data if it is longer than this, in seconds, and the file has errors. Files without errors may have
 * pauses.
 */
const GAP = 0.3;

/**
 * Single packets without a frame count as lost only below this share of all frames. Above it, the file has fields or invisible frames,
 * whose packets have no frame of their own.
 */
const RARE = 0.1;

/**
 * Returns the damaged and missing parts of a file that ffprobe decoded. Works in steps (`InSteps`), because a file can have millions of
 * frames.
 */
export function* fileErrors(list: FrameList, part: MeasuredPart): InSteps<NonNullable<Measurements['errors']>> {
  const videoTimes = yield* orderedTimes(list, 'video');
  const video = videoTimes && (yield* damagedIntervals(videoTimes, list, part));
  const audioTimes = yield* orderedTimes(list, 'audio');
  const audio = audioTimes && (yield* damagedIntervals(audioTimes, list, part));
  const frames = (videoTimes?.frames.length ?? 0) + (audioTimes?.frames.length ?? 0);
  const stated = list.statedSeconds;
  const isCutOff = stated !== undefined && endsEarly(list.lastSeconds, stated, part);
  const end = list.endSeconds;
  const isUnread = end !== undefined && list.errors > 0 && endsEarly(list.lastSeconds, end, part);
  const isDamaged = (video?.count ?? 0) + (audio?.count ?? 0) > 0 || isUnread;
  const isEmpty = frames === 0;
  const verdict: ErrorVerdict = isEmpty
    ? 'empty'
    : isCutOff
      ? 'cut off'
      : isDamaged
        ? 'damaged'
        : list.errors > 0
          ? 'doubtful'
          : 'intact';
  const found = {
    count: list.errors,
    ...(video && { video }),
    ...(audio && { audio }),
    ...((verdict === 'cut off' || isUnread) && { endsAt: rounded(list.lastSeconds) }),
  };
  const kinds = { has: (type: 'video' | 'audio') => list.has(type) };
  return { verdict, message: messageOf(verdict, found, { stated: stated ?? end, ...kinds }), ...found };
}

function messageOf(
  verdict: ErrorVerdict,
  { count, video, audio, endsAt }: Omit<NonNullable<Measurements['errors']>, 'verdict' | 'message'>,
  { stated = 0, has }: { readonly stated: number | undefined; readonly has: (type: 'video' | 'audio') => boolean },
): string {
  switch (verdict) {
    case 'empty':
      return `The file has a header, but no ${has('video') ? 'video' : has('audio') ? 'audio' : 'video and no audio'} that can be decoded.`;
    case 'intact':
      return 'All of it can be decoded, without any error.';
    case 'doubtful':
      return `All of it can be decoded, although ffmpeg reports ${count === 1 ? 'an error' : `${count} errors`}. It probably plays.`;
    case 'cut off':
      return `The data ends at ${secondsText(endsAt ?? 0)}, although the header says ${secondsText(stated)}: the file was copied or downloaded in part.${lostText(video, audio)}`;
    case 'damaged':
      return `The data is damaged.${lostText(video, audio)}${
        endsAt === undefined
          ? ''
          : ` Players may stop at ${secondsText(endsAt)}, although the file goes on to ${secondsText(stated)}.`
      }${has('video') ? ' The recipe "repair" keeps what can be read.' : ''}`;
  }
}

const lostText = (video: Intervals | undefined, audio: Intervals | undefined): string =>
  [placesText('The video', video), placesText('The audio', audio)].join('');

function placesText(what: string, { count = 0, totalSeconds = 0, intervals: [first] = [] }: Partial<Intervals> = {}) {
  if (first === undefined) return '';
  const where = `from ${secondsText(first.start)} to ${secondsText(first.end)}`;
  return count === 1
    ? ` ${what} is lost or damaged ${where}.`
    : ` ${what} is lost or damaged at ${count} places (${secondsText(totalSeconds)} in all), first ${where}.`;
}

/** The times of a stream in seconds, sorted. */
interface OrderedTimes {
  readonly packets: Float64Array;
  readonly frames: Float64Array;
  readonly damaged: Float64Array;
  readonly packetSeconds: number;
}

function* orderedTimes(list: FrameList, type: 'video' | 'audio'): InSteps<OrderedTimes | undefined> {
  const times = yield* list.first(type);
  if (times === undefined) return undefined;
  const packets = yield* sortInSteps(times.packets);
  return {
    packets,
    frames: yield* sortInSteps(times.frames),
    damaged: yield* sortInSteps(times.damaged),
    packetSeconds: times.packetSeconds ?? (yield* usualSpacing(packets)),
  };
}

/** The damaged parts within the measured part, in seconds from the start of the file. */
function* damagedIntervals(times: OrderedTimes, list: FrameList, { from, to }: MeasuredPart): InSteps<Intervals> {
  const parts = yield* lostParts(times, list.errors > 0);
  let [count, total] = [0, 0];
  const intervals: { start: number; end: number }[] = [];
  for (let at = 0; at < parts.length; at++) {
    if (at % STEP === 0) yield;
    const start = Math.max(from, parts.start(at) - list.startTime);
    const end = Math.min(to, parts.end(at) - list.startTime);
    if (!(end > start || (end === start && end >= from && end <= to))) continue;
    count += 1;
    total += end - start;
    if (intervals.length < MAX_LISTED) intervals.push({ start: rounded(start), end: rounded(end) });
  }
  return { count, totalSeconds: rounded(total), intervals };
}

/** The parts with missing or damaged frames, sorted, in timestamps of the file. */
function* lostParts(
  { packets: sent, packetSeconds, frames: shown, damaged }: OrderedTimes,
  hasErrors: boolean,
): InSteps<PartList> {
  const parts = new PartList();
  const single = new PartList();
  if (shown.length === 0) return parts;
  const end = Math.max(shown.at(-1) ?? 0, (sent.at(-1) ?? 0) + packetSeconds);
  // In files with fields or invisible frames, each frame has two packets. The second is not lost.
  const mostSingle = hasErrors ? shown.length * RARE : 0;
  let [next, nextDamaged, singles] = [0, 0, 0];
  for (let at = 0; at <= shown.length; at++) {
    if (at % STEP === 0) yield;
    const frame = shown[at] ?? Number.POSITIVE_INFINITY;
    const until = Number.isFinite(frame) ? frame : end;
    // Count the packets before this frame that gave no frame.
    const [before, first] = [next, sent[next] ?? frame];
    for (; next < sent.length && (sent[next] ?? 0) < frame - EXACT; next++) if (next % STEP === 0) yield;
    const count = next - before;
    const gapStart = (shown[at - 1] ?? Number.POSITIVE_INFINITY) + packetSeconds;
    const isGap = hasErrors && until - gapStart > Math.max(GAP, 5 * packetSeconds);
    if (isGap) parts.add(gapStart, until);
    // A cut video may begin with frames that refer to earlier frames, which the cut removed. The decoder skips them without an error.
    else if (count > 1 && (hasErrors || at > 0)) parts.add(first, until);
    else if (count === 1 && at > 0 && ++singles < mostSingle) single.add(first, until);
    for (; nextDamaged < damaged.length && (damaged[nextDamaged] ?? 0) < frame; nextDamaged++)
      if (nextDamaged % STEP === 0) yield;
    if (damaged[nextDamaged] === frame) parts.add(frame, shown[at + 1] ?? end);
    for (; next < sent.length && (sent[next] ?? 0) <= frame + EXACT; next++) if (next % STEP === 0) yield;
  }
  return singles < mostSingle ? yield* mergedParts(parts, single) : parts;
}

/** The tolerance, in seconds, for times that ffprobe prints with microseconds. */
const EXACT = 0.00001;

/** The median of the time between two packets. Unlike the mean, pauses do not change it. */
function* usualSpacing(sent: Float64Array): InSteps<number> {
  const spacings = new Float64Array(Math.max(0, sent.length - 1));
  for (let at = 0; at < spacings.length; at++) {
    spacings[at] = (sent[at + 1] ?? 0) - (sent[at] ?? 0);
    if (at % STEP === 0) yield;
  }
  return (yield* sortInSteps(spacings))[Math.floor(spacings.length / 2)] ?? 0;
}

/** Parts of a file, in order of their starts. Parts that are closer than `TOGETHER` are joined. */
class PartList {
  // Two numbers instead of an object, which takes five times the memory: a hostile file can have millions of parts.
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  get length(): number {
    return this.#starts.length;
  }

  start(at: number): number {
    return this.#starts[at] ?? Number.POSITIVE_INFINITY;
  }

  end(at: number): number {
    return this.#ends[at] ?? Number.POSITIVE_INFINITY;
  }

  add(start: number, end: number): void {
    const last = this.#ends.length - 1;
    if (last >= 0 && start - this.end(last) < TOGETHER) this.#ends[last] = Math.max(this.end(last), end);
    else {
      this.#starts.push(start);
      this.#ends.push(end);
    }
  }
}

function* mergedParts(one: PartList, other: PartList): InSteps<PartList> {
  const all = new PartList();
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    if ((left + right) % STEP === 0) yield;
    if (one.start(left) <= other.start(right)) all.add(one.start(left), one.end(left++));
    else all.add(other.start(right), other.end(right++));
  }
  return all;
}
