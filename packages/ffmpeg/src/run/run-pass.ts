import type { EncodedVideo } from '@telecine/contract/domain/chunks.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { OutputReport } from '@telecine/contract/domain/job.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import type { InputReport } from '../log/report.ts';
import type { TakenStreams } from '../rules/facts/pass.ts';
import { warningsOfRun } from '../rules/find-warnings.ts';
import { startAfterEnd } from '../rules/result/outside-input.ts';
import type { PreparedRun } from './conversion-run.ts';
import { explainEmptyOutput } from './explain-failure.ts';
import { encryptedInput, ofOutput } from './failed-output.ts';
import { type MeasuredOutput, measureOutput } from './measured-output.ts';
import type { Pass } from './pass.ts';
import { COMMAND_TOO_LONG, failureOfPass, type PassFailure } from './pass-end.ts';
import type { PassOutput } from './pass-output.ts';
import { findPolicyViolation } from './policy-violations.ts';
import { withHeldFrames } from './progress.ts';
import type { RunState } from './run-state.ts';
import { endOf, reportStart, startPass } from './start-pass.ts';

export type Failed = PassFailure & { readonly ok: false };

const failed = (failure: Failure, raw = ''): Failed => ({ ok: false, failure, raw });

/** One pass of a plan. */
interface PlannedPass {
  readonly argv: readonly string[];
  /** The index of the pass for the progress. The first ffmpeg of the job has 0. */
  readonly step: number;
  readonly isAfterEmptyPass?: boolean;
}

/** A pass that has ended. `reportEnd` reports its last progress, after its files were checked. */
type EndedPass = { readonly ok: true; readonly pass: Pass; readonly reportEnd: () => void } | Failed;

/** Runs one pass of a plan. Its log is that of the job. */
export async function runPass(
  c: PreparedRun,
  { argv, step, isAfterEmptyPass = false }: PlannedPass,
  { stopper, stall, log, tracker }: RunState,
): Promise<EndedPass> {
  if (stopper.cause !== undefined) return failed(stopper.cause);
  const report = (block: ProgressBlock, expected: number | undefined): void =>
    c.onProgress(tracker.update(step, block, expected), log.text());
  const pass = await startPass(c, argv, log, (block, running) => {
    stall.update(block);
    const violation = findPolicyViolation(c.policy, running.observed);
    if (violation !== undefined) stopper.stop(violation);
    // ffmpeg reports its end before it closes the file, which may still fail. So report the last block only after the exit code is known.
    if (!block.ended) report(block, expectedOf(running, block));
  }).catch(ignoreErrno('E2BIG'));
  if (pass === undefined) return failed(COMMAND_TOO_LONG);
  reportStart(c, pass, stall, step === 0);
  const end = await endOf(pass, stopper, () => pass.hasOutput);
  const failure = await failureOfPass(c, pass, end, stopper, isAfterEmptyPass);
  if (failure !== undefined) return { ...failure, ok: false };
  const reportEnd = (): void => {
    if (pass.lastBlock !== undefined) report(pass.lastBlock, expectedOf(pass, pass.lastBlock));
  };
  return { ok: true, pass, reportEnd };
}

const expectedOf = ({ expected, outputs }: Pass, block: ProgressBlock): number | undefined =>
  withHeldFrames(
    expected,
    block,
    outputs.flatMap(({ planned, argv }) => (argv.includes('zerolatency') ? [] : [...planned.encoders])),
  );

/** What a run wrote, and what it says about it. */
export interface WrittenOutputs {
  readonly outputs: readonly OutputReport[];
  readonly warnings: readonly Warning[];
  readonly inputs: readonly InputReport[];
  /** See `PassOutput`. Of each output. */
  readonly encodedVideos: readonly (readonly EncodedVideo[])[];
  /** See `PassOutput`. Of each output. */
  readonly taken: readonly (TakenStreams | undefined)[];
}

/** Looks at the outputs of the last pass. Fails if one is empty. */
export async function readOutputs(
  c: PreparedRun,
  pass: Pass,
  { stopper }: RunState,
): Promise<(WrittenOutputs & { readonly ok: true }) | Failed> {
  if (pass.wroteNothing) return failed(await explainEmptyOutput(c, pass.firstOutput, stopper), pass.lastLines);
  const encrypted = pass.mayReadEncrypted ? await encryptedInput(c) : undefined;
  if (encrypted !== undefined) return failed(replaceLogicalNames(encrypted, c.plan.inputs), pass.lastLines);
  const written: MeasuredOutput[] = [];
  for (const output of pass.outputs) written.push(await measureOutput(c, output));
  const empty = pass.outputs.find(
    (output, at) => written[at]?.isEmpty === true || c.guard(() => isRemainder(output, written[at]), false),
  );
  if (empty !== undefined)
    return failed(ofOutput(c.plan, empty.index, await explainEmptyOutput(c, empty, stopper)), pass.lastLines);
  const found = warningsOf(pass, written);
  return {
    ok: true,
    outputs: written.map(({ output }) => output),
    warnings: c.guard(() => warningsOfRun(c.plan, found), found.flat()),
    inputs: pass.isForged ? [] : pass.report.inputs,
    encodedVideos: pass.outputs.map((output) => output.encodedVideos),
    taken: pass.outputs.map((output, at) => {
      const { frameData, isLoud } = written[at] ?? {};
      return output.taken && { ...output.taken, ...defined({ frameData, isLoud }) };
    }),
  };
}

/** In seconds. After a seek beyond the end, ffmpeg gives the last packets of an MPEG-TS, which contain less than this. */
const REMAINDER_SECONDS = 1;

/** True if the request starts after the end of its input, and the output is only what ffmpeg found there. */
const isRemainder = (
  { facts }: PassOutput,
  { output: { durationSeconds = REMAINDER_SECONDS } = {} }: Partial<MeasuredOutput> = {},
): boolean => durationSeconds < REMAINDER_SECONDS && facts !== undefined && startAfterEnd(facts) !== undefined;

/** Returns warnings about what the run did, but the client probably did not want: a list for each output. */
const warningsOf = (pass: Pass, measured: readonly MeasuredOutput[]): readonly (readonly Warning[])[] =>
  pass.outputs.map((output, index) => output.warningsAbout(measured[index] ?? { output: {} }));
