import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MeasuredTarget, OutputQuality } from '@telecine/contract/domain/quality.ts';
import { isReached } from '../../quality/search-scales.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Pass } from '../pass.ts';
import { type Failed, readOutputs, runPass, type WrittenOutputs } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { type AnotherValue, anotherValue, isBetter } from './another-value.ts';
import { hasRoomFor } from './disk-room.ts';
import { withValue } from './fill-placeholders.ts';
import { type MeasuredWhole, measureWhole, triedWhole } from './measure-whole.ts';
import { qualityWarnings } from './quality-warnings.ts';
import type { FoundQuality } from './search-quality.ts';
import { cancelledBefore, spaceFailure } from './space-failure.ts';

/** A finished encode of the full video. `seconds`: how long it took. */
export interface EncodedWhole {
  readonly pass: Pass;
  readonly seconds: number;
}

/** The first encode of the full video. */
interface FirstEncode extends EncodedWhole {
  readonly quality: MeasuredTarget;
  readonly search: FoundQuality;
  readonly written: WrittenOutputs;
}

/** A second encode of the full video, with the score and bit rate that were expected of its value. */
interface SecondEncode extends MeasuredWhole {
  readonly expected: AnotherValue;
  /** Whether it is better than the first, which is then removed. */
  readonly isKept: boolean;
}

/** Where the first output is kept during the second encode. */
const FIRST_OUTPUT = 'pass/first-output';

/** A second encode begins only if this many times the seconds of the first are left. */
const TIME_FACTOR = 1.3;

/**
 * Measures the quality of the output. If it missed the target, encodes the full video once more with a corrected value, and keeps the better
 * one. A complete output succeeds with a warning if it cannot be measured, or if the time or the space is used up. Only a cancelled job
 * fails.
 */
export async function finishQuality(
  c: PreparedRun,
  { quality, search, written, pass, seconds }: FirstEncode,
  state: RunState,
): Promise<(WrittenOutputs & { readonly ok: true }) | Failed> {
  const before = state.time.leftSeconds;
  const step = c.plan.passes.length + 1;
  const { value } = search.chosen;
  const first = await measureWhole(c, quality, { value, pass, written, step, source: search.source }, state);
  const wantedSeconds = TIME_FACTOR * (seconds + before - state.time.leftSeconds);
  const second = await tryAgain(c, { quality, search, first, step: step + 1, wantedSeconds }, state);
  const cancelled = cancelledBefore(c, state);
  if (cancelled !== undefined) return cancelled;
  const kept = second?.isKept === true ? second : first;
  const limit =
    second?.isKept === true ? second.expected : { ...search.chosen, maxBitsPerSecond: search.maxBitsPerSecond };
  c.onProgress(state.tracker.end(), state.log.text());
  const result: OutputQuality = {
    ...{ metric: quality.metric, target: quality.target, option: quality.scale.option, value: kept.value },
    ...(kept.reached !== undefined && { reached: kept.reached, isReached: isReached(quality, kept.reached) }),
    tried: [
      ...search.tried,
      ...triedWhole(first, search.chosen.bitsPerSecond),
      ...triedWhole(second, second?.expected.bitsPerSecond ?? 0),
    ].toSorted((a, b) => a.value - b.value),
  };
  return {
    ...kept.written,
    ok: true,
    outputs: kept.written.outputs.map((output) => ({ ...output, quality: result })),
    warnings: [
      ...kept.written.warnings,
      ...qualityWarnings(quality, limit, kept, spaceFailure(c.signal) ?? state.stopper.cause),
    ],
  };
}

/** What a second encode depends on. */
interface Again {
  readonly quality: MeasuredTarget;
  readonly search: FoundQuality;
  readonly first: MeasuredWhole;
  readonly step: number;
  /** The seconds that it needs. */
  readonly wantedSeconds: number;
}

/** Encodes the full video once more if that makes it better, and says in the log which output is kept. undefined: there is only the first. */
async function tryAgain(c: PreparedRun, again: Again, state: RunState): Promise<SecondEncode | undefined> {
  const { quality, search, first } = again;
  const keptFirst = (why: string): undefined => {
    state.log.note(`Quality: kept the first output: ${why}`);
    return undefined;
  };
  if (state.stopper.cause !== undefined) return keptFirst('the job was stopped while it was measured');
  const expected = anotherValue(quality, search, first);
  if (expected === undefined)
    return first.reached === undefined || isReached(quality, first.reached)
      ? undefined
      : keptFirst('no other value is expected to be better');
  if (state.time.leftSeconds <= again.wantedSeconds)
    return keptFirst('the time of the job leaves no room for a second encode');
  const { bytes } = first;
  if (bytes === undefined || !(await hasRoomFor(c, { ...first, bytes, ...expected }).catch(withoutFault(c, false))))
    return keptFirst('there is no disk space for a second one');
  const second = await encodeAgain(c, expected, again, state);
  if (second === undefined)
    return keptFirst(`the second encode ${state.stopper.cause === undefined ? 'failed' : 'was stopped'}`);
  if (second.isKept) state.log.note('Quality: kept the second output');
  else keptFirst('the second is not better');
  return second;
}

/** Returns a handler that replaces an error by a value, because the first output is complete. Reports it unless the run is aborted. */
const withoutFault =
  <T>({ signal, onFault }: PreparedRun, value: T) =>
  (error: unknown): T => {
    if (!signal.aborted) onFault?.(error);
    return value;
  };

/** Encodes the full video once more. undefined: this failed, and the first output is there as before. */
async function encodeAgain(
  c: PreparedRun,
  expected: AnotherValue,
  again: Again,
  state: RunState,
): Promise<SecondEncode | undefined> {
  const [{ logical: file } = { logical: undefined }] = c.plan.outputs;
  if (file === undefined) return undefined;
  const [output, aside] = [join(c.dir, file), join(c.dir, FIRST_OUTPUT)];
  const isAside = await rename(output, aside).then(() => true, withoutFault(c, false));
  if (!isAside) return undefined;
  const second = await encodeAndMeasure(c, expected.value, again, state).catch(withoutFault(c, undefined));
  const isKept = second !== undefined && isBetter(again.quality, second, again.first);
  if (isKept) await rm(aside, { force: true }).catch(withoutFault(c, undefined));
  else await rename(aside, output);
  return second && { ...second, expected, isKept };
}

async function encodeAndMeasure(
  c: PreparedRun,
  value: number,
  { quality, search, step }: Again,
  state: RunState,
): Promise<MeasuredWhole | undefined> {
  const [planned] = c.plan.passes;
  if (planned === undefined) return undefined;
  state.tracker.addPasses(2);
  state.log.note(`Quality: encode again with ${quality.scale.option} ${value}`);
  const run = await runPass(c, { argv: withValue(planned, value), step }, state);
  if (!run.ok) return undefined;
  const written = await readOutputs(c, run.pass, state);
  if (!written.ok) return undefined;
  run.reportEnd();
  return measureWhole(c, quality, { value, pass: run.pass, written, step: step + 1, source: search.source }, state);
}
