import { exitCodeOfJob, exitStatusOf } from '../../exit-status.ts';
import { failureLines, showOutputs } from '../../output/job-text.ts';
import { openProgress } from '../../output/open-display.ts';
import { CommandFailed, usageError } from '../../session/command-failed.ts';
import type { OrderedArgument } from '../../session/ordered-command.ts';
import { runCommand } from '../../session/run-command.ts';
import { checkLocations, planFiles, printPlan } from './check-order.ts';
import { rejectFolderOutput, rejectUnusedOptions } from './command-mistakes.ts';
import { type ConversionOrder, locationsOf } from './conversion-order.ts';
import { type ConvertResult, convertFiles, submitFiles } from './convert-files.ts';
import { withFrames, withRoleFiles } from './input-files.ts';
import { readFiles } from './inputs.ts';
import { openService, type Service } from './open-service.ts';
import { type ConvertCall, type ConvertFlags, commonOf, formOf, readEncryption } from './order-flags.ts';

export function convertCommand(words: readonly OrderedArgument[], flags: ConvertFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const call = { flags, encryption: await readEncryption(flags), signal };
    const { to } = flags;
    const run =
      to === undefined
        ? convertOne(words, call)
        : import('./many/convert-many.ts').then(({ convertEach }) => convertEach(words, to, call));
    await run.catch((error: unknown) => {
      throw flags.local === true ? error : withLocalHint(error);
    });
  });
}

/** Adds `--local` to the fix of an error about a missing service. A new user may have no service. */
function withLocalHint(error: unknown): unknown {
  const status = exitStatusOf(error);
  if (status === undefined || !['UNREACHABLE', 'NO_CREDENTIALS'].includes(status.code)) return error;
  const { exitCode, code, message, fix = '' } = status;
  return new CommandFailed(exitCode, code, message, {
    fix: `${fix} Or convert on this machine, without a service: add --local.`.trimStart(),
    cause: error,
  });
}

async function convertOne(words: readonly OrderedArgument[], call: ConvertCall): Promise<void> {
  const { flags, signal } = call;
  const sent = orderOf(words, call);
  await rejectFolderOutput(sent);
  await using service = await openService(flags, locationsOf(sent));
  const order = await withRoleFiles(await withFrames(sent), service.client, signal);
  await convertOrder(order, service, call);
}

async function convertOrder(
  order: ConversionOrder,
  service: Service,
  { flags, encryption, signal }: ConvertCall,
): Promise<void> {
  const { client, isLocal } = service;
  if (flags.dryRun) {
    printPlan(await planFiles(service, order, signal), flags);
    return;
  }
  await encryption?.saveKey();
  const progress = await openProgress(formOf(flags));
  if (!flags.wait) {
    const jobId = await submitFiles(client, order, { progress, signal }).finally(progress.close);
    console.log(flags.json ? JSON.stringify({ jobId }) : jobId);
    return;
  }
  const options = { keep: flags.keep ?? false, isLocal, progress, signal };
  printResult(await convertFiles(client, order, options).finally(progress.close), isLocal, flags);
}

function orderOf(words: readonly OrderedArgument[], { flags, encryption }: ConvertCall): ConversionOrder {
  if (flags.parallel !== undefined)
    throw usageError('NO_FOLDER', '--parallel is for several files.', 'Add the folder of the outputs: --to out/');
  const files = readFiles(words);
  if (files === undefined)
    throw usageError(
      'NO_OUTPUT',
      'There is only one file.',
      'Name the inputs, then the output: in.mov out.mp4. Or convert each file on its own: --to out/ -f mp4.',
    );
  rejectUnusedOptions(words);
  const order = { ...files, ...commonOf(flags, encryption) };
  checkLocations(order, flags);
  return order;
}

function printResult({ job, files }: ConvertResult, isLocal: boolean, { json, quiet }: ConvertFlags): void {
  process.exitCode = exitCodeOfJob(job);
  if (json) {
    console.log(JSON.stringify({ ...job, files }));
  } else if (job.status !== 'COMPLETED') {
    for (const line of failureLines(job)) console.error(line);
    if (!isLocal) console.error(`For the log of ffmpeg: telecine jobs log ${job.jobId}`);
  } else if (!quiet) {
    const names = files.length === 0 ? undefined : files.map(({ path }) => path);
    for (const line of showOutputs(job, names)) console.log(line);
  }
}
