import { lstat, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientLimits } from '../../domain/client-limits.ts';
import { type Failure, JobFailed } from '../../domain/failure.ts';
import type { HlsEncryption } from '../../domain/hls-encryption.ts';
import type { OutputReport, Progress } from '../../domain/job.ts';
import { type Mount, outputOf, type Plan, type Warning } from '../../domain/plan.ts';
import { CAPTIONS } from '../filtergraph/speech.ts';
import {
  classifyFailure,
  emptyOutput,
  endedBySignal,
  filteringFailed,
  type PassEnd,
  ranOutOfMemory,
  trustedLines,
  withoutFrames,
  writingFailed,
} from '../log/classify.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import { ReadableLog } from '../log/readable-log.ts';
import type { InputReport } from '../log/report.ts';
import { deletedFileBytes } from '../process/deleted-files.ts';
import { ignoreErrno } from '../process/errno.ts';
import type { Command, ProcessEnd, WaitForTurn } from '../process/launch.ts';
import { watchThreadCount } from '../process/process-tree.ts';
import { unfitProfile } from '../rules/failures/encoders.ts';
import { endlessFrames, explainStall } from '../rules/failures/joined-inputs.ts';
import { explainByMedia } from '../rules/failures/media-causes.ts';
import {
  cutOffInput,
  emptyInput,
  explainNothingWritten,
  inputToMeasure,
  readingArgv,
} from '../rules/failures/nothing-written.ts';
import { endlessSubtitles } from '../rules/failures/subtitles.ts';
import { undecodableStream } from '../rules/failures/undecodable.ts';
import { type FaultGuard, faultGuard } from '../rules/rules.ts';
import { warningsOfRun } from '../rules/run-warnings.ts';
import type { JobCgroup, JobCgroups } from '../sandbox/cgroup/job-cgroups.ts';
import { confineCommand, IN_SANDBOX, writableFolders } from '../sandbox/confine.ts';
import { CORES, type KernelLimits, kernelLimits } from '../sandbox/limits.ts';
import { type PinnedFiles, withPinnedFiles } from '../sandbox/pinned-files.ts';
import type { DeviceAccess, Sandbox } from '../sandbox/sandbox.ts';
import { linkMounts, prepareWorkFolder } from '../sandbox/work-folder.ts';
import { explainInput, failedOutput, ofOutput, withSentNames } from './failed-output.ts';
import { removeKeyFiles, writeKeyFiles } from './key-files.ts';
import { type MeasuredOutput, measureOutput } from './measured-output.ts';
import { MeasuredPasses } from './measured-passes.ts';
import { Pass } from './pass.ts';
import type { PassOutput } from './pass-output.ts';
import { exceedsDuration, findPolicyViolation } from './policy-violations.ts';
import { ProgressTracker } from './progress.ts';
import { StallWatch } from './stall.ts';
import { CONVERSION_CANCELLED, conversionStalled, conversionTimedOut, Stopper, TimeLimit } from './stop.ts';

export interface ConversionRun {
  readonly plan: Plan;
  /** The scratch folder, absolute; contains `in/` and `out/`, and belongs to the user of the service. */
  readonly dir: string;
  readonly mounts: readonly Mount[];
  /** Present if the plan encrypts HLS. */
  readonly encryption?: HlsEncryption | undefined;
  /** Absolute, symlinks resolved. */
  readonly ffmpegPath: string;
  /** Absolute, symlinks resolved. Without it, a doubtful duration in ffmpeg's report is not checked. */
  readonly ffprobePath?: string;
  readonly sandbox: Sandbox;
  /** The hardware device of a plan that needs one. */
  readonly device?: DeviceAccess;
  /** The model for a plan with a transcript. Only the run that recognises speech sees it. */
  readonly speechModel?: Mount;
  /** Cgroups that limit all processes of a conversion together. Without them, the limits apply to each process. */
  readonly cgroups?: JobCgroups;
  readonly policy: ClientLimits;
  /** The timeout of all passes together; at most the client's limit "time". */
  readonly timeoutSeconds: number;
  /** Seconds without progress after which the conversion fails. */
  readonly stallSeconds: number;
  /** Seconds between SIGTERM and SIGKILL. Default: 5. */
  readonly graceSeconds?: number;
  /** Aborting the signal ends the conversion with CANCELLED, whatever the abort reason. */
  readonly signal: AbortSignal;
  /** Called before ffmpeg starts, with a function that counts the disk space of deleted files: `deletedFileBytes`. */
  onCountable?(deletedBytes: () => Promise<number>): void;
  /** Called when bubblewrap is ready to start an ffmpeg, which starts when the promise resolves. The timeout pauses. */
  readonly waitForTurn?: WaitForTurn;
  /** Called when the first ffmpeg starts, after its turn. */
  onStart?(): void;
  /** Called when the ffmpeg of a pass has started. */
  onPass?(): void;
  /** Called about twice a second, with the readable log so far. */
  onProgress(progress: Progress, log: string): void;
  /** Called with an error of the code that explains the result. It does not change the result. */
  onFault?(error: unknown): void;
}

export type RunOutcome =
  | {
      readonly ok: true;
      /** In the order of the plan's outputs. */
      readonly outputs: readonly OutputReport[];
      readonly log: string;
      /** What the run did that the client probably did not want. */
      readonly warnings: readonly Warning[];
      /** ffmpeg's report about the inputs. Empty if nothing ran, or if text of the media may have forged it. */
      readonly inputs: readonly InputReport[];
    }
  | {
      readonly ok: false;
      readonly failure: Failure;
      readonly log: string;
      /** The last raw lines of ffmpeg, only for the operator's log. */
      readonly raw: string;
    };

/** timeout(1) waits this long after the job's timeout, because normally the service itself ends a slow job. */
const LAST_RESORT_SECONDS = 30;

/**
 * Runs every pass of a plan and resolves when ffmpeg has exited. ffmpeg writes its output to `dir/out`. Throws only if the
 * machine fails: the scratch folder is missing, or ffmpeg cannot start.
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

/** Writes the texts that ffmpeg reads besides the inputs. */
const writeTexts = ({ plan: { texts = [] }, dir }: ConversionRun): Promise<unknown> =>
  Promise.all(texts.map(({ logical, text }) => writeFile(join(dir, logical), text, { flag: 'wx', mode: 0o644 })));

/** All commands of a plan. They name all texts of the plan. */
const commandsOf = ({ checks = [], transcript, passes }: Plan): readonly (readonly string[])[] => [
  ...checks,
  ...(transcript === undefined ? [] : [transcript.argv]),
  ...passes,
];

/** The folders to create. `out` already exists. */
const foldersOf = ({ outputs }: Plan, writable: readonly string[]): readonly string[] => [
  ...writable.filter((name) => name !== 'out'),
  ...outputs.flatMap(({ folders = [] }) => folders),
];

/** A conversion with its guard, its writable folders, and its cgroup. */
type RunInCgroup = ConversionRun & {
  readonly guard: FaultGuard;
  readonly writable: readonly string[];
  readonly cgroup?: JobCgroup;
};

const limitsOf = (c: ConversionRun): KernelLimits => kernelLimits(c.policy, c.timeoutSeconds, CORES);

async function runPasses(c: RunInCgroup, stopper: Stopper, stall: StallWatch, log: ReadableLog): Promise<RunOutcome> {
  const before = c.plan.transcript === undefined ? 0 : 1;
  const tracker = new ProgressTracker(before + c.plan.passes.length);
  const failed = (failure: Failure, raw = ''): RunOutcome => ({ ok: false, failure, log: log.text(), raw });
  for (const argv of c.plan.checks ?? []) {
    const failure = await runCheck(c, argv, stopper);
    if (failure !== undefined) return failure;
  }
  const speechFailure =
    c.plan.transcript && (await recogniseSpeech(c, c.plan.transcript.argv, { stopper, stall, log, tracker }));
  if (speechFailure !== undefined) return speechFailure;
  let outputs: readonly OutputReport[] = [];
  let warnings: readonly Warning[] = [];
  let inputs: readonly InputReport[] = [];
  let isEmpty = false;
  const measured = new MeasuredPasses(c.plan, c.dir);
  for (const [index, planned] of c.plan.passes.entries()) {
    const argv = measured.argvOf(index, planned);
    if (stopper.cause !== undefined) return failed(stopper.cause);
    const report = (block: ProgressBlock, expected: number | undefined): void =>
      c.onProgress(tracker.update(before + index, block, expected), log.text());
    if (c.plan.passes.length > 1) log.note(`Pass ${index + 1} of ${c.plan.passes.length}`);
    const pass = await start(c, argv, log, (block, running) => {
      stall.update(block);
      const violation = findPolicyViolation(c.policy, running.observed) ?? endlessOutput(running);
      if (violation !== undefined) stopper.stop(violation);
      // ffmpeg sends the last block before it closes the file, which may fail. Report it after the exit code.
      if (!block.ended) report(block, running.expected);
    }).catch(ignoreErrno('E2BIG'));
    if (pass === undefined) return failed(COMMAND_TOO_LONG);
    reportStart(c, pass, stall, before + index === 0);
    const end = await endOf(pass, stopper, () => pass.hasOutput);
    const violation = explainViolation(c, findPolicyViolation(c.policy, pass.observed), pass);
    if (end.code !== 0 || filteringFailed(pass.complaints) || writingFailed(pass.complaints)) {
      const passEnd = { ...end, lines: pass.complaints, isAfterEmptyPass: isEmpty };
      const stopped = c.guard(() => explainStop(c, stopper.cause, pass), stopper.cause);
      const failure = stopped ?? violation ?? (await explainFailure(c, passEnd, pass, stopper));
      return failed(replaceLogicalNames(failure, c.plan.inputs), stopper.cause === undefined ? pass.lastLines : '');
    }
    if (violation !== undefined) return failed(violation, pass.lastLines);
    isEmpty = pass.wroteNothing;
    const unclear = index === 0 ? await measured.finish(measuringRun(pass), c.signal) : undefined;
    if (unclear !== undefined) return failed(unclear, pass.lastLines);
    // Only the last pass writes the output. An earlier pass reports the same errors.
    if (index === c.plan.passes.length - 1) {
      if (isEmpty) return failed(await explainEmptyOutput(c, pass.firstOutput, stopper), pass.lastLines);
      const written: MeasuredOutput[] = [];
      for (const output of pass.outputs) written.push(await measureOutput(c, output));
      const empty = pass.outputs.find((_output, at) => written[at]?.isEmpty === true);
      if (empty !== undefined)
        return failed(ofOutput(c.plan, empty.index, await explainEmptyOutput(c, empty, stopper)), pass.lastLines);
      outputs = written.map(({ output }) => output);
      const cancelled = await measured.readResults(c.signal);
      if (cancelled !== undefined) return failed(cancelled);
      inputs = pass.isForged ? [] : pass.report.inputs;
      const found = warningsOf(pass, written);
      warnings = c.guard(() => warningsOfRun(c.plan, found), found.flat());
    }
    if (pass.lastBlock !== undefined) report(pass.lastBlock, pass.expected);
  }
  return { ok: true, outputs, log: log.text(), warnings: [...measured.warnings, ...warnings], inputs };
}

/** Waits for the end of a pass. Until then, `stopper` can stop it. */
async function endOf(pass: Pass, stopper: Stopper, hasOutput: () => boolean = () => false): Promise<ProcessEnd> {
  stopper.watch(pass.process, hasOutput);
  return pass.process.ended.finally(() => stopper.release());
}

/** Calls the listeners when ffmpeg starts, after its turn. */
function reportStart(c: RunInCgroup, pass: Pass, stall: StallWatch, isFirst: boolean): void {
  void pass.process.started.then(() => {
    stall.watch(pass.process.pid);
    c.guard(() => {
      if (isFirst) c.onStart?.();
      c.onPass?.();
    }, undefined);
  });
}

/** What the run did that the client probably did not want: a list for each output. */
const warningsOf = (pass: Pass, measured: readonly MeasuredOutput[]): readonly (readonly Warning[])[] =>
  pass.outputs.map((output, index) => output.warningsAbout(measured[index] ?? { output: {} }));

const measuringRun = (pass: Pass) => ({
  facts: pass.firstOutput.facts,
  streamCount: (kind: 'video' | 'audio') => pass.firstOutput.streamCount(kind),
});

/** Why a pass failed: by the facts about the inputs, else by the log alone. */
async function explainFailure(c: RunInCgroup, end: PassEnd, pass: Pass, stopper: Stopper): Promise<Failure> {
  const failedOne = failedOutput(end.lines, pass.outputs);
  const candidates = failedOne === undefined ? pass.outputs : [failedOne];
  const byMedia = (output: PassOutput): Failure | undefined => {
    const { facts } = output;
    if (endedBySignal(end) || facts === undefined) return undefined;
    return c.guard(() => {
      const lines = trustedLines(end.lines);
      return undecodableStream(facts, end.code, lines) ?? explainByMedia(facts, lines) ?? unfitProfile(facts);
    }, undefined);
  };
  let found: { readonly output: PassOutput; readonly failure: Failure } | undefined;
  for (const output of candidates) {
    const failure = found === undefined ? byMedia(output) : undefined;
    if (failure !== undefined) found = { output, failure };
  }
  const empty = found === undefined && !endedBySignal(end) ? emptyOutput(end.lines) : undefined;
  const emptyOne = empty === undefined ? undefined : pass.outputs[empty];
  if (emptyOne !== undefined) return ofOutput(c.plan, emptyOne.index, await explainEmptyOutput(c, emptyOne, stopper));
  const { output, failure } = found ?? byLog(c, end, failedOne ?? pass.firstOutput);
  const explained = await explainInput(c, failure);
  const named = c.guard(() => withSentNames(explained, outputOf(c.plan, output.index)), explained);
  return failedOne === undefined ? named : ofOutput(c.plan, failedOne.index, named);
}

const byLog = (c: RunInCgroup, end: PassEnd, output: PassOutput) => ({
  output,
  failure: classifyFailure(end, c.policy, output.planned),
});

/** The failure of a run that repeats frames nearly without end. */
const endlessOutput = (pass: Pass): Failure | undefined =>
  endlessFrames(trustedLines(pass.complaints), () => pass.firstOutput.facts);

/** Why nothing was written. Reads an input to its end if its header does not show the reason. */
async function explainEmptyOutput(c: RunInCgroup, { facts, argv }: PassOutput, stopper: Stopper): Promise<Failure> {
  if (facts === undefined) return withoutFrames(c.plan);
  const byHeader = c.guard(() => explainNothingWritten(facts), undefined);
  const input = inputToMeasure(facts);
  const reading = input === undefined ? undefined : readingArgv(argv, input);
  if (byHeader !== undefined || input === undefined || reading === undefined) return byHeader ?? withoutFrames(c.plan);
  const pass = await start(c, reading, new ReadableLog(), () => undefined);
  const { code } = await endOf(pass, stopper);
  const read: Partial<ProgressBlock> = pass.lastBlock ?? {};
  const byData = (): Failure | undefined =>
    emptyInput(facts, input, read) ?? cutOffInput(facts, input, read.outSeconds ?? 0);
  const cause = code === 0 ? c.guard(byData, undefined) : undefined;
  return stopper.cause ?? cause ?? withoutFrames(c.plan);
}

/** Why the service stopped ffmpeg, with the cause of a stall if the inputs show it. */
function explainStop(c: RunInCgroup, cause: Failure | undefined, pass: Pass): Failure | undefined {
  const { facts } = pass.firstOutput;
  const stall = cause?.code === 'STALLED' && facts !== undefined ? explainStall(facts) : undefined;
  const violation = explainViolation(c, cause, pass);
  if (violation !== cause) return violation;
  return cause && stall ? { ...cause, ...stall, message: `${cause.message} ${stall.message}` } : cause;
}

/** A limit that the output exceeds, with the reason for its length if the filters show it. */
function explainViolation(
  { policy }: RunInCgroup,
  violation: Failure | undefined,
  { firstOutput: { facts }, observed }: Pass,
): Failure | undefined {
  const isTooLong = violation?.code === 'LIMIT_EXCEEDED' && exceedsDuration(policy, observed);
  const reason = isTooLong && facts !== undefined ? endlessSubtitles(facts) : undefined;
  return violation && reason
    ? { ...violation, ...reason, message: `${violation.message} ${reason.message}` }
    : violation;
}

/** Runs a check that precedes the passes. Returns undefined if it succeeds. */
async function runCheck(c: RunInCgroup, argv: readonly string[], stopper: Stopper): Promise<RunOutcome | undefined> {
  const log = new ReadableLog();
  if (stopper.cause !== undefined) return { ok: false, failure: stopper.cause, log: '', raw: '' };
  const check = await start(c, argv, log, () => undefined);
  const end = await endOf(check, stopper);
  if (end.code === 0) return undefined;
  const failure = stopper.cause ?? classifyFailure({ ...end, lines: check.complaints }, c.policy);
  return { ok: false, failure: replaceLogicalNames(failure, c.plan.inputs), log: log.text(), raw: check.lastLines };
}

/** The state that the run that recognises speech shares with the passes. */
interface RunState {
  readonly stopper: Stopper;
  readonly stall: StallWatch;
  readonly log: ReadableLog;
  readonly tracker: ProgressTracker;
}

/** Writes the captions that the passes read. Returns a failure also if it finds no speech. */
async function recogniseSpeech(
  c: RunInCgroup,
  argv: readonly string[],
  { stopper, stall, log, tracker }: RunState,
): Promise<RunOutcome | undefined> {
  const failed = (failure: Failure, raw = ''): RunOutcome => ({
    ok: false,
    failure: replaceLogicalNames(failure, c.plan.inputs),
    log: log.text(),
    raw,
  });
  if (stopper.cause !== undefined) return failed(stopper.cause);
  log.note('Speech');
  const models = c.speechModel === undefined ? [] : [c.speechModel];
  await linkMounts(c.dir, models, c.sandbox);
  const withModel = { ...c, mounts: [...c.mounts, ...models] };
  const run = await start(withModel, argv, log, (block, running) => {
    // The filter may work on 30 s of audio for minutes without other progress.
    stall.watch(running.process.pid);
    const violation = findPolicyViolation(c.policy, running.observed);
    if (violation !== undefined) stopper.stop(violation);
    if (!block.ended) c.onProgress(tracker.update(0, block, running.expected), log.text());
  });
  reportStart(c, run, stall, true);
  const end = await endOf(run, stopper, () => run.hasOutput);
  // Without a sandbox that mounts files, the passes would see the link.
  for (const { logical } of models) await rm(join(c.dir, logical), { force: true });
  const violation = findPolicyViolation(c.policy, run.observed);
  if (end.code !== 0 || violation !== undefined)
    return failed(
      stopper.cause ?? violation ?? classifyFailure({ ...end, lines: run.complaints }, c.policy),
      run.lastLines,
    );
  const { size } = await lstat(join(c.dir, CAPTIONS)).catch(() => ({ size: 0 }));
  return size === 0 ? failed(stopper.cause ?? NO_SPEECH, run.lastLines) : undefined;
}

const NO_SPEECH: Failure = {
  code: 'INPUT_INVALID',
  message: 'No speech was recognised in the first audio stream of the input.',
  fix: 'Send a file in which people speak. For another audio stream, first write it into a file: "map": "0:a:1".',
};

/** E2BIG: the argv exceeds a limit of the system that is lower than the planner's. A retry would fail again. */
const COMMAND_TOO_LONG: Failure = {
  code: 'UNSUPPORTED',
  message: 'The ffmpeg command of this job is longer than the system allows.',
  fix: 'Send fewer inputs, or shorter option values and paths.',
};

async function start(
  c: RunInCgroup,
  argv: readonly string[],
  log: ReadableLog,
  onBlock: (block: ProgressBlock, pass: Pass) => void,
): Promise<Pass> {
  return withPinnedFiles(
    c,
    (pinned) => new Pass(command(c, argv, pinned), c.plan, log, c.guard, onBlock, c.cgroup?.enter, c.waitForTurn),
  );
}

const command = (c: ConversionRun, argv: readonly string[], pinned: PinnedFiles): Command =>
  confineCommand({
    sandbox: c.sandbox,
    program: c.ffmpegPath,
    argv,
    ...pinned,
    limits: limitsOf(c),
    // Checks of files, and runs that only read an input, open no device.
    ...(c.device && argv.includes('-init_hw_device') && { device: c.device }),
    lastResortSeconds: Math.ceil(c.timeoutSeconds) + LAST_RESORT_SECONDS,
  });
