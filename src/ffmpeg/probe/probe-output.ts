import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JobOutput, OutputStream } from '../../domain/job.ts';
import type { MediaInfo, MediaStream } from '../../domain/media-info.ts';
import { parseMediaPath } from '../../domain/media-path.ts';
import { isLanguage } from '../log/stream-line.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { probePlanFor } from './plan-probe.ts';
import { type ProbeOutcome, runProbe } from './probe.ts';

/**
 * The timeout of the probe. It is short, because a file that was just written to the local disk is read quickly or not
 * at all.
 */
const TIMEOUT_SECONDS = 10;

/**
 * Probes a file that a conversion has just written. Returns undefined if nothing is known about it, because ffprobe does
 * not start, takes too long, or `signal` is aborted: the conversion itself has succeeded and must not fail because of
 * this.
 *
 * @param about `file`: absolute path.
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
  // ffmpeg may have written a symlink, which leads to a file that this client may not read.
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

/** Converts ffprobe's report about a finished file into the duration and the streams of a job output. */
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
