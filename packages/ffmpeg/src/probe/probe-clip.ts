import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { defined } from '@telecine/contract/domain/defined.ts';
import type { JobOutput, OutputStream } from '@telecine/contract/domain/job.ts';
import {
  isVideoNotCover,
  type MediaFormat,
  type MediaInfo,
  type MediaStream,
} from '@telecine/contract/domain/media-info.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { InputProbe, Mount, ProbedInput } from '@telecine/contract/domain/plan.ts';
import { isLengthEstimated, isWithoutIndex, LEAD_SECONDS } from '../allowlist/containers.ts';
import { isLanguage } from '../log/stream-line.ts';
import { clipProbePlan, countingPlan, headerPlan, type ProbedFile, type ProbePlan, probedFile } from './plan-probe.ts';
import { type ProbeOutcome, type ProbeRun, runProbe } from './probe.ts';

/** A file of a job, or a part of it. The exact length needs the whole file. */
export interface ClipToProbe extends ProbedFile, Omit<InputProbe, 'input' | 'parameters' | 'needsHeaders'> {
  /** True to join or copy the file: reads the headers of its decoders and its first packets, and the exact key frame. */
  readonly needsHeaders?: boolean;
  /** An earlier probe of the file from its start. With it, only the packets at `start` are read. */
  readonly known?: ProbedInput;
}

export type ProbedClip =
  | { readonly ok: true; readonly media: ProbedInput }
  | { readonly ok: false; readonly failure: Extract<ProbeOutcome, { ok: false }>['failure'] };

type Probe = (plan: ProbePlan) => Promise<ProbeOutcome>;
type Found = Extract<ProbeOutcome, { ok: true }>;

/**
 * Probes a file of a job. Finds the key frame at or before `start`, and whether the frame that is on screen then began earlier; see
 * `ProbedInput`. An exact key frame for a `start` above 0 takes a second probe, because the seek needs the first timestamp of the file.
 */
export async function probeClip({ start, known, ...file }: ClipToProbe, probe: Probe): Promise<ProbedClip> {
  const { needsHeaders = false, needsKey = needsHeaders } = file;
  const listsPart = start > 0 && !needsKey;
  const first = needsHeaders || listsPart ? clipProbePlan(file, listsPart ? start : undefined) : headerPlan(file);
  const outcome: ProbeOutcome | ProbedClip = known === undefined ? await probe(first) : { ok: true, media: known };
  const whole = 'info' in outcome ? await readWhole(file, outcome, probe) : outcome;
  if (!whole.ok || start === 0) return whole;
  const { keySeconds: _, ...media } = whole.media;
  const video = media.streams.find(isVideoNotCover);
  if (video === undefined) return whole;
  const { startSeconds = 0 } = media.format;
  const at = start + startSeconds;
  const isListed = listsPart && startSeconds >= 0 && startSeconds <= LATE_START;
  const lead = needsKey && isWithoutIndex(media.format) ? LEAD_SECONDS : 0;
  const found = 'info' in outcome && isListed ? outcome : await probe(clipProbePlan(file, at, lead));
  if (!found.ok) return found;
  const heldStarts = [
    ...(media.heldStarts ?? []),
    ...(isWithoutIndex(media.format) || holdsFrame(found, video, at, media.format) ? [start] : []),
  ];
  return { ok: true, media: { ...media, ...firstKey(found, video, at), ...(heldStarts.length > 0 && { heldStarts }) } };
}

/** In seconds. A probe lists the packets of ten seconds, and so the frames around a time in a file that begins this much later. */
const LATE_START = 5;

/** In seconds. Nobody notices if the first frame of a part is shown this much too early. */
const UNNOTICED_DELAY = 0.1;

/**
 * True if the last frame of a video before this time stays on screen for longer than `UNNOTICED_DELAY` after it. MP4 states for how long the
 * last frame of all does, which may end before: the file is cut off. The lengths of others are those between decoded frames.
 */
function holdsFrame({ clip }: Found, video: MediaStream, at: number, { names }: MediaFormat): boolean {
  const packets = clip?.packets.filter(({ stream }) => stream === video.index) ?? [];
  const start = at - 1e-6;
  const mayHaveEnded = names.includes('mov') && !packets.some(({ seconds = 0 }) => seconds >= start);
  const isShown = ({ seconds = at, durationSeconds }: (typeof packets)[number]): boolean =>
    seconds < start && (!mayHaveEnded || seconds + (durationSeconds ?? at) > start);
  const isNext = ({ seconds = 0 }: (typeof packets)[number]): boolean =>
    seconds >= start && seconds <= at + UNNOTICED_DELAY;
  return packets.some(isShown) && !packets.some(isNext);
}

async function readWhole(
  { needsLength, ...file }: Omit<ClipToProbe, 'start' | 'known'>,
  whole: Found,
  probe: Probe,
): Promise<ProbedClip> {
  const info = needsLength ? await withExactLength(whole.info, () => probe(countingPlan(file))) : whole.info;
  if (!('format' in info)) return info;
  const { format, streams, chapters, leftOut } = info;
  const headers = whole.clip?.headers ?? new Map<number, string>();
  const exact = needsLength && { hasExactLength: true as const };
  const key = firstKey(whole, streams.find(isVideoNotCover));
  return { ok: true, media: { format, streams, chapters, headers, ...(leftOut && { leftOut }), ...exact, ...key } };
}

/** The time of the last listed key frame at or before a time, or else of the first packet of this video stream. */
function firstKey({ clip }: Found, video: MediaStream | undefined, at?: number): Pick<ProbedInput, 'keySeconds'> {
  const packets = clip?.packets.filter(({ stream }) => stream === video?.index) ?? [];
  const isBefore = ({ isKey, seconds }: (typeof packets)[number]): boolean =>
    at !== undefined && isKey === true && seconds !== undefined && seconds <= at;
  const { seconds: keySeconds } = packets.findLast(isBefore) ?? packets[0] ?? {};
  return keySeconds === undefined ? {} : { keySeconds };
}

/**
 * If the counted length differs by less than these seconds from the length in the header, the header wins, because it excludes the samples
 * that the encoder added as padding.
 */
const PADDED = 0.1;

/** Replaces an estimated length by a counted one. The result has no length if counting does not show it. */
async function withExactLength(
  info: MediaInfo,
  count: () => Promise<ProbeOutcome>,
): Promise<MediaInfo | Extract<ProbeOutcome, { ok: false }>> {
  const audio = info.streams.find(({ type }) => type === 'audio');
  if (!isLengthEstimated(info.format) || audio === undefined) return info;
  const counted = await count();
  if (!counted.ok) return counted;
  const seconds = secondsOfPackets(audio, counted.clip?.packetCount);
  const { durationSeconds: estimated, ...format } = info.format;
  if (estimated !== undefined && seconds !== undefined && Math.abs(seconds - estimated) < PADDED) return info;
  const known = seconds !== undefined && { durationSeconds: seconds };
  const streams = info.streams.map(({ durationSeconds: _, ...stream }) => ({ ...stream, ...known }));
  return { ...info, format: { ...format, ...known }, streams };
}

/** The highest sample rate of MPEG-2 audio. MP3 packets up to this rate have half as many samples as others. */
const LOW_RATE = 24_000;

/**
 * The length of an audio stream in seconds, from the number of its packets. undefined: the packets of this codec have different lengths.
 */
function secondsOfPackets(
  { codec, profile = '', sampleRate }: MediaStream,
  count: number | undefined,
): number | undefined {
  if (count === undefined || sampleRate === undefined) return undefined;
  const samples = new Map([
    // The decoder doubles the sample rate of HE-AAC, and so the number of samples per packet.
    ['aac', profile.startsWith('HE') ? 2048 : 1024],
    ['mp3', sampleRate <= LOW_RATE ? 576 : 1152],
    ['mp2', 1152],
    ['mp1', 384],
  ]).get(codec ?? '');
  return samples === undefined ? undefined : (count * samples) / sampleRate;
}

/** The timeout of a probe, in seconds. It is short: the file is new and on the local disk, so a probe is fast or fails. */
const TIMEOUT_SECONDS = 10;

/** How the probes of a job run. */
export type JobProbe = Pick<ProbeRun, 'ffprobePath' | 'sandbox' | 'workRoot' | 'signal'>;

/**
 * Probes a file of a conversion that has succeeded, and so must not fail because of the probe. undefined: ffprobe does not start, takes too
 * long, or was aborted.
 */
export async function probeAfterRun(how: JobProbe, plan: ProbePlan, mount: Mount): Promise<ProbeOutcome | undefined> {
  const outcome = await runProbe({ ...how, plan, mount, timeoutSeconds: TIMEOUT_SECONDS }).catch(() => undefined);
  const isUnknown = outcome?.ok === false && (outcome.wasKilled === true || outcome.failure.code === 'TIMEOUT');
  return isUnknown ? undefined : outcome;
}

/**
 * Probes a file that a conversion has just written, like `probeAfterRun`.
 *
 * @param about.file Absolute.
 * @param about.planOf Default: a probe of the header.
 */
export async function probeOutput({
  file,
  planOf = headerPlan,
  ...how
}: JobProbe & {
  readonly file: string;
  readonly planOf?: (file: ProbedFile) => ProbePlan;
}): Promise<ProbeOutcome | undefined> {
  const path = parseMediaPath(basename(file), '/');
  // Use lstat: ffmpeg may have written a symlink to a file that this client must not read.
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  if (typeof path !== 'string' || found?.isFile() !== true) return undefined;
  // Resolve the folder, because the sandbox cannot mount the path of a descriptor (`/proc/self/fd/…`).
  const hostPath = join(await realpath(dirname(file)), basename(file));
  const plan = planOf(probedFile(path));
  const mount = { logical: plan.logical, hostPath, identities: [`${found.dev}:${found.ino}`] };
  return probeAfterRun(how, plan, mount);
}

/** The duration and the streams of an output, as ffprobe found them. */
export const toJobOutput = ({ format, streams }: MediaInfo): Pick<JobOutput, 'durationSeconds' | 'streams'> => ({
  ...(format.durationSeconds === undefined ? {} : { durationSeconds: format.durationSeconds }),
  streams: streams.flatMap((stream) => streamOf(stream) ?? []),
});

function streamOf(stream: MediaStream): OutputStream | undefined {
  const { index, type, codec = 'unknown', profile, language, disposition, isAttachedPicture } = stream;
  if (type === 'unknown') return undefined;
  const { width, height, frameRate, pixelFormat, sampleRate, channelLayout } = stream;
  return {
    index,
    type,
    codec,
    ...(disposition.length > 0 && { disposition }),
    ...defined({ profile, width, height, pixelFormat, sampleRate, channels: channelLayout }),
    ...defined({
      fps: isAttachedPicture ? undefined : frameRate,
      language: language && isLanguage(language) ? language : undefined,
    }),
  };
}
