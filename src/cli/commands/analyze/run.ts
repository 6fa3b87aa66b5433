import type { AnalysisRequest, MeasuredList } from '../../../client/api.ts';
import type { NodeClient } from '../../../client/node/node-client.ts';
import { randomKey } from '../../../client/client.ts';
import { FIRST_LISTED, type Measurements } from '../../../domain/analysis.ts';
import { MEASURED_LISTS, type MeasuredEntry, measuredList, withEntries } from '../../../domain/measured-lists.ts';
import { plainText } from '../../../domain/text-validation.ts';
import type { JobView } from '../../../wire/job.ts';
import { writeOffset } from '../../../wire/paging.ts';
import { EXIT } from '../../exit-codes.ts';
import { fixWords } from '../../output/fix-words.ts';
import { warningText } from '../../output/plan-text.ts';
import { connect } from '../../session/credentials.ts';
import type { AnalyzeFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { callerNames } from '../convert/caller-names.ts';
import { cleanUp, type ServerLeftovers } from '../convert/cleanup.ts';
import { CLEANING_UP } from '../convert/convert.ts';
import { fileLocation } from '../convert/file-location.ts';
import { requireFile } from '../convert/local-files.ts';
import { newUploadFolder, uploadName } from '../convert/output-names.ts';
import { showMeasurements } from './show-measurements.ts';

/** Runs `telecine analyze`. */
export function analyzeCommand(file: string, flags: AnalyzeFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const job = await analyzeFiles(connect(flags.url), [file, ...[flags.reference ?? []].flat()], flags, signal);
    if (job.status !== 'COMPLETED') process.exitCode = job.status === 'CANCELLED' ? EXIT.cancelled : EXIT.failed;
    if (flags.json) {
      console.log(JSON.stringify(job));
      return;
    }
    for (const warning of job.warnings ?? []) console.error(warningText(warning));
    if (job.status === 'COMPLETED') {
      const shown = { settings: job.analysis?.settings, ...(flags.all && { most: Number.POSITIVE_INFINITY }) };
      for (const line of showMeasurements(job.measurements ?? {}, shown)) console.log(line);
      return;
    }
    const { message, fix } = job.error ?? { message: job.message };
    console.error(plainText(`error: ${message}`));
    if (fix !== undefined) console.error(plainText(fixWords(fix)));
  });
}

/**
 * Measures a file, and waits for the end of the job. Local files are uploaded, and removed in the end.
 *
 * @param files The file, and the reference if there is one.
 */
async function analyzeFiles(
  client: NodeClient,
  files: readonly string[],
  flags: AnalyzeFlags,
  signal: AbortSignal,
): Promise<JobView> {
  const folder = newUploadFolder();
  const located = files.map((file, index) => {
    const { on, path } = fileLocation(file);
    const isLocal = on === 'local';
    return { file, index, from: path, path: isLocal ? `${folder}/${uploadName(index, path)}` : path, isLocal };
  });
  const uploads = located.filter(({ isLocal }) => isLocal);
  for (const { from } of uploads) await requireFile(from);
  const names = callerNames({ folder, uploads, inputs: files.length });
  const request = requestOf(flags, located[0]?.path ?? '', located[1]?.path);
  const idempotencyKey = randomKey();
  let leftovers: ServerLeftovers = {
    folder: uploads.length > 0 ? folder : undefined,
    files: uploads.map(({ path }) => path),
  };
  try {
    for (const { from, path } of uploads) await client.uploadFile(from, path, { signal });
    const submit = async (until: AbortSignal): Promise<string> =>
      (await client.analyze(request, { idempotencyKey, signal: until })).jobId;
    const jobId = await submit(signal).catch((error: unknown) => {
      // If the reply was lost, the same key returns the job that it may have created.
      if (signal.aborted) leftovers = { ...leftovers, job: submit };
      throw error;
    });
    leftovers = { ...leftovers, job: async () => jobId };
    return names.job(await withAllEntries(client, await client.wait(jobId, { signal }), signal));
  } catch (error) {
    throw names.error(error);
  } finally {
    if (signal.aborted) console.error(CLEANING_UP);
    for (const failure of await cleanUp(client, leftovers)) console.error(failure);
  }
}

/** A job with all entries of what it measured. Its record has the first ones. */
async function withAllEntries(client: NodeClient, job: JobView, signal: AbortSignal): Promise<JobView> {
  const { jobId, measurements } = job;
  if (measurements === undefined) return job;
  const first = measurements as Measurements;
  const complete = new Map<MeasuredList['list'], readonly MeasuredEntry[]>();
  for (const list of MEASURED_LISTS) {
    const { count, entries } = measuredList(first, list) ?? { count: 0, entries: [] };
    if (entries.length < FIRST_LISTED || entries.length >= count) continue;
    const all: MeasuredEntry[] = [...entries];
    for (let next: string | undefined = writeOffset(all.length); next !== undefined; ) {
      const page: MeasuredList = await client.measured(jobId, list, { cursor: next, signal });
      all.push(...page.entries);
      next = page.nextCursor;
    }
    complete.set(list, all);
  }
  // The types differ only in `readonly`; nothing writes through the view.
  return { ...job, measurements: withEntries(first, complete) as NonNullable<JobView['measurements']> };
}

/** The settings are what the user wrote; the service says what is wrong with them. */
const requestOf = (
  { measure, set, audio, ss, t }: AnalyzeFlags,
  input: string,
  reference: string | undefined,
): AnalysisRequest => ({
  input,
  measure: [...measure],
  ...(set !== undefined && { settings: set as AnalysisRequest['settings'] & object }),
  ...(reference !== undefined && { reference }),
  ...(audio !== undefined && { audio }),
  ...(ss !== undefined && { ss }),
  ...(t !== undefined && { t }),
});
