import type { AnalysisRequest, MeasuredList } from '@telecine/client/api.ts';
import type { NodeClient } from '@telecine/client/node/node-client.ts';
import { FIRST_LISTED, MEASUREMENTS, type Measurement, type Measurements } from '@telecine/contract/domain/analysis.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import {
  MEASURED_LISTS,
  type MeasuredEntry,
  measuredList,
  withEntries,
} from '@telecine/contract/domain/measured-lists.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import { writeOffset } from '@telecine/contract/wire/paging.ts';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { exitCodeOfJob } from '../exit-status.ts';
import { failureLines, warningText } from '../output/job-text.ts';
import { showMeasurements } from '../output/measurements-text.ts';
import { addServiceOptions, timeIn, wholeNumberIn } from '../session/command-options.ts';
import { connect } from '../session/credentials.ts';
import { pagesOf } from '../session/pages.ts';
import { runCommand } from '../session/run-command.ts';
import type { ServiceFlags } from '../session/service-verbs.ts';
import { CLEANING_UP } from './convert/convert-files.ts';
import { withUploadedFiles } from './uploaded-files.ts';

interface AnalyzeFlags extends ServiceFlags {
  readonly reference?: string;
  /** In seconds. */
  readonly ss?: string;
  readonly t?: string;
  /** The number of the audio stream to measure, from 0. */
  readonly audio?: number;
  readonly all?: true;
  readonly set?: Settings;
}

const HELP = `
A file is a local path, which is uploaded, or server:path for a file in the media root of the service.

  telecine analyze in.mp4 loudness silence
  telecine analyze in.mp4 errors        what is damaged, and where
  telecine analyze in.mp4 silence --set silence.noiseDb=-50 --set silence.minSeconds=1
  telecine analyze in.mp4 crop --ss 60 --t 30
  telecine analyze out.mp4 ssim psnr --reference in.mov`;

export function declare(analyze: Command): void {
  analyze
    .argument('<file>', 'the file to measure')
    .addArgument(new Argument('<measure...>', 'what to measure').choices(MEASUREMENTS))
    .option('--reference <file>', 'the original, for psnr, ssim, xpsnr and vmaf')
    .option('--ss <seconds>', 'where to start')
    .option('--t <seconds>', 'how long to measure')
    .option('--audio <number>', 'which audio stream to measure, from 0; default: the first', wholeNumberIn(0, 999))
    .option('--set <measure.name=number>', 'a setting of a measurement, repeatable', addSetting)
    .option('--all', 'print all entries of lists, not only the first ten')
    // At most 24 days, because the longest timer of Node is 24.8 days.
    .option('--timeout <time>', 'cancel the measurement after this time: 90, 15m, 2h', timeIn('1', '24d'))
    .addHelpText('after', HELP)
    .action(analyzeCommand);
  addServiceOptions(analyze);
}

/** The settings of each measurement: `{silence: {noiseDb: -50}}`. The service checks them. */
type Settings = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Adds a setting such as `silence.noiseDb=-50`. If a name is repeated, the last value applies. Throws an error that commander prints. */
export function addSetting(text: string, before: Settings = {}): Settings {
  const [, measurement = '', name = '', number = ''] = /^([a-z]+)\.([A-Za-z]+)=(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (number === '')
    throw new InvalidArgumentError('Write it as measurement.name=number, such as silence.noiseDb=-50.');
  return { ...before, [measurement]: { ...before[measurement], [name]: Number(number) } };
}

function analyzeCommand(file: string, measure: readonly Measurement[], flags: AnalyzeFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const files = [file, ...[flags.reference ?? []].flat()];
    const job = await analyzeFiles(connect(flags.url), files, (paths) => requestOf(measure, flags, paths), signal);
    process.exitCode = exitCodeOfJob(job);
    if (flags.json) {
      console.log(JSON.stringify(job));
      return;
    }
    for (const warning of job.warnings ?? []) console.error(warningText(warning));
    if (job.status === 'COMPLETED') {
      const shown = { settings: job.analysis?.settings, ...(flags.all && { most: Number.POSITIVE_INFINITY }) };
      for (const line of showMeasurements(job.measurements ?? {}, shown)) console.log(line);
    } else for (const line of failureLines(job)) console.error(line);
  });
}

/** Measures files, and waits until the job ends. */
const analyzeFiles = (
  client: NodeClient,
  files: readonly string[],
  requestFor: (paths: readonly string[]) => AnalysisRequest,
  signal: AbortSignal,
): Promise<JobView> =>
  withUploadedFiles(
    client,
    files,
    signal,
    async (uploaded) => {
      const request = requestFor(uploaded.paths);
      const idempotencyKey = crypto.randomUUID();
      const submit = async (until: AbortSignal): Promise<string> =>
        (await client.analyze(request, { idempotencyKey, signal: until })).jobId;
      const jobId = await submit(signal).catch((error: unknown) => {
        // The reply may have been lost after the service created the job. A second call with the same key returns this job.
        if (signal.aborted) uploaded.job = submit;
        throw error;
      });
      uploaded.job = async () => jobId;
      return uploaded.names.job(await withAllEntries(client, await client.wait(jobId, { signal }), signal));
    },
    {
      inputs: files.length,
      onCleanUp: () => {
        if (signal.aborted) console.error(CLEANING_UP);
      },
    },
  );

/** Adds all entries of the measurements to a job. The job record has only the first entries. */
async function withAllEntries(client: NodeClient, job: JobView, signal: AbortSignal): Promise<JobView> {
  const { jobId, measurements } = job;
  if (measurements === undefined) return job;
  const first = measurements as Measurements;
  const complete = new Map<MeasuredList['list'], readonly MeasuredEntry[]>();
  for (const list of MEASURED_LISTS) {
    const { count, entries } = measuredList(first, list) ?? { count: 0, entries: [] };
    if (entries.length < FIRST_LISTED || entries.length >= count) continue;
    const all: MeasuredEntry[] = [...entries];
    const read = (cursor: string | undefined) => client.measured(jobId, list, { cursor, signal });
    for await (const page of pagesOf(read, writeOffset(all.length))) all.push(...page.entries);
    complete.set(list, all);
  }
  // Both types differ only in `readonly`, and nobody modifies the result.
  return { ...job, measurements: withEntries(first, complete) as NonNullable<JobView['measurements']> };
}

/** Builds the request from the options of the command. The service checks the settings. */
const requestOf = (
  measure: readonly Measurement[],
  { set, audio, ss, t }: AnalyzeFlags,
  [input = '', reference]: readonly string[],
): AnalysisRequest =>
  definedMembers<AnalysisRequest>({
    input,
    measure: [...measure],
    settings: set as AnalysisRequest['settings'],
    ...{ reference, audio, ss, t },
  });
