import type { Failure } from '@telecine/contract/domain/failure.ts';
import { triesSamples } from '@telecine/contract/domain/sampling.ts';
import { classifyFailure } from '../log/classify.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { ReadableLog } from '../log/readable-log.ts';
import { withChosen } from '../sampling/fill-argv.ts';
import { noteChosen, search } from '../sampling/run/find-by-samples.ts';
import { finishLadder, ladderWarnings } from '../sampling/run/finish-ladder.ts';
import { finishQuality } from '../sampling/run/finish-quality.ts';
import type { ConversionRun, PreparedRun, RunOutcome } from './conversion-run.ts';
import { fitSize } from './fit-size.ts';
import { MeasuredPasses } from './measured-passes.ts';
import type { Pass } from './pass.ts';
import { prepareRun } from './prepare-run.ts';
import { ProgressTracker } from './progress.ts';
import { readOutputs, runPass, type WrittenOutputs } from './run-pass.ts';
import type { RunState } from './run-state.ts';
import { recogniseSpeech } from './speech-run.ts';
import { endOf, startPass } from './start-pass.ts';
import type { Stopper } from './stop.ts';

/**
 * Runs every pass of a plan, whose outputs ffmpeg writes to `dir/out`. Resolves when ffmpeg has exited. Throws only if the machine fails:
 * the scratch folder is missing, or ffmpeg cannot start.
 */
export const runConversion = (c: ConversionRun): Promise<RunOutcome> => prepareRun(c, runPasses);

/** What samples in several frame sizes take, as a share of one pass: 17 % of two passes with three minutes, and less of longer videos. */
const SIZE_SAMPLES = 0.2;

async function runPasses(unstarted: PreparedRun, parts: Omit<RunState, 'tracker'>): Promise<RunOutcome> {
  const { stopper, log } = parts;
  const prepared = startingOnce(unstarted);
  const { transcript, search: planned, chosen: found } = prepared.plan;
  // The plan of a join has what was found before its chunks were encoded.
  if (found !== undefined) noteChosen(found, parts);
  const wanted = found === undefined ? planned : undefined;
  const before = transcript !== undefined || triesSamples(wanted) ? 1 : 0;
  const after = wanted?.choose === 'quality' ? 1 : 0;
  const isOfSizes = before === 1 && transcript === undefined && wanted?.choose === 'frameSize';
  const tracker = new ProgressTracker(before + prepared.plan.passes.length + after, isOfSizes ? SIZE_SAMPLES : 1);
  const state: RunState = { ...parts, tracker };
  const failed = (failure: Failure, raw = ''): RunOutcome => ({ ok: false, failure, log: log.text(), raw });
  for (const argv of prepared.plan.checks ?? []) {
    const failure = await runCheck(prepared, argv, stopper);
    if (failure !== undefined) return failure;
  }
  const speechFailure = transcript && (await recogniseSpeech(prepared, transcript.argv, state));
  if (speechFailure !== undefined) return speechFailure;
  const searched = found === undefined ? await search(prepared, state) : { ok: true as const, value: found };
  if (!searched.ok) return failed(searched.failure, searched.raw);
  const chosen = searched.value;
  const c = found === undefined ? { ...prepared, plan: withChosen(prepared.plan, chosen) } : prepared;
  let written: WrittenOutputs = { outputs: [], warnings: [], inputs: [], encodedVideos: [], taken: [] };
  let last: Pass | undefined;
  let isEmpty = false;
  const measured = new MeasuredPasses(c.plan, c.dir);
  const passes = [...c.plan.passes];
  /** The bytes of the files that were larger than the plan allows. */
  const tooLarge: number[] = [];
  // A pass that runs again is added while the others run.
  for (const [index, planned] of passes.entries()) {
    const argv = measured.argvOf(index, planned);
    if (passes.length > 1) log.note(`Pass ${index + 1} of ${passes.length}`);
    const left = state.time.leftSeconds;
    const run = await runPass(c, { argv, step: before + index, isAfterEmptyPass: isEmpty }, state);
    if (!run.ok) return failed(run.failure, run.raw);
    const { pass } = run;
    isEmpty = pass.wroteNothing;
    const unclear = index === 0 ? await measured.finish(measuringRun(pass), c.signal) : undefined;
    if (unclear !== undefined) return failed(unclear, pass.lastLines);
    const isLast = index === passes.length - 1;
    const { leftSeconds } = state.time;
    const seconds = left - leftSeconds;
    const videoBytes = pass.runComplaints.found.written?.video ?? 0;
    const next = isLast
      ? await fitSize(c, { argv: planned, seconds, leftSeconds, videoBytes, earlier: tooLarge })
      : undefined;
    if (next !== undefined && 'failure' in next) return failed(next.failure);
    if (next !== undefined) {
      log.note(next.note);
      passes.push(next.argv);
      tooLarge.push(next.bytes);
      tracker.addPasses(1);
    } else if (isLast) {
      // Look at the output after the last pass, which writes it. The errors of earlier passes occur in this pass again.
      // Before the output is measured, which also looks at its master playlist.
      const finished = chosen.ladder && !isEmpty ? await finishLadder(c, chosen.ladder) : undefined;
      const read = await readOutputs(c, pass, state);
      if (!read.ok) return failed(read.failure, read.raw);
      const cancelled = await measured.readResults(c.signal);
      if (cancelled !== undefined) return failed(cancelled);
      const { ladder: _, isLimited: __, ...others } = chosen;
      const more = { ...(finished && { ladder: finished }), ...others };
      written = { ...read, outputs: read.outputs.map((output) => ({ ...output, ...more })) };
    }
    run.reportEnd();
    last = pass;
  }
  if (wanted?.choose === 'quality' && last !== undefined)
    written = await finishQuality(c, wanted, chosen, { pass: last, written }, state);
  const ofLadder = chosen.ladder && planned?.choose === 'ladder' ? ladderWarnings(planned, chosen.ladder) : [];
  const warnings = [...measured.warnings, ...ofLadder, ...written.warnings];
  return { ...written, ok: true, log: log.text(), warnings };
}

/** The run with an `onStart` that is called only by the first ffmpeg. */
function startingOnce(c: PreparedRun): PreparedRun {
  let hasStarted = false;
  const onStart = (): void => {
    if (hasStarted) return;
    hasStarted = true;
    c.onStart?.();
  };
  return { ...c, onStart };
}

const measuringRun = (pass: Pass) => ({
  facts: pass.firstOutput.facts,
  streamCount: (kind: 'video' | 'audio') => pass.firstOutput.streamCount(kind),
});

/** Runs a check before the passes. Returns undefined if the check succeeds. */
async function runCheck(c: PreparedRun, argv: readonly string[], stopper: Stopper): Promise<RunOutcome | undefined> {
  const log = new ReadableLog();
  if (stopper.cause !== undefined) return { ok: false, failure: stopper.cause, log: '', raw: '' };
  const check = await startPass(c, argv, log, () => undefined);
  const end = await endOf(check, stopper);
  if (end.code === 0) return undefined;
  const failure = stopper.cause ?? classifyFailure({ ...end, lines: check.complaints }, c.policy);
  return { ok: false, failure: replaceLogicalNames(failure, c.plan.inputs), log: log.text(), raw: check.lastLines };
}
