import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { PACKETS_FILE } from '@telecine/contract/domain/sampling.ts';
import { ranOutOfMemory } from '../log/classify.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { ReadableLog } from '../log/readable-log.ts';
import { deletedFileBytes } from '../process/deleted-files.ts';
import type { WaitForTurn } from '../process/launch.ts';
import { watchThreadCount } from '../process/process-tree.ts';
import { faultGuard } from '../rules/rule.ts';
import type { JobCgroup } from '../sandbox/cgroup/job-cgroups.ts';
import { IN_SANDBOX, writableFolders } from '../sandbox/confine.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import type { ConversionRun, PreparedRun, RunFailed } from './conversion-run.ts';
import { removeKeyFiles, writeKeyFiles } from './key-files.ts';
import type { RunState } from './run-state.ts';
import { StallWatch } from './stall.ts';
import { limitsOf } from './start-pass.ts';
import { CONVERSION_CANCELLED, conversionStalled, conversionTimedOut, Stopper, TimeLimit } from './stop.ts';

/**
 * Prepares the scratch folder, the limits and the cgroup of a conversion, and runs a part of it. Throws only if the machine fails: the scratch folder
 * is missing, or ffmpeg cannot start.
 */
export async function prepareRun<T extends { readonly ok: true }>(
  c: ConversionRun,
  runPart: (prepared: PreparedRun, parts: Omit<RunState, 'tracker'>) => Promise<T | RunFailed>,
): Promise<T | RunFailed> {
  const stopper = new Stopper(c.graceSeconds);
  const log = new ReadableLog();
  const cancel = (): void => stopper.stop(CONVERSION_CANCELLED);
  c.signal.addEventListener('abort', cancel, { once: true });
  if (c.signal.aborted) cancel();
  const limit = c.timeoutSeconds === c.policy.time ? ' (limit "time")' : '';
  const time = new TimeLimit(c.timeoutSeconds, () => stopper.stop(conversionTimedOut(c.timeoutSeconds, limit)));
  const stall = new StallWatch(c.stallSeconds, (seconds) => stopper.stop(conversionStalled(seconds)));
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
    const outcome = await runPart(run, { stopper, stall, log, time });
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
const commandsOf = ({ checks = [], transcript, search, passes }: Plan): readonly (readonly string[])[] => [
  ...checks,
  ...(transcript === undefined ? [] : [transcript.argv]),
  ...(search === undefined ? [] : [[`file:${PACKETS_FILE}`]]),
  ...passes,
];

/** Returns the folders to create. `out` already exists. */
const foldersOf = ({ outputs }: Plan, writable: readonly string[]): readonly string[] => [
  ...writable.filter((name) => name !== 'out'),
  ...outputs.flatMap(({ folders = [] }) => folders),
];
