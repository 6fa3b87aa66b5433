import { plainText } from '../../../../domain/text-validation.ts';
import type { DryRunView } from '../../../../wire/dry-run.ts';
import type { BatchDisplay } from '../../../output/batch-display.ts';
import { errorView, explain } from '../../../output/explain.ts';
import { openBatchDisplay } from '../../../output/open-batch-display.ts';
import { argvLines, planEstimateLines, warningText } from '../../../output/plan-text.ts';
import type { ProgressForm } from '../../../output/progress-display.ts';
import { showOutputs } from '../../../output/show-outputs.ts';
import type { ConvertFlags } from '../../../session/flags.ts';
import { PATIENCE, patientClient } from '../../../session/patient-client.ts';
import { planFiles } from '../check-order.ts';
import { CLEANING_UP, type ConvertResult, convertFiles, submitFiles } from '../convert.ts';
import { removeOldUploads } from '../old-uploads.ts';
import type { Service } from '../open-service.ts';
import { checkServerOutputs } from './check-tasks.ts';
import { namesText } from './names-text.ts';
import { runTasks } from './run-tasks.ts';
import { exitCodeOf, failureOf, groupFailures, type TaskResult, wasStopped } from './task-result.ts';
import type { ConversionTask } from './tasks.ts';

interface ManyOptions {
  readonly service: Service;
  readonly form: ProgressForm | 'silent' | undefined;
  readonly flags: ConvertFlags;
  readonly signal: AbortSignal;
}

/** What a conversion has to show. */
type TaskValue = ConvertResult | { readonly jobId: string };

/**
 * Runs the conversions of a command with `--to`, whose files were checked. Prints what becomes of each, and a summary. Sets
 * the exit code.
 */
export async function convertMany(tasks: readonly ConversionTask[], options: ManyOptions): Promise<void> {
  const { form, flags, signal } = options;
  const { isLocal } = options.service;
  const service = patientClient(options.service.client);
  const [first] = tasks;
  // What is wrong with the options is wrong for all files, and said once, before anything is uploaded.
  if (first !== undefined) await planFiles({ client: service }, first.order, signal);
  await checkServerOutputs(tasks, service, signal);
  const slots = await options.service.slots(signal);
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
  if (flags.json !== true) for (const line of summary(results, display, flags)) console.error(line);
}

/** Prints the plans of all conversions. Throws what `planFiles` throws. */
export async function planMany(
  tasks: readonly ConversionTask[],
  { service, flags, signal }: Omit<ManyOptions, 'form'>,
): Promise<void> {
  const patient = { ...service, client: patientClient(service.client) };
  for (const { file, order } of tasks) printPlan(file, await planFiles(patient, order, signal), flags);
}

function printPlan(file: string, run: DryRunView, { json }: ConvertFlags): void {
  if (json) {
    console.log(JSON.stringify({ file, ...run }));
    return;
  }
  for (const line of argvLines(run)) console.log(line);
  for (const line of planEstimateLines(run)) console.error(plainText(`${file}: ${line}`));
  for (const warning of run.warnings) console.error(plainText(`${file}: ${warningText(warning)}`));
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

/** What became of all conversions, for people. */
function summary(
  results: readonly TaskResult<TaskValue>[],
  display: Pick<BatchDisplay, 'repeated'>,
  { quiet, wait }: ConvertFlags,
): readonly string[] {
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
  const repeated = display.repeated();
  const counts = [
    `${done} of ${results.length} files ${done === 1 ? 'is' : 'are'} ${wait ? 'converted' : 'submitted'}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stopped > 0 ? [`${stopped} not finished`] : []),
  ];
  return [
    ...errors,
    ...(repeated > 0 && !quiet
      ? [repeated === 1 ? '1 repeated warning is not shown.' : `${repeated} repeated warnings are not shown.`]
      : []),
    ...(quiet && failed + stopped === 0 ? [] : [`${counts.join(', ')}.`]),
  ];
}
