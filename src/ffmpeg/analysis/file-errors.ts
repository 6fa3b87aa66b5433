import {
  type DamagedInterval,
  type DamagedIntervals,
  type ErrorVerdict,
  type Intervals,
  MAX_LISTED,
  type Measurements,
} from '../../domain/analysis.ts';
import type { InSteps } from '../../domain/steps.ts';
import { secondsText } from '../rules/facts/media-facts.ts';
import { endsEarly } from './cut-off-file.ts';
import { type FrameList, STEP, sortInSteps } from './frame-list.ts';
import { rounded } from './summaries.ts';

/** The part of the file that is measured, in seconds from its start. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Damaged parts that are nearer than this are one, in seconds: between them are single frames that nobody sees. */
const TOGETHER = 0.25;

/**
 * A gap between packets that counts as lost, in seconds. It counts only in files with errors: recordings of screens and
 * calls have pauses.
 */
const GAP = 0.3;

/** The share of gaps between frames that may hold a packet without a frame, as fields and invisible frames do. */
const RARE = 0.1;

/** What is damaged or missing in a file, by what ffprobe found while it decoded it. A file can have millions of frames. */
export function* fileErrors(list: FrameList, part: Part): InSteps<NonNullable<Measurements['errors']>> {
  const picture = yield* orderedTimes(list, 'video');
  const pictureParts = picture && (yield* damagedIntervals(picture, list, part));
  const video = picture && pictureParts && (yield* withRecovery(pictureParts, picture, list.startTime));
  const sound = yield* orderedTimes(list, 'audio');
  const audio = sound && (yield* damagedIntervals(sound, list, part));
  const frames = (picture?.frames.length ?? 0) + (sound?.frames.length ?? 0);
  const stated = list.statedSeconds;
  const isCutOff = stated !== undefined && endsEarly(list.lastSeconds, stated, part);
  const end = list.endSeconds;
  const isUnread = end !== undefined && list.errors > 0 && endsEarly(list.lastSeconds, end, part);
  const isDamaged = (video?.count ?? 0) + (audio?.count ?? 0) > 0 || isUnread;
  const isEmpty = frames === 0 && (list.has('video') || list.has('audio'));
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
      return `The file has a header, but ${has('video') ? 'no picture' : 'no sound'} in it that can be decoded.`;
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

/** Where it is damaged, in words. */
const lostText = (video: DamagedIntervals | undefined, audio: Intervals | undefined): string =>
  [placesText('The picture', video), placesText('The sound', audio)].join('');

function placesText(what: string, { count, totalSeconds, intervals: [first] }: DamagedIntervals = NONE): string {
  if (count === 0 || first === undefined) return '';
  const { start, end, wrongUntil } = first;
  const until =
    wrongUntil === undefined
      ? ''
      : `, and may look wrong until ${secondsText(wrongUntil)}, as no key frame comes before`;
  const where = `from ${secondsText(start)} to ${secondsText(end)}${until}`;
  return count === 1
    ? ` ${what} is lost or damaged ${where}.`
    : ` ${what} is lost or damaged at ${count} places (${secondsText(totalSeconds)} in all), first ${where}.`;
}

const NONE: DamagedIntervals = { count: 0, totalSeconds: 0, intervals: [] };

/** The times of a stream, each list in ascending order. */
interface OrderedTimes {
  readonly packets: Float64Array;
  readonly keys: Float64Array;
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
    keys: yield* sortInSteps(times.keys),
    frames: yield* sortInSteps(times.frames),
    damaged: yield* sortInSteps(times.damaged),
    packetSeconds: times.packetSeconds ?? (yield* usualSpacing(packets)),
  };
}

/** The damaged parts inside the measured one, in seconds from the start of the file. */
function* damagedIntervals(times: OrderedTimes, list: FrameList, { from, to }: Part): InSteps<Intervals> {
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

/** Parts in which frames are missing or damaged, in the timestamps of the file, in their order. */
function* lostParts(
  { packets: sent, packetSeconds, frames: shown, damaged }: OrderedTimes,
  hasErrors: boolean,
): InSteps<PartList> {
  const parts = new PartList();
  const single = new PartList();
  if (shown.length === 0) return parts;
  const end = Math.max(shown.at(-1) ?? 0, (sent.at(-1) ?? 0) + packetSeconds);
  // In files with fields or invisible frames, each frame has two packets.
  const mostSingle = hasErrors ? shown.length * RARE : 0;
  let [next, nextDamaged, singles] = [0, 0, 0];
  for (let at = 0; at <= shown.length; at++) {
    if (at % STEP === 0) yield;
    const frame = shown[at] ?? Number.POSITIVE_INFINITY;
    const until = Number.isFinite(frame) ? frame : end;
    // The packets before the frame that have none.
    const [before, first] = [next, sent[next] ?? frame];
    for (; next < sent.length && (sent[next] ?? 0) < frame - EXACT; next++) if (next % STEP === 0) yield;
    const count = next - before;
    const gapStart = (shown[at - 1] ?? Number.POSITIVE_INFINITY) + packetSeconds;
    const isGap = hasErrors && until - gapStart > Math.max(GAP, 5 * packetSeconds);
    if (isGap) parts.add(gapStart, until);
    // A part of a film may begin with pictures that are drawn from those before it. They are skipped without an error.
    else if (count > 1 && (hasErrors || at > 0)) parts.add(first, until);
    else if (count === 1 && at > 0 && ++singles < mostSingle) single.add(first, until);
    for (; nextDamaged < damaged.length && (damaged[nextDamaged] ?? 0) < frame; nextDamaged++)
      if (nextDamaged % STEP === 0) yield;
    if (damaged[nextDamaged] === frame) parts.add(frame, shown[at + 1] ?? end);
    for (; next < sent.length && (sent[next] ?? 0) <= frame + EXACT; next++) if (next % STEP === 0) yield;
  }
  return singles < mostSingle ? yield* mergedParts(parts, single) : parts;
}

/**
 * Damaged parts of a picture, with where it is whole again. Pictures are drawn from those before them, so what is lost stays
 * wrong, without any error of the decoder, until a key frame that was decoded. Without one, that is the end of the file.
 */
function* withRecovery(
  parts: Intervals,
  { packets, packetSeconds, keys, frames, damaged }: OrderedTimes,
  startTime: number,
): InSteps<DamagedIntervals> {
  const endTime = (packets.at(-1) ?? 0) + packetSeconds;
  const intervals: DamagedInterval[] = [];
  let [key, shown, hurt] = [0, 0, 0];
  for (const { start, end } of parts.intervals) {
    for (; key < keys.length; key++) {
      if (key % STEP === 0) yield;
      const time = keys[key] ?? 0;
      if (time - startTime < end - ROUNDED) continue;
      for (; shown < frames.length && (frames[shown] ?? 0) < time; shown++) if (shown % STEP === 0) yield;
      for (; hurt < damaged.length && (damaged[hurt] ?? 0) < time; hurt++) if (hurt % STEP === 0) yield;
      if (frames[shown] === time && damaged[hurt] !== time) break;
    }
    const wrongUntil = rounded((keys[key] ?? endTime) - startTime);
    intervals.push({ start, end, ...(wrongUntil - end > TOGETHER && { wrongUntil }) });
  }
  return { ...parts, intervals };
}

/** Times of results have three decimals. */
const ROUNDED = 0.0006;

/** ffprobe prints times in microseconds. */
const EXACT = 0.00001;

/** The median of what is between two packets: pauses do not change it. */
function* usualSpacing(sent: Float64Array): InSteps<number> {
  const spacings = new Float64Array(Math.max(0, sent.length - 1));
  for (let at = 0; at < spacings.length; at++) {
    spacings[at] = (sent[at + 1] ?? 0) - (sent[at] ?? 0);
    if (at % STEP === 0) yield;
  }
  return (yield* sortInSteps(spacings))[Math.floor(spacings.length / 2)] ?? 0;
}

/** Parts of a file. They are added in the order of their starts, and joined if they are nearer than `TOGETHER`. */
class PartList {
  // A hostile file has millions of parts: two numbers take a fifth of an object.
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
