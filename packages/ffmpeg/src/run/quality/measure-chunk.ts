import type { ChunkTarget, OutputQuality } from '@telecine/contract/domain/quality.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Pass } from '../pass.ts';
import type { Failed, WrittenOutputs } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { measureWhole, triedWhole } from './measure-whole.ts';
import { cancelledBefore } from './space-failure.ts';

/**
 * Measures the quality of an encoded chunk. Whether it is encoded once more depends on all chunks of the video. A chunk that cannot be measured,
 * also for lack of time or space, is complete all the same.
 */
export async function measureChunk(
  c: PreparedRun,
  quality: ChunkTarget,
  { pass, written }: { readonly pass: Pass; readonly written: WrittenOutputs },
  state: RunState,
): Promise<(WrittenOutputs & { readonly ok: true }) | Failed> {
  const { value, seconds, metric, target, scale } = quality;
  const source = { start: 0, seconds, isKnown: true, isChunk: true };
  const measured = await measureWhole(c, quality, { value, pass, written, step: c.plan.passes.length, source }, state);
  const cancelled = cancelledBefore(c, state);
  if (cancelled !== undefined) return cancelled;
  c.onProgress(state.tracker.end(), state.log.text());
  const { reached } = measured;
  const result: OutputQuality = {
    ...{ metric, target, option: scale.option, value },
    ...(reached !== undefined && { reached }),
    tried: triedWhole(measured, 0),
  };
  return { ...written, ok: true, outputs: written.outputs.map((output) => ({ ...output, quality: result })) };
}
