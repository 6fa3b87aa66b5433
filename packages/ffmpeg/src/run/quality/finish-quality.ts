import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputQuality, PlannedQuality } from '@telecine/contract/domain/quality.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Pass } from '../pass.ts';
import { type Failed, readOutputs, runPass, type WrittenOutputs } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { CONVERSION_CANCELLED } from '../stop.ts';
import { anotherValue, isBetter, isReached } from './another-value.ts';
import { hasRoomFor } from './disk-room.ts';
import { type MeasuredWhole, measureWhole } from './measure-whole.ts';
import { withValue } from './placeholders.ts';
import { qualityWarnings } from './quality-warnings.ts';
import type { FoundQuality } from './search-quality.ts';

/** A finished encode of the whole. `seconds`: how long it took. */
export interface EncodedWhole {
  readonly pass: Pass;
  readonly seconds: number;
}

/** The first encode of the whole. */
interface FirstEncode extends EncodedWhole {
  readonly quality: PlannedQuality;
  readonly search: FoundQuality;
  readonly written: WrittenOutputs;
}

/** Where the first output waits for the second encode. */
const FIRST_OUTPUT = 'pass/first-output';

/** A second encode begins only if this many times the seconds of the first are left. */
const TIME_FACTOR = 1.3;

/**
 * Measures the quality of the output. If it missed the target, encodes the whole once more with a corrected value, and keeps the better
 * one. A complete output succeeds with a warning if it cannot be measured, or if the time is over. Only a cancelled job fails.
 */
export async function finishQuality(
  c: PreparedRun,
  { quality, search, written, pass, seconds }: FirstEncode,
  state: RunState,
): Promise<(WrittenOutputs & { readonly ok: true }) | Failed> {
  const before = state.time.leftSeconds;
  const step = c.plan.passes.length + 1;
  const { value } = search.chosen;
  const first = await measureWhole(c, quality, { value, pass, written, step }, state);
  const left = state.time.leftSeconds;
  const hasTime = left > TIME_FACTOR * (seconds + before - left);
  const other = state.stopper.cause === undefined && hasTime ? anotherValue(quality, search, first) : undefined;
  const hasRoom = other !== undefined && first.bytes !== undefined && (await hasRoomFor(c, first.bytes));
  const second = hasRoom ? await encodeAgain(c, quality, { first, value: other.value, step: step + 1 }, state) : undefined;
  if (c.signal.aborted) return { ok: false, failure: state.stopper.cause ?? CONVERSION_CANCELLED, raw: '' };
  const isSecond = second?.isKept === true;
  const kept = isSecond ? second : first;
  const limit = isSecond && other !== undefined ? other : { ...search.chosen, maxBitsPerSecond: search.maxBitsPerSecond };
  c.onProgress(state.tracker.end(), state.log.text());
  const result: OutputQuality = {
    ...{ metric: quality.metric, target: quality.target, option: quality.scale.option, value: kept.value },
    ...(kept.reached !== undefined && { reached: kept.reached, isReached: isReached(quality, kept.reached) }),
    tried: [...search.tried, ...triedWhole(first), ...triedWhole(second)].toSorted((a, b) => a.value - b.value),
  };
  return {
    ok: true,
    outputs: kept.written.outputs.map((output) => ({ ...output, quality: result })),
    warnings: [...kept.written.warnings, ...qualityWarnings(quality, limit, kept, state.stopper.cause)],
    inputs: kept.written.inputs,
  };
}

const triedWhole = (whole: MeasuredWhole | undefined): OutputQuality['tried'] =>
  whole?.reached === undefined
    ? []
    : [{ value: whole.value, score: whole.reached, bitsPerSecond: Math.round(whole.bitsPerSecond), isWhole: true }];

/** Encodes the whole once more. undefined: this failed, and the first output is there as before. */
async function encodeAgain(
  c: PreparedRun,
  quality: PlannedQuality,
  { first, value, step }: { readonly first: MeasuredWhole; readonly value: number; readonly step: number },
  state: RunState,
): Promise<(MeasuredWhole & { readonly isKept: boolean }) | undefined> {
  const [planned] = c.plan.passes;
  const [{ logical: file } = { logical: undefined }] = c.plan.outputs;
  if (planned === undefined || file === undefined) return undefined;
  const [output, aside] = [join(c.dir, file), join(c.dir, FIRST_OUTPUT)];
  await rename(output, aside);
  state.tracker.addPasses(2);
  state.log.note(`Quality: encode again with ${quality.scale.option} ${value}`);
  const second = await encodeAndMeasure(c, quality, { argv: withValue(planned, value), value, step }, state);
  const isKept = second !== undefined && isBetter(quality, second, first);
  if (isKept) await rm(aside, { force: true });
  else await rename(aside, output);
  return second && { ...second, isKept };
}

async function encodeAndMeasure(
  c: PreparedRun,
  quality: PlannedQuality,
  { argv, value, step }: { readonly argv: readonly string[]; readonly value: number; readonly step: number },
  state: RunState,
): Promise<MeasuredWhole | undefined> {
  const run = await runPass(c, { argv, step }, state);
  if (!run.ok) return undefined;
  const read = await readOutputs(c, run.pass, state);
  if (!read.ok) return undefined;
  run.reportEnd();
  return measureWhole(c, quality, { value, pass: run.pass, written: read, step: step + 1 }, state);
}
