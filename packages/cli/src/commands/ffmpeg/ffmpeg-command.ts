import { lstat } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { EXIT } from '../../exit-codes.ts';
import { exitCodeOfJob } from '../../exit-status.ts';
import { failureLines } from '../../output/job-text.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { runCommand } from '../../session/run-command.ts';
import { type ConversionOrder, localOutputs, locationsOf } from '../convert/conversion-order.ts';
import { convertFiles } from '../convert/convert-files.ts';
import { withFrames } from '../convert/input-files.ts';
import { openService } from '../convert/open-service.ts';
import type { FfmpegCall } from '../ffmpeg.ts';
import { orderOf, type RunOptions } from './command-order.ts';
import { ffmpegProgress } from './ffmpeg-progress.ts';

/** The exit code of ffmpeg after SIGINT or SIGTERM. */
const INTERRUPTED = 255;

/** Runs a command line of ffmpeg on the service, with the exit codes of ffmpeg. */
export async function ffmpegCommand({ argv, local, url }: FfmpegCall): Promise<void> {
  await runCommand({}, async (signal) => {
    const { order: read, run } = orderOf(argv);
    const flags = { wait: true, ...(local && { local }), ...(url !== undefined && { url }) };
    const sent = await withOverwriting(read, run, signal);
    await using service = await openService(flags, locationsOf(sent));
    const order = await withFrames(sent);
    const progress = ffmpegProgress(run, process);
    const options = { keep: false, isLocal: service.isLocal, progress, signal };
    const { job } = await convertFiles(service.client, order, options).finally(progress.close);
    process.exitCode = exitCodeOfJob(job);
    if (job.status !== 'COMPLETED') for (const line of failureLines(job)) console.error(line);
  });
  if (process.exitCode !== undefined && process.exitCode !== EXIT.done)
    process.exitCode = process.exitCode === EXIT.cancelled ? INTERRUPTED : EXIT.failed;
}

/** Asks whether outputs that exist are replaced, as ffmpeg does. Without a terminal to ask at, they are not. */
async function withOverwriting(
  order: ConversionOrder,
  { overwrite, mayAsk }: RunOptions,
  signal: AbortSignal,
): Promise<ConversionOrder> {
  if (overwrite === 'y') return order;
  for (const { path } of localOutputs(order)) {
    if ((await lstat(path).catch(() => undefined)) === undefined) continue;
    if (overwrite === 'n' || !mayAsk || !process.stdin.isTTY)
      throw new CommandFailed(EXIT.failed, 'FILE_EXISTS', `File '${path}' already exists. Exiting.`);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal
      .question(`File '${path}' already exists. Overwrite? [y/N] `, { signal })
      .finally(() => terminal.close());
    if (!/^y/i.test(answer)) throw new CommandFailed(EXIT.failed, 'FILE_EXISTS', 'Not overwriting - exiting');
    order = { ...order, replace: true };
  }
  return order;
}
