import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JobOutput, OutputStream } from '@telecine/contract/domain/job.ts';
import { isFilm, type MediaInfo, type MediaStream } from '@telecine/contract/domain/media-info.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { ProbedInput } from '@telecine/contract/domain/plan.ts';
import { isLengthEstimated } from '../allowlist/containers.ts';
import { isLanguage } from '../log/stream-line.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { clipProbePlan, countingPlan, type ProbedFile, type ProbePlan, probePlanFor } from './plan-probe.ts';
import { type ProbeOutcome, runProbe } from './probe.ts';

/** A file that is cut, or joined with other files. */
export interface ClipToProbe extends ProbedFile {
  /** The `ss` of the file in seconds. 0 if it has none. */
  readonly start: number;
  /** Whether to replace an estimated length by the exact length. This needs the whole file. */
  readonly needsLength: boolean;
  /** The result of an earlier probe of the file from its start. If present, only the packets at `start` are read. */
  readonly known?: ProbedInput;
}

export type ProbedClip =
  | { readonly ok: true; readonly media: ProbedInput }
  | { readonly ok: false; readonly failure: Extract<ProbeOutcome, { ok: false }>['failure'] };

type Probe = (plan: ProbePlan) => Promise<ProbeOutcome>;

/**
 * Probes a file that is cut or joined, and finds the start of its packets: see `ProbedInput.keySeconds`. If the file has an `ss`, probes it
 * a second time, because the seek needs the timestamps of the first probe.
 */
export async function probeClip({ start, known, ...file }: ClipToProbe, probe: Probe): Promise<ProbedClip> {
  const whole: ProbedClip = known === undefined ? await probeWhole(file, probe) : { ok: true, media: known };
  if (!whole.ok || start === 0) return whole;
  const { keySeconds: _, ...media } = whole.media;
  const video = media.streams.find(isFilm);
  if (video === undefined) return whole;
  const fromStart = await probe(clipProbePlan(file, start + (media.format.startSeconds ?? 0)));
  return fromStart.ok ? { ok: true, media: { ...media, ...firstKey(fromStart, video) } } : fromStart;
}

async function probeWhole(
  { needsLength, ...file }: Omit<ClipToProbe, 'start' | 'known'>,
  probe: Probe,
): Promise<ProbedClip> {
  const whole = await probe(clipProbePlan(file));
  if (!whole.ok) return whole;
  const info = needsLength ? await withExactLength(whole.info, () => probe(countingPlan(file))) : whole.info;
  if (!('format' in info)) return info;
  const { format, streams } = info;
  const headers = whole.clip?.headers ?? new Map<number, string>();
  const exact = needsLength && { hasExactLength: true as const };
  return { ok: true, media: { format, streams, headers, ...exact, ...firstKey(whole, streams.find(isFilm)) } };
}

/** The time of the first packet in the list that belongs to a video stream. */
function firstKey(
  { clip }: Extract<ProbeOutcome, { ok: true }>,
  video: MediaStream | undefined,
): Pick<ProbedInput, 'keySeconds'> {
  const keySeconds = clip?.packets.find(({ stream }) => stream === video?.index)?.seconds;
  return keySeconds === undefined ? {} : { keySeconds };
}

/**
 * The maximum difference in seconds between the counted length and the length in the header. Within it, the length in the header stays,
 * because headers are more exact about the padding of encoders.
 */
const PADDED = 0.1;

/** Replaces an estimated length. If the packets do not show the length, the result has no length. */
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

/** The highest sample rate of MPEG-2 audio. In its layer III, packets have half as many samples. */
const LOW_RATE = 24_000;

/** The length of an audio stream in seconds, from the number of its packets. undefined for codecs whose packets have different lengths. */
function secondsOfPackets(
  { codec, profile = '', sampleRate }: MediaStream,
  count: number | undefined,
): number | undefined {
  if (count === undefined || sampleRate === undefined) return undefined;
  const samples = new Map([
    // The decoder doubles the sample rate of HE-AAC.
    ['aac', profile.startsWith('HE') ? 2048 : 1024],
    ['mp3', sampleRate <= LOW_RATE ? 576 : 1152],
    ['mp2', 1152],
    ['mp1', 384],
  ]).get(codec ?? '');
  return samples === undefined ? undefined : (count * samples) / sampleRate;
}

/** The time limit of a probe. It is short, because a probe of a new file on the local disk is fast or fails. */
const TIMEOUT_SECONDS = 10;

/**
 * Probes a file that a conversion has just written. undefined: ffprobe does not start, takes too long, or `signal` is aborted. The
 * conversion has succeeded, and must not fail because of the probe.
 *
 * @param about.file Absolute.
 */
export async function probeOutput(about: {
  readonly ffprobePath: string;
  readonly file: string;
  readonly sandbox: Sandbox;
  /** See `ProbeRun`. */
  readonly workRoot: string;
  readonly signal: AbortSignal;
}): Promise<ProbeOutcome | undefined> {
  const { file, ...how } = about;
  const path = parseMediaPath(basename(file), '/');
  // ffmpeg may have written a symlink to a file that this client may not read.
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  if (typeof path !== 'string' || found?.isFile() !== true) return undefined;
  // The sandbox cannot use the path of a descriptor.
  const hostPath = join(await realpath(dirname(file)), basename(file));
  const plan = probePlanFor(path);
  const mount = { logical: plan.logical, hostPath, identities: [`${found.dev}:${found.ino}`] };
  const outcome = await runProbe({ ...how, plan, mount, timeoutSeconds: TIMEOUT_SECONDS }).catch(() => undefined);
  const isUnknown = outcome?.ok === false && (outcome.wasKilled === true || outcome.failure.code === 'TIMEOUT');
  return isUnknown ? undefined : outcome;
}

/** The duration and the streams of a job output, from the report of ffprobe. */
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
    ...(profile === undefined ? {} : { profile }),
    ...(language === undefined || !isLanguage(language) ? {} : { language }),
    ...(disposition.length === 0 ? {} : { disposition }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(frameRate === undefined || isAttachedPicture === true ? {} : { fps: frameRate }),
    ...(pixelFormat === undefined ? {} : { pixelFormat }),
    ...(sampleRate === undefined ? {} : { sampleRate }),
    ...(channelLayout === undefined ? {} : { channels: channelLayout }),
  };
}
