import type { ProbedInput } from '../../domain/probed-input.ts';
import { clipProbePlan, type ProbePlan } from './plan-probe.ts';
import type { ProbeOutcome } from './probe.ts';

/** A file that is joined with others. */
export interface ClipToProbe extends Pick<ProbePlan, 'path' | 'logical'> {
  /** Its `ss`, in seconds. 0 if it has none. */
  readonly start: number;
}

export type ProbedClip =
  | { readonly ok: true; readonly media: ProbedInput }
  | { readonly ok: false; readonly failure: Extract<ProbeOutcome, { ok: false }>['failure'] };

/**
 * Probes a file that is joined with others, and finds where its packets begin: see `ProbedInput.keySeconds`. Probes it again if
 * it has a start, because the timestamps of the file are known only then.
 */
export async function probeClip(
  { start, ...file }: ClipToProbe,
  probe: (plan: ProbePlan) => Promise<ProbeOutcome>,
): Promise<ProbedClip> {
  const whole = await probe(clipProbePlan(file));
  if (!whole.ok) return whole;
  const { format, streams } = whole.info;
  const headers = whole.clip?.headers ?? new Map<number, string>();
  const film = streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  if (film === undefined) return { ok: true, media: { format, streams, headers } };
  const begun = start === 0 ? whole : await probe(clipProbePlan(file, start + (format.startSeconds ?? 0)));
  if (!begun.ok) return begun;
  const keySeconds = begun.clip?.packets.find(({ stream }) => stream === film.index)?.seconds;
  return { ok: true, media: { format, streams, headers, ...(keySeconds === undefined ? {} : { keySeconds }) } };
}
