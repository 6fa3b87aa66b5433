import { extname } from 'node:path';
import { plainText } from '../../../domain/text-validation.ts';
import type { SpeechLanguage } from '../../../domain/transcription.ts';
import { isUrl } from '../../../domain/url-input.ts';
import type { DryRunView } from '../../../wire/dry-run.ts';
import { EXIT } from '../../exit-codes.ts';
import { exitStatusOf } from '../../exit-status.ts';
import { fixWords } from '../../output/fix-words.ts';
import { openProgress } from '../../output/open-progress.ts';
import { argvLines, planEstimateLines, warningText } from '../../output/plan-text.ts';
import type { ProgressForm } from '../../output/progress-display.ts';
import { showOutputs } from '../../output/show-outputs.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import type { ConvertFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { usageError } from '../../session/usage-error.ts';
import { planFiles } from './check-order.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { type ConvertResult, convertFiles, submitFiles } from './convert.ts';
import { readCut } from './cut-flags.ts';
import { type ReadEncryption, readEncryption } from './encryption.ts';
import type { FileLocation } from './file-location.ts';
import { rejectFolderOutput } from './folder-output.ts';
import { readFiles, readInputs } from './inputs.ts';
import { withJoinedInputs, withJoiningCommand } from './joined-inputs.ts';
import { isPattern, valueApart } from './local-files.ts';
import { rejectMissingOutput } from './missing-output.ts';
import { openService, type Service } from './open-service.ts';
import type { OrderedArgument, OrderedCommand } from './ordered-argv.ts';
import { rejectUnusedDuration, rejectUnusedOptions } from './unused-options.ts';

/** The flags, with what they say about files read. */
type SetFlags = ConvertFlags & { readonly encryption?: ReadEncryption };

/** Runs `telecine convert`. */
export function convertCommand(command: OrderedCommand, files: readonly string[], flags: ConvertFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const words = command.words(files);
    const encryption = await readEncryption(flags);
    const set = { ...flags, ...(encryption && { encryption }) };
    const run = set.to === undefined ? convertOne(words, set, signal) : convertEach(words, set.to, set, signal);
    await run.catch((error: unknown) => {
      throw flags.local === true ? error : withLocalHint(error);
    });
  });
}

/** Names `--local` in the fix of an error without a service, because a newcomer may have none. */
function withLocalHint(error: unknown): unknown {
  const status = exitStatusOf(error);
  if (status === undefined || !['UNREACHABLE', 'NO_CREDENTIALS'].includes(status.code)) return error;
  const { exitCode, code, message, fix = '' } = status;
  return new CommandFailed(exitCode, code, message, {
    fix: `${fix} Or convert on this machine, without a service: add --local.`.trimStart(),
    cause: error,
  });
}

async function convertOne(words: readonly OrderedArgument[], flags: SetFlags, signal: AbortSignal): Promise<void> {
  const sent = orderOf(words, flags);
  await rejectFolderOutput(words, sent);
  if (flags.dryRun !== true) await rejectMissingOutput(words, sent);
  await using service = await openService(flags, locationsOf(sent));
  await convertOrder(
    await withRoles(await withLocalFrames(await withJoinedInputs(sent)), service, signal),
    service,
    flags,
    signal,
  ).catch((error: unknown) => {
    throw withJoiningCommand(error, words);
  });
}

/** The order with the files that arguments of its recipe name. Loads the code for them only if there is a recipe. */
const withRoles = async (order: ConversionOrder, { client }: Service, signal: AbortSignal): Promise<ConversionOrder> =>
  order.preset?.arguments === undefined
    ? order
    : (await import('./role-files.ts')).withRoleFiles(order, client, signal);

/** The order with the frames of its image sequences. Loads the code for them only if a name looks like one. */
const withLocalFrames = async (order: ConversionOrder): Promise<ConversionOrder> =>
  order.inputs.some(({ location }) => location.on === 'local' && isPattern(location.path))
    ? (await import('./image-sequence.ts')).withFrames(order)
    : order;

async function convertOrder(
  order: ConversionOrder,
  service: Service,
  flags: SetFlags,
  signal: AbortSignal,
): Promise<void> {
  const { client, isLocal } = service;
  if (flags.dryRun) {
    printPlan(await planFiles(service, order, signal), flags);
    return;
  }
  await flags.encryption?.saveKey();
  const progress = await openProgress(formOf(flags));
  if (!flags.wait) {
    const jobId = await submitFiles(client, order, { progress, signal }).finally(progress.close);
    console.log(flags.json ? JSON.stringify({ jobId }) : jobId);
    return;
  }
  const options = { keep: flags.keep ?? false, isLocal, progress, signal };
  printResult(await convertFiles(client, order, options).finally(progress.close), isLocal, flags);
}

/** Converts each file on its own, for `--to`. */
async function convertEach(
  words: readonly OrderedArgument[],
  to: string,
  flags: SetFlags,
  signal: AbortSignal,
): Promise<void> {
  const { convertMany, planMany } = await import('./many/convert-many.ts');
  const { checkTasks } = await import('./many/check-tasks.ts');
  const { isServerPattern, withServerFiles } = await import('./many/server-files.ts');
  const { readTemplate } = await import('./many/read-template.ts');
  const { tasksOf } = await import('./many/tasks.ts');
  if (words.some((word) => word.kind === 'option' && word.name === 'crossfade'))
    throw usageError('CROSSFADE', '--crossfade joins pictures, and --to converts each on its own.', 'Leave out one.');
  rejectUnusedDuration(words);
  const names = words.flatMap((word) => (word.kind === 'file' ? word.text : []));
  const inputs = readInputs(words);
  const template = await readTemplate(to, flags.format, names);
  const written = tasksOf(inputs, template, commonOf(flags));
  const locations = written.flatMap(({ order }) => locationsOf(order));
  for (const { order } of written) checkLocations(order, flags);
  const hasPattern = inputs.some(({ location }) => isServerPattern(location));
  // The service has to list the files of patterns first.
  if (!hasPattern) await checkTasks(written);
  await using service = await openService(flags, locations);
  const tasks = hasPattern
    ? tasksOf(await withServerFiles(inputs, service.client, signal), template, commonOf(flags))
    : written;
  if (hasPattern) await checkTasks(tasks);
  if (flags.dryRun !== true) await flags.encryption?.saveKey();
  await (flags.dryRun
    ? planMany(tasks, { service, flags, signal })
    : convertMany(tasks, { service, flags, signal, form: formOf(flags) }));
}

/**
 * With `--json`, progress is shown only with `--progress`, because programs usually need only the result. It contains the
 * warnings.
 */
const formOf = ({ progress, quiet, json }: ConvertFlags): ProgressForm | 'silent' | undefined =>
  (quiet || json) && (progress ?? 'none') === 'none' ? 'silent' : progress;

const locationsOf = ({ inputs, output }: ConversionOrder): readonly FileLocation[] => [
  ...inputs.map(({ location }) => location),
  output,
];

const commonOf = (flags: SetFlags): Omit<ConversionOrder, 'inputs' | 'output'> => ({
  format: flags.format,
  parameters: flags.parameter ?? {},
  join: flags.join,
  cut: readCut(flags),
  // The service checks it.
  transcribe: flags.transcribe === undefined ? undefined : { language: flags.transcribe as SpeechLanguage },
  preset: presetOf(flags),
  replace: flags.y ?? false,
  strict: flags.strict ?? false,
  metadata: flags.metadata,
  expiresAfterSeconds: flags.expiresAfter,
  priority: flags.priority,
  encrypt: flags.encryption?.encrypt,
});

/** The recipe that the flags name. Throws `CommandFailed` for arguments without a recipe, and for a version that is no number. */
function presetOf({ preset, argument }: ConvertFlags): ConversionOrder['preset'] {
  if (preset === undefined) {
    if (argument === undefined) return undefined;
    throw usageError(
      'NO_PRESET',
      '--argument is for a recipe.',
      'Name the recipe: --preset NAME. See "telecine recipes".',
    );
  }
  const [name = '', version] = preset.split('@');
  if (version !== undefined && !/^[1-9]\d{0,8}$/.test(version))
    throw usageError(
      'BAD_VERSION',
      `The version "${version}" of the recipe is not a number.`,
      `Write it as --preset ${name}@1.`,
    );
  return {
    name,
    ...(version !== undefined && { version: Number(version) }),
    ...(argument !== undefined && { arguments: { ...argument } }),
  };
}

function orderOf(words: readonly OrderedArgument[], flags: SetFlags): ConversionOrder {
  if (flags.parallel !== undefined)
    throw usageError('NO_FOLDER', '--parallel is for several files.', 'Add the folder of the outputs: --to out/');
  const files = readFiles(words);
  if (files === undefined)
    throw usageError(
      'NO_OUTPUT',
      'There is only one file.',
      'Name the inputs, then the output: in.mov out.mp4. Or convert each file on its own: --to out/ -f mp4.',
    );
  const { nameBeforeOutput } = files;
  // An output that has no extension and no format would be rejected anyway.
  if (nameBeforeOutput !== undefined && flags.format === undefined && extname(files.output.path) === '')
    throw valueApart(nameBeforeOutput, files.output.path);
  rejectUnusedOptions(words);
  const order = { ...files, ...commonOf(flags) };
  checkLocations(order, flags);
  return order;
}

/** Throws `CommandFailed` for an address that is not a file, and a local output that nobody waits for. */
function checkLocations(order: ConversionOrder, flags: ConvertFlags): void {
  const { output } = order;
  if (!flags.wait && output.on === 'local')
    throw usageError('OUTPUT_HERE', '--no-wait requires a server: output.', 'Name the output server:path.');
  for (const location of locationsOf(order)) {
    const { path } = location;
    if (location.on === 'local' && /^(?:-|pipe:\d*)$/.test(path))
      throw usageError(
        'NO_PIPES',
        `${path} would be a pipe. Inputs and outputs are files.`,
        `Name a file, such as out.mp4. For a local file of that name: ./${path}`,
      );
    if (isAddress(location) || (location === output && isUrl(path)))
      throw usageError(
        'NOT_A_FILE',
        `${path} is an address. Files are local paths, or server:path for the media root of the service; an input can be an https URL.`,
        `For a local file of that name: ./${path}`,
      );
  }
}

const isAddress = ({ on, path }: FileLocation): boolean => on === 'local' && /^[a-z][a-z0-9+.-]+:\/\//i.test(path);

function printPlan(run: DryRunView, { json }: ConvertFlags): void {
  if (json) {
    console.log(JSON.stringify(run));
    return;
  }
  for (const line of argvLines(run)) console.log(line);
  for (const line of planEstimateLines(run)) console.error(line);
  for (const warning of run.warnings) console.error(warningText(warning));
}

function printResult({ job, files }: ConvertResult, isLocal: boolean, { json, quiet }: ConvertFlags): void {
  if (job.status !== 'COMPLETED') process.exitCode = job.status === 'CANCELLED' ? EXIT.cancelled : EXIT.failed;
  if (json) {
    console.log(JSON.stringify({ ...job, files }));
  } else if (job.status !== 'COMPLETED') {
    const { message, fix } = job.error ?? { message: job.message };
    console.error(plainText(`error: ${message}`));
    if (fix !== undefined) console.error(plainText(fixWords(fix)));
    if (!isLocal) console.error(`For the log of ffmpeg: telecine jobs log ${job.jobId}`);
  } else if (!quiet) {
    const names = files.length === 0 ? undefined : files.map(({ path }) => path);
    for (const line of showOutputs(job, names)) console.log(line);
  }
}
