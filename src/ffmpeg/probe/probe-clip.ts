import type { MediaInfo } from '../../domain/media-info.ts';
import type { ProbedInput } from '../../domain/probed-input.ts';
import { isLengthEstimated, secondsOfPackets } from '../allowlist/estimated-length.ts';
import { clipProbePlan, countingPlan, type ProbePlan } from './plan-probe.ts';
import type { ProbeOutcome } from './probe.ts';

/** A file that is joined with others. */
export interface ClipToProbe extends Pick<ProbePlan, 'path' | 'logical'> {
  /** Its `ss`, in seconds. 0 if it has none. */
  readonly start: number;
  /** Whether an estimated length is replaced by the real one, for which all of the file is read. */
  readonly needsLength: boolean;
}

export type ProbedClip =
  | { readonly ok: true; readonly media: ProbedInput }
  | { readonly ok: false; readonly failure: Extract<ProbeOutcome, { ok: false }>['failure'] };

/**
 * Probes a file that is joined with others, and finds where its packets begin: see `ProbedInput.keySeconds`. Probes it again if
 * it has a start, because the timestamps of the file are known only then.
 */
export async function probeClip(
  { start, needsLength, ...file }: ClipToProbe,
  probe: (plan: ProbePlan) => Promise<ProbeOutcome>,
): Promise<ProbedClip> {
  const whole = await probe(clipProbePlan(file));
  if (!whole.ok) return whole;
  const info = needsLength ? await withExactLength(whole.info, () => probe(countingPlan(file))) : whole.info;
  if (!('format' in info)) return info;
  const { format, streams } = info;
  const exact = needsLength && { hasExactLength: true as const };
  const headers = whole.clip?.headers ?? new Map<number, string>();
  const film = streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  if (film === undefined) return { ok: true, media: { format, streams, headers, ...exact } };
  const begun = start === 0 ? whole : await probe(clipProbePlan(file, start + (format.startSeconds ?? 0)));
  if (!begun.ok) return begun;
  const keySeconds = begun.clip?.packets.find(({ stream }) => stream === film.index)?.seconds;
  return {
    ok: true,
    media: { format, streams, headers, ...exact, ...(keySeconds === undefined ? {} : { keySeconds }) },
  };
}

/** Seconds by which a length may differ from the counted one: headers say more exactly what encoders have padded. */
const PADDED = 0.1;

/** Replaces a length that is only estimated. It is missing if packets do not tell it. */
async function withExactLength(
  info: MediaInfo,
  count: () => Promise<ProbeOutcome>,
): Promise<MediaInfo | Extract<ProbeOutcome, { ok: false }>> {
  const sound = info.streams.find(({ type }) => type === 'audio');
  if (!isLengthEstimated(info.format) || sound === undefined) return info;
  const counted = await count();
  if (!counted.ok) return counted;
  const seconds = secondsOfPackets(sound, counted.clip?.packetCount);
  const { durationSeconds: estimated, ...format } = info.format;
  if (estimated !== undefined && seconds !== undefined && Math.abs(seconds - estimated) < PADDED) return info;
  const known = seconds !== undefined && { durationSeconds: seconds };
  const streams = info.streams.map(({ durationSeconds: _, ...stream }) => ({ ...stream, ...known }));
  return { ...info, format: { ...format, ...known }, streams };
}
