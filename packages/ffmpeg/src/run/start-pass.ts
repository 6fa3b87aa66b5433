import type { ProgressBlock } from '../log/progress-reader.ts';
import type { ReadableLog } from '../log/readable-log.ts';
import type { Command, ProcessEnd } from '../process/launch.ts';
import { confineCommand } from '../sandbox/confine.ts';
import { CORES, type KernelLimits, kernelLimits } from '../sandbox/limits.ts';
import { type PinnedFiles, withPinnedFiles } from '../sandbox/pinned-files.ts';
import type { ConversionRun, PreparedRun } from './conversion-run.ts';
import { Pass } from './pass.ts';
import type { StallWatch } from './stall.ts';
import type { Stopper } from './stop.ts';

/** timeout(1) kills ffmpeg this many seconds after the timeout of the job: see `LAST_RESORT_SECONDS`. */
const LAST_RESORT_OF_JOB_SECONDS = 30;

export const limitsOf = (c: ConversionRun): KernelLimits => kernelLimits(c.policy, c.timeoutSeconds, CORES);

/** Starts the ffmpeg process of one pass. */
export async function startPass(
  c: PreparedRun,
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
    // Pass the device only to commands that open it. Checks of files, and runs that only read an input, do not.
    ...(c.device && argv.includes('-init_hw_device') && { device: c.device }),
    lastResortSeconds: Math.ceil(c.timeoutSeconds) + LAST_RESORT_OF_JOB_SECONDS,
  });

/** Waits for the end of a pass. Until then, `stopper` can stop the pass. */
export async function endOf(pass: Pass, stopper: Stopper, hasOutput: () => boolean = () => false): Promise<ProcessEnd> {
  stopper.watch(pass.process, hasOutput);
  return pass.process.ended.finally(() => stopper.release());
}

/** Calls the listeners when ffmpeg starts, after `waitForTurn`. */
export function reportStart(c: PreparedRun, pass: Pass, stall: StallWatch, isFirst: boolean): void {
  void pass.process.started.then(() => {
    stall.watch(pass.process.pid, c.plan.outputs.length);
    c.guard(() => {
      if (isFirst) c.onStart?.();
      c.onPass?.();
    }, undefined);
  });
}
