import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { PACKETS_FILE, type PlannedQuality, type TriedQuality } from '@telecine/contract/domain/quality.ts';
import { chooseSamples, partsOf } from '../../quality/samples.ts';
import type { ChosenValue, QualitySearch } from '../../quality/search.ts';
import { roundedScore } from '../../quality/search-scales.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Pass } from '../pass.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { CONVERSION_CANCELLED } from '../stop.ts';
import { AIM } from './aim.ts';
import { withSample } from './fill-placeholders.ts';
import { bitsPerPixel, readPackets, type SourcePackets } from './packet-list.ts';
import { runStep, stopped } from './run-step.ts';
import { SampleTries } from './sample-tries.ts';

/** A finished search: the value for the full video, and what was tried. */
export interface FoundQuality {
  readonly ok: true;
  readonly chosen: ChosenValue;
  readonly tried: readonly TriedQuality[];
  /** The part of the input that becomes the output. */
  readonly source: Source;
  /** See `SampleTries.corrected`. */
  readonly corrected: SampleTries['corrected'];
  /** The highest bits per second of the video. undefined: there is no limit. */
  readonly maxBitsPerSecond: number | undefined;
}

/** Finds the value of the encoder's quality option by encoding samples of the inputs. */
export async function searchQuality(
  c: PreparedRun,
  quality: PlannedQuality,
  state: RunState,
): Promise<FoundQuality | Failed> {
  const packets = quality.packets && (await listPackets(c, quality.packets, state));
  if (packets !== undefined && 'ok' in packets) return packets;
  const source = sourceOf(quality, packets);
  const audio = await audioOf(c, quality, source, packets, state);
  if ('ok' in audio) return audio;
  const limits = maxBitsOf(quality, source, audio);
  if ('code' in limits) return { ok: false, failure: limits, raw: '' };
  const { encoder, metric, target, scale } = quality;
  const bits = packets && bitsPerPixel(packets.video, packets.stream);
  const search: QualitySearch = {
    ...{ encoder, metric, target, scale },
    ...limits,
    ...(bits !== undefined && { bitsPerPixel: bits }),
  };
  const samples = chooseSamples(partsOf(packets?.video ?? [], source));
  const isFirst = quality.packets === undefined;
  const tries = new SampleTries(c, { quality, search, samples, whole: { ...source, weight: 1 }, isFirst }, state);
  for (let next = tries.next; ; next = tries.next) {
    if (next.kind === 'chosen')
      return {
        ok: true,
        chosen: next,
        tried: tries.summary.map((one) => ({ ...one, score: roundedScore(one.score) })),
        source,
        corrected: (whole, maxBits) => tries.corrected(whole, maxBits),
        maxBitsPerSecond: search.maxBitsPerSecond,
      };
    const failure = await tries.run(next);
    if (failure !== undefined) return failure;
  }
}

/** The part of the input that becomes the output. */
export interface Source {
  readonly start: number;
  readonly seconds: number;
  /** false: `seconds` is only assumed. */
  readonly isKnown: boolean;
}

/** The assumed length in seconds of an input without a list of packets, such as a source that never ends. */
const UNKNOWN_SECONDS = 10;

export function sourceOf({ range }: Pick<PlannedQuality, 'range'>, packets: SourcePackets | undefined): Source {
  const { start } = range;
  const end = packets?.endSeconds ?? 0;
  const available = end > start ? end - start : undefined;
  const seconds = Math.min(range.seconds ?? Number.POSITIVE_INFINITY, available ?? range.seconds ?? UNKNOWN_SECONDS);
  return { start, seconds, isKnown: available !== undefined || range.seconds !== undefined };
}

/** The bit rate that is assumed of audio that cannot be measured alone. */
const USUAL_AUDIO_BITRATE = 128_000;

/** The bytes of the audio of the full video. `isAssumed`: they were not measured. */
interface AudioBytes {
  readonly bytes: number;
  readonly isAssumed?: boolean;
}

/** Measures the bytes of the audio, which `maxSize` includes, by writing it alone: its encoder may use any bit rate. */
async function audioOf(
  c: PreparedRun,
  { audio }: PlannedQuality,
  source: Source,
  packets: SourcePackets | undefined,
  state: RunState,
): Promise<AudioBytes | Failed> {
  const hasNone = packets?.audioBytes === 0 && c.plan.inputs.length === 1;
  if (audio === undefined || hasNone || !source.isKnown) return { bytes: 0 };
  const step = await runStep(c, withSample(audio, source), state);
  const bytes = step.ok ? step.pass.runComplaints.found.written?.audio : undefined;
  const end = stopped(state);
  if (end !== undefined) return end;
  if (bytes !== undefined) return { bytes };
  if (!step.ok && step.pass !== undefined && hasNoStream(step.pass)) return { bytes: 0 };
  return { bytes: (USUAL_AUDIO_BITRATE / 8) * source.seconds, isAssumed: true };
}

/** True if ffmpeg found no audio to write. */
const hasNoStream = ({ complaints }: Pass): boolean =>
  complaints.some(({ text }) => /^Output file (?:#\d+ )?does not contain any stream/.test(text));

/** The bytes of a file's header, which matter if the file is short. */
const HEADER_BYTES = 2000;

/** The share of `maxSize` that assumed bytes of audio may take at most. */
const MAX_ASSUMED = 0.5;

/** Returns the bits per second that `maxBitrate` and `maxSize` leave for the video, or why `maxSize` leaves none. */
export function maxBitsOf(
  { maxBitrate, maxSize }: Pick<PlannedQuality, 'maxBitrate' | 'maxSize'>,
  { seconds, isKnown }: Pick<Source, 'seconds' | 'isKnown'>,
  audio: AudioBytes,
): Pick<QualitySearch, 'maxBitsPerSecond'> | Failure {
  if (maxSize !== undefined && !isKnown) return UNKNOWN_LENGTH;
  const usable = maxSize === undefined ? undefined : maxSize * AIM - HEADER_BYTES;
  const audioBytes = audio.isAssumed === true ? Math.min(audio.bytes, MAX_ASSUMED * (usable ?? 0)) : audio.bytes;
  const bytes = usable === undefined ? undefined : usable - audioBytes;
  if (bytes !== undefined && bytes <= 0) return tooSmall(audioBytes);
  const bySize = bytes === undefined ? undefined : (bytes * 8) / seconds;
  const limits = [maxBitrate && maxBitrate * AIM, bySize].filter((one) => one !== undefined);
  return limits.length === 0 ? {} : { maxBitsPerSecond: Math.max(1, Math.round(Math.min(...limits))) };
}

const UNKNOWN_LENGTH: Failure = {
  code: 'INPUT_INVALID',
  message: 'The length of the input is not known, so "maxSize" cannot be turned into a bit rate.',
  fix: 'Send "t", the length of the output in seconds, or leave "maxSize" out.',
};

const tooSmall = (audioBytes: number): Failure => ({
  code: 'INPUT_INVALID',
  message: `"maxSize" leaves nothing for the video: the audio alone needs about ${Math.ceil(audioBytes)} bytes.`,
  fix: 'Send a higher "maxSize", or a lower bit rate for the audio, such as "b:a": "64k".',
});

/**
 * Lists the packets of the input. undefined: ffmpeg cannot list them. Without them, samples are chosen by time alone, and the first sample
 * fails as the conversion itself would.
 */
export async function listPackets(
  c: PreparedRun,
  argv: readonly string[],
  state: RunState,
): Promise<(SourcePackets & { readonly stream?: OutputStream | undefined }) | Failed | undefined> {
  const step = await runStep(c, argv, state, { isFirst: true });
  if (!step.ok) return stopped(state);
  const file = join(c.dir, PACKETS_FILE);
  try {
    const stream = step.pass.firstOutput.report.streams?.find(({ type }) => type === 'video');
    return { ...(await readPackets(file, c.signal)), stream };
  } catch (error) {
    if (!c.signal.aborted) throw error;
    return { ok: false, failure: CONVERSION_CANCELLED, raw: '' };
  } finally {
    await rm(file, { force: true });
  }
}
