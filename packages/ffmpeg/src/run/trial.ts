import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import { hasEdits } from '@telecine/contract/domain/edit.ts';
import type { Failure, FailureCode } from '@telecine/contract/domain/failure.ts';
import type { HintAction } from '@telecine/contract/domain/hint.ts';
import { fileInputs, type Plan } from '@telecine/contract/domain/plan.ts';
import { withTemporaryFolder } from '../process/work-root.ts';
import type { ConversionRun } from './conversion-run.ts';
import { runConversion } from './run.ts';

/** The length of each output of the short run, in seconds. */
const SHORT_SECONDS = '0.2';

/** The maximum duration of each of the two runs, in seconds. */
const RUN_SECONDS = 2;

/** The maximum size of a file that a run may write. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

export interface TrialRun
  extends Pick<
    ConversionRun,
    'plan' | 'mounts' | 'ffmpegPath' | 'ffprobePath' | 'sandbox' | 'cgroups' | 'policy' | 'signal' | 'onFault'
  > {
  /** The path of a private folder, absolute. */
  readonly workRoot: string;
  /** Starts to watch the size of the files that a run writes into its scratch folder. */
  readonly watch: (dir: string) => WatchedRun;
}

interface WatchedRun {
  /** Aborted if the run has written too much. */
  readonly signal: AbortSignal;
  /** See `ConversionRun.onCountable`. */
  countDeletedFiles(deletedBytes: () => Promise<number>): void;
  end(): void;
}

/**
 * True if a trial would run the command of the job. False if the plan depends on the inputs, because the job then plans again; if inputs
 * are on other machines; and if the command uses a device, which a trial must not take from jobs.
 */
export const isTriable = (plan: Plan): boolean =>
  [plan.join, plan.cut, plan.transcript].every((one) => one === undefined) &&
  plan.analysis === undefined &&
  plan.measuring === undefined &&
  plan.search === undefined &&
  plan.devices === undefined &&
  fileInputs(plan.inputs).every(
    ({ url, sequence, path }) => url === undefined && sequence === undefined && !isBucketPath(path),
  );

/**
 * Runs the command of a plan for a moment. Returns the failure that the job would have. undefined: the job may succeed. Throws if the
 * machine fails, and throws the abort reason if aborted.
 */
export async function tryConversion(t: TrialRun): Promise<Failure | undefined> {
  // Run without ffprobe, so that the trial of a valid command ends sooner.
  const { ffprobePath: _, ...unmeasured } = t;
  const short = await failureOf({ ...unmeasured, plan: shortened(t.plan) });
  // A short output may fail only because it lacks streams of the whole output. So only a failure of the whole command counts.
  return short === undefined ? undefined : failureOf(t);
}

/** Returns the plan with very short outputs. */
function shortened(plan: Plan): Plan {
  const outputs = new Set(plan.outputs.map(({ logical }) => logical));
  const passes = plan.passes.map((argv) =>
    argv.flatMap((word, at) => (outputs.has(word) || at === argv.length - 1 ? ['-t', SHORT_SECONDS, word] : [word])),
  );
  return { ...plan, passes };
}

async function failureOf(t: TrialRun): Promise<Failure | undefined> {
  const { policy, signal } = t;
  signal.throwIfAborted();
  const outcome = await withTemporaryFolder(t.workRoot, async (dir) => {
    await Promise.all(['in', 'out', 'pass'].map((folder) => mkdir(join(dir, folder))));
    const watched = t.watch(dir);
    return runConversion({
      ...t,
      dir,
      signal: AbortSignal.any([signal, watched.signal]),
      onCountable: watched.countDeletedFiles,
      policy: { ...policy, output: Math.min(policy.output ?? MAX_FILE_BYTES, MAX_FILE_BYTES) },
      timeoutSeconds: RUN_SECONDS,
      stallSeconds: RUN_SECONDS,
      graceSeconds: 0,
      onProgress: () => undefined,
    }).finally(watched.end);
  });
  signal.throwIfAborted();
  return outcome.ok || !isOfRequest(outcome.failure) ? undefined : outcome.failure;
}

const OF_REQUEST: ReadonlySet<FailureCode> = new Set(['FFMPEG_FAILED', 'UNSUPPORTED', 'INPUT_INVALID']);

/** True if the request or its inputs caused a failure, so that neither the operator nor a retry can help. */
const isOfRequest = ({ code, fix = '' }: Failure): boolean =>
  OF_REQUEST.has(code) &&
  (typeof fix === 'string' ||
    hasEdits(fix) ||
    !fix.some((part) => typeof part !== 'string' && OF_MACHINE.has(part.do)));

/** Actions of a fix that are about the machine and do not change the request. */
const OF_MACHINE: ReadonlySet<HintAction['do']> = new Set(['ask-operator', 'retry-job']);
