import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { classifyFailure, ranOutOfMemory } from '../log/classify.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { ReadableLog } from '../log/readable-log.ts';
import { deletedFileBytes } from '../process/deleted-files.ts';
import type { WaitForTurn } from '../process/launch.ts';
import { watchThreadCount } from '../process/process-tree.ts';
import { faultGuard } from '../rules/rules.ts';
import type { JobCgroup } from '../sandbox/cgroup/job-cgroups.ts';
import { IN_SANDBOX, writableFolders } from '../sandbox/confine.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import type { ConversionRun, PreparedRun, RunOutcome } from './conversion-run.ts';
import { removeKeyFiles, writeKeyFiles } from './key-files.ts';
import { finishLadder } from './ladder/finish-ladder.ts';
import { searchLadder } from './ladder/search-ladder.ts';
import { MeasuredPasses } from './measured-passes.ts';
import type { Pass } from './pass.ts';
import { ProgressTracker } from './progress.ts';
import { withValue } from './quality/fill-placeholders.ts';
import { type EncodedWhole, finishQuality } from './quality/finish-quality.ts';
import { searchQuality } from './quality/search-quality.ts';
import { readOutputs, runPass, type WrittenOutputs } from './run-pass.ts';
import type { RunState } from './run-state.ts';
import { recogniseSpeech } from './speech-run.ts';
import { StallWatch } from './stall.ts';
import { endOf, limitsOf, startPass } from './start-pass.ts';
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
    const outcome = await runPasses(run, { stopper, stall, log, time });
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

async function runPasses(prepared: PreparedRun, parts: Omit<RunState, 'tracker'>): Promise<RunOutcome> {
  const { stopper, log } = parts;
  const { transcript, quality, ladder } = prepared.plan;
  const before = [transcript, quality, ladder].every((one) => one === undefined) ? 0 : 1;
  const after = quality === undefined ? 0 : 1;
  const tracker = new ProgressTracker(before + prepared.plan.passes.length + after);
  const state: RunState = { ...parts, tracker };
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
  let written: WrittenOutputs = { outputs: [], warnings: [], inputs: [] };
  let last: EncodedWhole | undefined;
  let isEmpty = false;
  const measured = new MeasuredPasses(c.plan, c.dir);
  for (const [index, planned] of c.plan.passes.entries()) {
    const argv = search === undefined ? measured.argvOf(index, planned) : withValue(planned, search.chosen.value);
    if (c.plan.passes.length > 1) log.note(`Pass ${index + 1} of ${c.plan.passes.length}`);
    const left = state.time.leftSeconds;
    const run = await runPass(c, { argv, step: before + index, isAfterEmptyPass: isEmpty }, state);
    if (!run.ok) return failed(run.failure, run.raw);
    const { pass } = run;
    isEmpty = pass.wroteNothing;
    const unclear = index === 0 ? await measured.finish(measuringRun(pass), c.signal) : undefined;
    if (unclear !== undefined) return failed(unclear, pass.lastLines);
    // Look at the output after the last pass, which writes it. The errors of earlier passes occur in this pass again.
    if (index === c.plan.passes.length - 1) {
      // Before the output is measured, which also looks at its master playlist.
      const rungs = found && ladder && !isEmpty ? await finishLadder(c, ladder, found) : undefined;
      const read = await readOutputs(c, pass, state);
      if (!read.ok) return failed(read.failure, read.raw);
      const cancelled = await measured.readResults(c.signal);
      if (cancelled !== undefined) return failed(cancelled);
      written = { ...read, outputs: read.outputs.map((output) => ({ ...output, ...(rungs && { ladder: rungs }) })) };
    }
    run.reportEnd();
    last = { pass, seconds: left - state.time.leftSeconds };
  }
  if (quality !== undefined && search !== undefined && last !== undefined) {
    const finished = await finishQuality(c, { quality, search, ...last, written }, state);
    if (!finished.ok) return failed(finished.failure, finished.raw);
    written = finished;
  }
  const { outputs, warnings, inputs } = written;
  const ofSearch = found?.warnings ?? [];
  return { ok: true, outputs, log: log.text(), warnings: [...measured.warnings, ...ofSearch, ...warnings], inputs };
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
