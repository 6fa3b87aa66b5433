import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { METRIC_NAMES, type OutputQuality, type PlannedQuality } from '@telecine/contract/domain/quality.ts';
import { TOLERANCES } from '../../quality/scales.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Pass } from '../pass.ts';
import type { RunState } from '../run-state.ts';
import { qualityWarnings } from './quality-warnings.ts';
import type { FoundQuality } from './search-quality.ts';
import { type Failed, stopped } from './step.ts';
import { compare } from './try-sample.ts';

/** A finished encode. */
interface EncodedOutput {
  readonly quality: PlannedQuality;
  readonly search: FoundQuality;
  /** The last pass, which wrote the output. */
  readonly encoded: Pass;
}

type MeasuredQuality =
  | { readonly ok: true; readonly quality: OutputQuality; readonly warnings: readonly Warning[] }
  | Failed;

/** The number of digits after the point of a score. */
const DIGITS = 4;

const rounded = (score: number): number => Number(score.toFixed(DIGITS));

/** Measures the quality of the whole output. If ffmpeg cannot compare the output with its source, the conversion succeeds with a warning. */
export async function measureQuality(
  c: PreparedRun,
  { quality, search, encoded }: EncodedOutput,
  state: RunState,
): Promise<MeasuredQuality> {
  const { metric, target, scale } = quality;
  const { chosen, tried } = search;
  const frames = encoded.lastBlock?.frame ?? Number.POSITIVE_INFINITY;
  const step = c.plan.passes.length + 1;
  const onFrame = (frame: number): void =>
    c.onProgress(state.tracker.update(step, { outSeconds: frame, ended: false }, frames), state.log.text());
  const comparison = await compare(c, quality, quality.result, encoded, state, frames, onFrame);
  const cause = stopped(state);
  if (cause !== undefined) return cause;
  const reached = comparison.ok ? rounded(comparison.score) : undefined;
  const isReached = reached !== undefined && reached >= target - TOLERANCES[metric];
  state.log.note(
    reached === undefined
      ? 'Quality: the output could not be compared with its source'
      : `Quality: the output has ${METRIC_NAMES[metric]} ${reached}, the target is ${target}`,
  );
  c.onProgress(state.tracker.update(step, { ended: true }, undefined), state.log.text());
  const [{ logical: file } = { logical: undefined }] = c.plan.outputs;
  const bytes = file === undefined ? undefined : (await lstat(join(c.dir, file)).catch(() => undefined))?.size;
  return {
    ok: true,
    quality: {
      ...{ metric, target, option: scale.option, value: chosen.value },
      ...(reached !== undefined && { reached, isReached }),
      tried: tried.map((one) => ({ ...one, score: rounded(one.score), bitsPerSecond: Math.round(one.bitsPerSecond) })),
    },
    warnings: qualityWarnings(quality, search, { reached, isReached, bytes }),
  };
}
