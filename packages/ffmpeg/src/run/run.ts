import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { OutputReport } from '@telecine/contract/domain/job.ts';
import type { Plan, Warning } from '@telecine/contract/domain/plan.ts';
import { classifyFailure, ranOutOfMemory, trustedLines } from '../log/classify.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import { ReadableLog } from '../log/readable-log.ts';
import type { InputReport } from '../log/report.ts';
import { deletedFileBytes } from '../process/deleted-files.ts';
import type { WaitForTurn } from '../process/launch.ts';
import { watchThreadCount } from '../process/process-tree.ts';
import { endlessFrames } from '../rules/failures/joined-inputs.ts';
import { faultGuard } from '../rules/rules.ts';
import { warningsOfRun } from '../rules/run-warnings.ts';
import type { JobCgroup } from '../sandbox/cgroup/job-cgroups.ts';
import { IN_SANDBOX, writableFolders } from '../sandbox/confine.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import type { ConversionRun, PreparedRun, RunOutcome } from './conversion-run.ts';
import { explainEmptyOutput } from './explain-failure.ts';
import { ofOutput } from './failed-output.ts';
import { removeKeyFiles, writeKeyFiles } from './key-files.ts';
import { finishLadder } from './ladder/finish-ladder.ts';
import { searchLadder } from './ladder/search-ladder.ts';
import { type MeasuredOutput, measureOutput } from './measured-output.ts';
import { MeasuredPasses } from './measured-passes.ts';
import type { Pass } from './pass.ts';
import { COMMAND_TOO_LONG, failureOfPass } from './pass-end.ts';
import { findPolicyViolation } from './policy-violations.ts';
import { ProgressTracker } from './progress.ts';
import { measureQuality } from './quality/measure-quality.ts';
import { withValue } from './quality/placeholders.ts';
import { searchQuality } from './quality/search-quality.ts';
import type { RunState } from './run-state.ts';
import { recogniseSpeech } from './speech-run.ts';
import { StallWatch } from './stall.ts';
import { endOf, limitsOf, reportStart, startPass } from './start-pass.ts';
import { CONVERSION_CANCELLED, conversionStalled, conversionTimedOut, Stopper, TimeLimit } from './stop.ts';

/**
 * Runs every pass of a plan, whose outputs ffmpeg writes to `dir/out`. Resolves when ffmpeg has exited. Throws only if the machine fails:
 * the scratch folder is missing, or ffmpeg cannot start.
 */
export async function runConversion(c: ConversionRun): Promise<RunOutcome> {
  const stopper = new Stopper(c.graceSeconds);
  const log = new ReadableLog();
  const cancel = (): void => stopper.stop(CONVERSION_CANCELLED);
  c.signal.addEventListener('abort', cancel, { once: true });
  if (c.signal.aborted) cancel();
  const limit = c.timeoutSeconds === c.policy.time ? ' (limit "time")' : '';
  const time = new TimeLimit(c.timeoutSeconds, () => stopper.stop(conversionTimedOut(c.timeoutSeconds, limit)));
  const stall = new StallWatch(c.stallSeconds, () => stopper.stop(conversionStalled(c.stallSeconds)));
  const stopThreadWatch = watchThreadCount(
    c.policy.processes,
    () => stopper.pid,
    (failure) => stopper.stop(failure),
  );
  const folders = async () => [IN_SANDBOX, await realpath(c.dir)];
  const inputs = new Set(c.mounts.flatMap(({ identities }) => identities ?? []));
  c.onCountable?.(() => deletedFileBytes({ list: () => stopper.processes(), folders, inputs }));
  let cgroup: JobCgroup | undefined;
  try {
    const mounts = c.encryption === undefined ? c.mounts : [...c.mounts, await writeKeyFiles(c.dir, c.encryption)];
    const writable = writableFolders(c.sandbox, commandsOf(c.plan));
    await prepareWorkFolder(c.dir, mounts, c.sandbox, foldersOf(c.plan, writable), c.device);
    await writeTexts(c);
    cgroup = await c.cgroups?.open(limitsOf(c));
    const guard = faultGuard((error) => c.onFault?.(error));
    const waitForTurn: WaitForTurn = async (ended) => time.pauseFor(c.waitForTurn?.(ended) ?? Promise.resolve());
    const run = { ...c, mounts, guard, writable, waitForTurn, ...(cgroup && { cgroup }) };
    const outcome = await runPasses(run, stopper, stall, log);
    if (outcome.ok || stopper.cause !== undefined || (await cgroup?.ranOutOfMemory()) !== true) return outcome;
    return { ...outcome, failure: ranOutOfMemory(c.policy) };
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
    const failure = replaceLogicalNames(error.failure, c.plan.inputs);
    return { ok: false, failure, log: log.text(), raw: String(error.cause ?? '') };
  } finally {
    time.stop();
    stall.stop();
    stopThreadWatch();
    c.signal.removeEventListener('abort', cancel);
    await cgroup?.end();
    if (c.encryption !== undefined) await removeKeyFiles(c.dir);
  }
}

/** Writes the text files of the plan, which ffmpeg reads besides the inputs. */
const writeTexts = ({ plan: { texts = [] }, dir }: ConversionRun): Promise<unknown> =>
  Promise.all(texts.map(({ logical, text }) => writeFile(join(dir, logical), text, { flag: 'wx', mode: 0o644 })));

/** Returns all commands of a plan, in the order in which they run. */
const commandsOf = ({ checks = [], transcript, quality, ladder, passes }: Plan): readonly (readonly string[])[] => [
  ...checks,
  ...(transcript === undefined ? [] : [transcript.argv]),
  ...(quality === undefined ? [] : [quality.encode]),
  ...(ladder === undefined ? [] : [ladder.encode]),
  ...passes,
];

/** Returns the folders to create. `out` already exists. */
const foldersOf = ({ outputs }: Plan, writable: readonly string[]): readonly string[] => [
  ...writable.filter((name) => name !== 'out'),
  ...outputs.flatMap(({ folders = [] }) => folders),
];

async function runPasses(
  prepared: PreparedRun,
  stopper: Stopper,
  stall: StallWatch,
  log: ReadableLog,
): Promise<RunOutcome> {
  const { transcript, quality, ladder } = prepared.plan;
  const before = [transcript, quality, ladder].every((one) => one === undefined) ? 0 : 1;
  const after = quality === undefined ? 0 : 1;
  const tracker = new ProgressTracker(before + prepared.plan.passes.length + after);
  const state: RunState = { stopper, stall, log, tracker };
  const failed = (failure: Failure, raw = ''): RunOutcome => ({ ok: false, failure, log: log.text(), raw });
  for (const argv of prepared.plan.checks ?? []) {
    const failure = await runCheck(prepared, argv, stopper);
    if (failure !== undefined) return failure;
  }
  const speechFailure = transcript && (await recogniseSpeech(prepared, transcript.argv, state));
  if (speechFailure !== undefined) return speechFailure;
  const search = quality && (await searchQuality(prepared, quality, state));
  if (search?.ok === false) return failed(search.failure, search.raw);
  const found = ladder && (await searchLadder(prepared, ladder, state));
  if (found?.ok === false) return failed(found.failure, found.raw);
  const c = found === undefined ? prepared : { ...prepared, plan: { ...prepared.plan, passes: [found.argv] } };
  let outputs: readonly OutputReport[] = [];
  let warnings: readonly Warning[] = [];
  let inputs: readonly InputReport[] = [];
  let isEmpty = false;
  let last: Pass | undefined;
  const measured = new MeasuredPasses(c.plan, c.dir);
  for (const [index, planned] of c.plan.passes.entries()) {
    const argv = search === undefined ? measured.argvOf(index, planned) : withValue(planned, search.chosen.value);
    if (stopper.cause !== undefined) return failed(stopper.cause);
    const report = (block: ProgressBlock, expected: number | undefined): void =>
      c.onProgress(tracker.update(before + index, block, expected), log.text());
    if (c.plan.passes.length > 1) log.note(`Pass ${index + 1} of ${c.plan.passes.length}`);
    const pass = await startPass(c, argv, log, (block, running) => {
      stall.update(block);
      const violation = findPolicyViolation(c.policy, running.observed) ?? endlessOutput(running);
      if (violation !== undefined) stopper.stop(violation);
      // ffmpeg reports its end before it closes the file, which may still fail. So report the last block only after the exit code is known.
      if (!block.ended) report(block, running.expected);
    }).catch(ignoreErrno('E2BIG'));
    if (pass === undefined) return failed(COMMAND_TOO_LONG);
    reportStart(c, pass, stall, before + index === 0);
    const end = await endOf(pass, stopper, () => pass.hasOutput);
    const passFailure = await failureOfPass(c, pass, end, stopper, isEmpty);
    if (passFailure !== undefined) return failed(passFailure.failure, passFailure.raw);
    isEmpty = pass.wroteNothing;
    const unclear = index === 0 ? await measured.finish(measuringRun(pass), c.signal) : undefined;
    if (unclear !== undefined) return failed(unclear, pass.lastLines);
    // Look at the output after the last pass, which writes it. The errors of earlier passes occur in this pass again.
    if (index === c.plan.passes.length - 1) {
      if (isEmpty) return failed(await explainEmptyOutput(c, pass.firstOutput, stopper), pass.lastLines);
      // Before the output is measured, which also looks at its master playlist.
      const rungs = found && ladder && (await finishLadder(c, ladder, found));
      const written: MeasuredOutput[] = [];
      for (const output of pass.outputs) written.push(await measureOutput(c, output));
      const empty = pass.outputs.find((_output, at) => written[at]?.isEmpty === true);
      if (empty !== undefined)
        return failed(ofOutput(c.plan, empty.index, await explainEmptyOutput(c, empty, stopper)), pass.lastLines);
      outputs = written.map(({ output }) => ({ ...output, ...(rungs && { ladder: rungs }) }));
      const cancelled = await measured.readResults(c.signal);
      if (cancelled !== undefined) return failed(cancelled);
      inputs = pass.isForged ? [] : pass.report.inputs;
      const ofOutputs = warningsOf(pass, written);
      warnings = c.guard(() => warningsOfRun(c.plan, ofOutputs), ofOutputs.flat());
    }
    if (pass.lastBlock !== undefined) report(pass.lastBlock, pass.expected);
    last = pass;
  }
  if (quality !== undefined && search !== undefined && last !== undefined) {
    const result = await measureQuality(c, { quality, search, encoded: last }, state);
    if (!result.ok) return failed(result.failure, result.raw);
    outputs = outputs.map((output) => ({ ...output, quality: result.quality }));
    warnings = [...warnings, ...result.warnings];
  }
  return { ok: true, outputs, log: log.text(), warnings: [...measured.warnings, ...warnings], inputs };
}

/** Returns warnings about what the run did, but the client probably did not want: a list for each output. */
const warningsOf = (pass: Pass, measured: readonly MeasuredOutput[]): readonly (readonly Warning[])[] =>
  pass.outputs.map((output, index) => output.warningsAbout(measured[index] ?? { output: {} }));

const measuringRun = (pass: Pass) => ({
  facts: pass.firstOutput.facts,
  streamCount: (kind: 'video' | 'audio') => pass.firstOutput.streamCount(kind),
});

/** Explains a run that writes frames almost without end. undefined: the run is not such a run. */
const endlessOutput = (pass: Pass): Failure | undefined =>
  endlessFrames(trustedLines(pass.complaints), () => pass.firstOutput.facts);

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
