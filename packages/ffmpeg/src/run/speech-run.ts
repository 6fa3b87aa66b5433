import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { CAPTIONS } from '../filtergraph/speech.ts';
import { classifyFailure } from '../log/classify.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { linkMounts } from '../sandbox/work-folder.ts';
import type { PreparedRun, RunOutcome } from './conversion-run.ts';
import { findPolicyViolation } from './policy-violations.ts';
import type { RunState } from './run-state.ts';
import { endOf, reportStart, startPass } from './start-pass.ts';

/** Writes the captions that the passes read. Returns a failure if the run fails, or if the audio contains no speech. */
export async function recogniseSpeech(
  c: PreparedRun,
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
  const run = await startPass(withModel, argv, log, (block, running) => {
    // Restart the stall period at every report, because the filter may process 30 s of audio for minutes without progress.
    stall.watch(running.process.pid, 1);
    const violation = findPolicyViolation(c.policy, running.observed);
    if (violation !== undefined) stopper.stop(violation);
    if (!block.ended) c.onProgress(tracker.update(0, block, running.expected), log.text());
  });
  reportStart(c, run, stall, true);
  const end = await endOf(run, stopper, () => run.hasOutput);
  // Remove the link to the model: without a sandbox that mounts files, the passes could read the model through it.
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
