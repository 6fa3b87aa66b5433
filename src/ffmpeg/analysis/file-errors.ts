import {
  type DamagedInterval,
  type DamagedIntervals,
  type ErrorVerdict,
  type Interval,
  type Intervals,
  MAX_LISTED,
  type Measurements,
} from '../../domain/analysis.ts';
import { secondsText } from '../run/media-facts.ts';
import { endsEarly } from './cut-off-file.ts';
import type { FrameList, StreamTimes } from './frame-list.ts';
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

/** What is damaged or missing in a file, by what ffprobe found while it decoded it. */
export function fileErrors(list: FrameList, part: Part): NonNullable<Measurements['errors']> {
  const ofType = (type: 'video' | 'audio'): Intervals | undefined => {
    const times = list.first(type);
    return times && intervalsOf(lostParts(times, list.errors > 0), list.startTime, part);
  };
  const picture = list.first('video');
  const pictureParts = ofType('video');
  const video = picture && pictureParts && withRecovery(pictureParts, picture, list.startTime);
  const audio = ofType('audio');
  const frames = (['video', 'audio'] as const).reduce((sum, type) => sum + (list.first(type)?.frames.length ?? 0), 0);
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

/** Parts in which frames are missing or damaged, in the timestamps of the file, in their order. */
export function lostParts(
  { packets, packetSeconds: stated, frames, damaged }: StreamTimes,
  hasErrors: boolean,
): readonly Interval[] {
  const [sent, shown] = [inOrder(packets), inOrder(frames)];
  if (shown.length === 0) return [];
  const packetSeconds = stated ?? usualSpacing(sent);
  const end = Math.max(shown.at(-1) ?? 0, (sent.at(-1) ?? 0) + packetSeconds);
  const parts: Interval[] = [];
  let next = 0;
  /** The packets before a time that have no frame: how many, and the first one. */
  const packetsBefore = (time: number): { readonly count: number; readonly first: number } => {
    const first = sent[next] ?? time;
    let count = 0;
    for (; next < sent.length && (sent[next] ?? 0) < time - EXACT; next++) count += 1;
    return { count, first };
  };
  const skipUpTo = (time: number): void => {
    while (next < sent.length && (sent[next] ?? 0) <= time + EXACT) next += 1;
  };
  const single: Interval[] = [];
  for (let at = 0; at <= shown.length; at++) {
    const frame = shown[at] ?? Number.POSITIVE_INFINITY;
    const { count, first } = packetsBefore(frame);
    const until = Number.isFinite(frame) ? frame : end;
    const gapStart = (shown[at - 1] ?? Number.POSITIVE_INFINITY) + packetSeconds;
    const isGap = hasErrors && until - gapStart > Math.max(GAP, 5 * packetSeconds);
    if (isGap) parts.push({ start: gapStart, end: until });
    // A part of a film may begin with pictures that are drawn from those before it. They are skipped without an error.
    else if (count > 1 && (hasErrors || at > 0)) parts.push({ start: first, end: until });
    else if (count === 1 && at > 0) single.push({ start: first, end: until });
    if (damaged.has(frame)) parts.push({ start: frame, end: shown[at + 1] ?? end });
    skipUpTo(frame);
  }
  // In files with fields or invisible frames, each frame has two packets.
  if (hasErrors && single.length < shown.length * RARE) parts.push(...single);
  return joined(parts.toSorted((a, b) => a.start - b.start));
}

/**
 * Damaged parts of a picture, with where it is whole again. Pictures are drawn from those before them, so what is lost stays
 * wrong, without any error of the decoder, until a key frame that was decoded. Without one, that is the end of the file.
 */
function withRecovery(
  parts: Intervals,
  { packets, packetSeconds, keys, frames, damaged }: StreamTimes,
  startTime: number,
): DamagedIntervals {
  if (parts.count === 0) return parts;
  const shown = new Set(frames);
  const whole = inOrder(keys.filter((time) => shown.has(time) && !damaged.has(time)));
  const sent = inOrder(packets);
  const endTime = (sent.at(-1) ?? 0) + (packetSeconds ?? usualSpacing(sent));
  let next = 0;
  const intervals = parts.intervals.map(({ start, end }): DamagedInterval => {
    while (next < whole.length && (whole[next] ?? 0) - startTime < end - ROUNDED) next += 1;
    const wrongUntil = rounded((whole[next] ?? endTime) - startTime);
    return { start, end, ...(wrongUntil - end > TOGETHER && { wrongUntil }) };
  });
  return { ...parts, intervals };
}

/** Times of results have three decimals. */
const ROUNDED = 0.0006;

/** ffprobe prints times in microseconds. */
const EXACT = 0.00001;

const inOrder = (times: readonly number[]): Float64Array => Float64Array.from(times).sort();

/** The median of what is between two packets: pauses do not change it. */
function usualSpacing(sent: Float64Array): number {
  const spacings = inOrder([...sent.slice(1)].map((time, at) => time - (sent[at] ?? time)));
  return spacings[Math.floor(spacings.length / 2)] ?? 0;
}

/** Parts of which none is nearer to another than `TOGETHER`. */
function joined(parts: readonly Interval[]): readonly Interval[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of parts) {
    const last = all.at(-1);
    if (last !== undefined && start - last.end < TOGETHER) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

/** The parts inside the measured one, in seconds from the start of the file. */
function intervalsOf(parts: readonly Interval[], startTime: number, { from, to }: Part): Intervals {
  const inside = parts
    .map(({ start, end }) => ({ start: Math.max(from, start - startTime), end: Math.min(to, end - startTime) }))
    .filter(({ start, end }) => end > start || (end === start && end >= from && end <= to));
  return {
    count: inside.length,
    totalSeconds: rounded(inside.reduce((sum, { start, end }) => sum + end - start, 0)),
    intervals: inside.slice(0, MAX_LISTED).map(({ start, end }) => ({ start: rounded(start), end: rounded(end) })),
  };
}
