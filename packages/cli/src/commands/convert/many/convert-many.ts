import type { NodeClient } from '@telecine/client/node/node-client.ts';
import type { RetryBudget } from '@telecine/client/options.ts';
import { withRetry } from '@telecine/client/retry.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { errorView, explain } from '../../../output/explain.ts';
import { showOutputs } from '../../../output/job-text.ts';
import { openBatchDisplay } from '../../../output/open-display.ts';
import { usageError } from '../../../session/command-failed.ts';
import { isOption, type OrderedArgument } from '../../../session/ordered-command.ts';
import { checkLocations, planFiles, printPlan } from '../check-order.ts';
import { removeOldUploads } from '../cleanup.ts';
import { rejectUnusedDuration } from '../command-mistakes.ts';
import { locationsOf } from '../conversion-order.ts';
import { CLEANING_UP, type ConvertResult, convertFiles, submitFiles } from '../convert-files.ts';
import { readInputs } from '../inputs.ts';
import { openService, type Service } from '../open-service.ts';
import { type ConvertCall, type ConvertFlags, commonOf, formOf } from '../order-flags.ts';
import { checkServerOutputs, checkTasks, namesText } from './check-tasks.ts';
import { type ConversionTask, readTemplate, tasksOf } from './output-template.ts';
import { isServerPattern, withServerFiles } from './server-files.ts';
import { exitCodeOf, failureOf, groupFailures, runTasks, type TaskResult, wasStopped } from './task-results.ts';

type TaskValue = ConvertResult | { readonly jobId: string };

/** Converts each file separately, for `--to`. */
export async function convertEach(words: readonly OrderedArgument[], to: string, call: ConvertCall): Promise<void> {
  const { flags, encryption, signal } = call;
  if (words.some((word) => isOption(word, 'crossfade')))
    throw usageError(
      'CROSSFADE',
      '--crossfade joins images, and --to converts each on its own.',
      'Leave out one of them.',
    );
  rejectUnusedDuration(words);
  const inputs = readInputs(words);
  const template = await readTemplate(to, flags.format);
  const common = commonOf(flags, encryption);
  const written = tasksOf(inputs, template, common);
  for (const { order } of written) checkLocations(order, flags);
  const hasPattern = inputs.some(({ location }) => isServerPattern(location));
  // Check patterns later, when the service has listed their files.
  if (!hasPattern) await checkTasks(written);
  const locations = written.flatMap(({ order }) => locationsOf(order));
  await using service = await openService(flags, locations);
  const tasks = hasPattern ? tasksOf(await withServerFiles(inputs, service.client, signal), template, common) : written;
  if (hasPattern) await checkTasks(tasks);
  if (flags.dryRun !== true) {
    await encryption?.saveKey();
    await convertMany(tasks, service, call);
    return;
  }
  const patient = { ...service, client: patientClient(service.client) };
  for (const { file, order } of tasks) printPlan(await planFiles(patient, order, signal), flags, file);
}

/** Runs conversions whose files are already checked. Prints each result and a summary, and sets the exit code. */
async function convertMany(
  tasks: readonly ConversionTask[],
  { client, slots: slotsOf, isLocal }: Service,
  { flags, signal }: ConvertCall,
): Promise<void> {
  const form = formOf(flags);
  const service = patientClient(client);
  const [first] = tasks;
  // All files share the options. Report errors in them once, before an upload.
  if (first !== undefined) await planFiles({ client: service }, first.order, signal);
  await checkServerOutputs(tasks, service, signal);
  const slots = await slotsOf(signal);
  const display = await openBatchDisplay(form, tasks.length);
  const cleaning = (): void => {
    if (form === 'json') console.error(JSON.stringify({ event: 'message', message: CLEANING_UP }));
    else if (form !== 'silent') display.print(() => console.error(CLEANING_UP));
  };
  signal.addEventListener('abort', cleaning, { once: true });
  const convert = async (task: ConversionTask, progress: Parameters<Parameters<typeof runTasks>[1]>[1]) => {
    const common = { isOneOfMany: true, retries: PATIENCE, progress, signal };
    if (!flags.wait) return { value: { jobId: await submitFiles(service, task.order, common) } };
    const value = await convertFiles(service, task.order, { ...common, keep: flags.keep ?? false, isLocal });
    return { value, failure: failureOf(value.job, isLocal) };
  };
  const results = await runTasks<TaskValue>(tasks, convert, {
    slots,
    display,
    signal,
    onResult: (result) => display.print(() => printResult(result, flags)),
  }).finally(() => {
    signal.removeEventListener('abort', cleaning);
    display.close();
  });
  if (!signal.aborted) await removeOldUploads(service);
  process.exitCode = exitCodeOf(results);
  if (flags.json !== true) for (const line of summary(results, flags)) console.error(line);
}

function printResult({ file, value, failure }: TaskResult<TaskValue>, { json, quiet, progress }: ConvertFlags): void {
  if (json) {
    const fields = value === undefined ? {} : 'job' in value ? { ...value.job, files: value.files } : value;
    console.log(
      JSON.stringify({ file, ...fields, ...(failure !== undefined && value === undefined && errorView(failure)) }),
    );
    return;
  }
  if (quiet) return;
  if (failure !== undefined) {
    if (failure.code !== 'NOT_STARTED' && progress !== 'json') console.error(plainText(`${file}: ${failure.code}`));
  } else if (value !== undefined && 'job' in value) {
    const names = value.files.length === 0 ? undefined : value.files.map(({ path }) => path);
    for (const line of showOutputs(value.job, names)) console.log(line);
  } else if (value !== undefined) console.log(value.jobId);
}

function summary(results: readonly TaskResult<TaskValue>[], { quiet, wait }: ConvertFlags): readonly string[] {
  const groups = groupFailures(results);
  const failed = groups.reduce((sum, { files }) => sum + files.length, 0);
  const stopped = results.filter(wasStopped).length;
  const done = results.length - failed - stopped;
  const errors = groups.flatMap(({ files, failure }) => {
    const [first = '', ...rest] = explain(failure);
    return [
      plainText(first.replace(/^error: /, () => `error: ${namesText(files)}: `)),
      ...rest.map((line) => `  ${line}`),
    ];
  });
  const counts = [
    `${done} of ${results.length} files ${done === 1 ? 'is' : 'are'} ${wait ? 'converted' : 'submitted'}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stopped > 0 ? [`${stopped} not finished`] : []),
  ];
  return [...errors, ...(quiet && failed + stopped === 0 ? [] : [`${counts.join(', ')}.`])];
}

/** How long a call retries. A busy service limits requests per minute, so a long wait helps; an unreachable service fails soon. */
const PATIENCE: RetryBudget = { busySeconds: 3600, unreachableSeconds: 3 };

/** Returns a client whose dry runs and uploads wait while the service is busy. */
function patientClient(client: NodeClient): NodeClient {
  const untilAccepted = <T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    withRetry({ isRepeatable: false, budget: PATIENCE, signal }, call);
  return {
    ...client,
    dryRun: (request, options = {}) => untilAccepted(() => client.dryRun(request, options), options.signal),
    uploadFile: (file, path, options = {}) =>
      untilAccepted(() => client.uploadFile(file, path, options), options.signal),
  };
}
