import { extname } from 'node:path';
import { plainText } from '../../../domain/text-validation.ts';
import { isUrl } from '../../../domain/url-input.ts';
import type { DryRunView } from '../../../wire/dry-run.ts';
import { EXIT } from '../../exit-codes.ts';
import { fixWords } from '../../output/fix-words.ts';
import { openProgress } from '../../output/open-progress.ts';
import { warningText } from '../../output/plan-text.ts';
import type { ProgressForm } from '../../output/progress-display.ts';
import { shellWord } from '../../output/shell-word.ts';
import { showOutputs } from '../../output/show-outputs.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import { connect } from '../../session/credentials.ts';
import type { ConvertFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { planFiles } from './check-order.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { type ConvertResult, convertFiles, submitFiles } from './convert.ts';
import type { FileLocation } from './file-location.ts';
import { readFiles } from './inputs.ts';
import { valueApart } from './local-files.ts';
import type { OrderedCommand } from './ordered-argv.ts';

/** Runs `telecine convert`. */
export function convertCommand(command: OrderedCommand, files: readonly string[], flags: ConvertFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const order = orderOf(command, files, flags);
    const client = connect(flags.url);
    if (flags.dryRun) {
      printPlan(await planFiles(client, order, signal), flags);
      return;
    }
    const progress = await openProgress(formOf(flags));
    if (!flags.wait) {
      const jobId = await submitFiles(client, order, { progress, signal }).finally(progress.close);
      console.log(flags.json ? JSON.stringify({ jobId }) : jobId);
      return;
    }
    const options = { keep: flags.keep ?? false, progress, signal };
    printResult(await convertFiles(client, order, options).finally(progress.close), flags);
  });
}

/**
 * With `--json`, progress is shown only with `--progress`, because programs usually need only the result. It contains the
 * warnings.
 */
const formOf = ({ progress, quiet, json }: ConvertFlags): ProgressForm | 'silent' | undefined =>
  (quiet || json) && (progress ?? 'none') === 'none' ? 'silent' : progress;

function orderOf(command: OrderedCommand, fileArguments: readonly string[], flags: ConvertFlags): ConversionOrder {
  const files = readFiles(command.words(fileArguments));
  if (files === undefined)
    throw usageError('NO_OUTPUT', 'There is only one file.', 'Name the inputs, then the output: in.mov out.mp4.');
  const { nameBeforeOutput } = files;
  // An output that has no extension and no format would be rejected anyway.
  if (nameBeforeOutput !== undefined && flags.format === undefined && extname(files.output.path) === '')
    throw valueApart(nameBeforeOutput, files.output.path);
  if (!flags.wait && files.output.on === 'here')
    throw usageError('OUTPUT_HERE', '--no-wait requires a server: output.', 'Name the output server:path.');
  for (const place of [...files.inputs.map((input) => input.place), files.output]) {
    const { path } = place;
    if (isAddress(place) || (place === files.output && isUrl(path)))
      throw usageError(
        'NOT_A_FILE',
        `${path} is an address. Files are local paths, or server:path for the media root of the service; an input can be an https URL.`,
        `For a local file of that name: ./${path}`,
      );
  }
  return {
    ...files,
    format: flags.format,
    parameters: flags.parameter ?? {},
    replace: flags.y ?? false,
    strict: flags.strict ?? false,
    metadata: flags.metadata,
    expiresAfterSeconds: flags.expiresAfter,
    priority: flags.priority,
  };
}

const isAddress = ({ on, path }: FileLocation): boolean => on === 'here' && /^[a-z][a-z0-9+.-]+:\/\//i.test(path);

const usageError = (code: string, message: string, fix: string): CommandFailed =>
  new CommandFailed(EXIT.refused, code, message, { fix });

function printPlan(run: DryRunView, { json }: ConvertFlags): void {
  if (json) {
    console.log(JSON.stringify(run));
    return;
  }
  for (const argv of run.argv) console.log(plainText(argv.map(shellWord).join(' ')));
  for (const warning of run.warnings) console.error(warningText(warning));
}

function printResult({ job, files }: ConvertResult, { json, quiet }: ConvertFlags): void {
  if (job.status !== 'COMPLETED') process.exitCode = job.status === 'CANCELLED' ? EXIT.cancelled : EXIT.failed;
  if (json) {
    console.log(JSON.stringify({ ...job, files }));
  } else if (job.status !== 'COMPLETED') {
    const { message, fix } = job.error ?? { message: job.message };
    console.error(plainText(`error: ${message}`));
    if (fix !== undefined) console.error(plainText(fixWords(fix)));
    console.error(`For the log of ffmpeg: telecine jobs log ${job.jobId}`);
  } else if (!quiet) {
    const names = files.length === 0 ? undefined : files.map(({ path }) => path);
    for (const line of showOutputs(job.outputs ?? [], names)) console.log(line);
  }
}
