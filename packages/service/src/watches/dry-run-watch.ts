import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { fixText } from '@telecine/contract/domain/hint.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { WatchSettings } from '@telecine/contract/domain/watch.ts';
import type { PlainCall } from '@telecine/contract/wire/operations/plain-handler.ts';
import { failureView, type WatchDryRunView } from '@telecine/contract/wire/watch.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import { failureOf } from './after-job.ts';
import { fileMatcher } from './decide.ts';
import { fileRequest, needsFrame, requestForWatchedFile } from './file-request.ts';
import type { Round } from './watch-deps.ts';
import type { FoundFile } from './watched-folders.ts';

/** How many files are examined for the estimate. Each takes a probe and an estimate. */
const EXAMINED = 3;

/** How many files are counted in one turn of the event loop. */
const FILES_PER_TURN = 32;

const EXAMPLES = 20;

/** Problems about the file that stands for files that will land, and not about the request. */
const ABOUT_FILES = /^(?:INPUT_|OUTPUT_EXISTS|ASSUMED_FACTS|UNSUPPORTED|TIMEOUT|NOT_FOUND)/;

export type DryRunJobs = Pick<JobOperations, 'dryRun' | 'usage'>;

/** Settings to check, for a client. */
export interface WatchCheck extends Pick<Round, 'folders' | 'watches' | 'frameOf' | 'now' | 'caller' | 'signal'> {
  readonly settings: WatchSettings;
  readonly jobs: DryRunJobs;
}

/** Says what a watch would convert now. Nothing is stored. Throws FOLDER_UNREACHABLE, and INVALID_REQUEST if its request is rejected. */
export async function dryRunWatch(check: WatchCheck, words: PlainCall<unknown>['words']): Promise<WatchDryRunView> {
  const { folders, watches, jobs, caller, signal, settings, now } = check;
  const { folder, request, existing } = settings;
  const warnings = new Set(await checkRequestOf(check));
  // The rest of a request can be large, and folders have many files. Names with the size of the video are not known without a probe.
  const templates = needsFrame(request) ? [] : requestedOutputs(request).map(({ path }) => ({ output: path }));
  /** If any of the outputs of two files are the same, this one is. */
  const widest = templates.find(({ output }) => !output.includes('{folder}')) ?? templates[0];
  const outputsOf = (path: MediaPath, outputs = templates): readonly string[] => {
    const filled = requestForWatchedFile({ folder, request: { outputs } }, path, { at: now() });
    return requestedOutputs(filled).map((one) => one.path);
  };
  const takes = fileMatcher(settings);
  /** The file of each output. */
  const byOutput = new Map<string, MediaPath>();
  const first: FoundFile[] = [];
  let [files, sizeBytes, same] = [0, 0, false];
  for await (const some of inSteps(await folders.list(caller.root, folder, signal), FILES_PER_TURN, signal))
    for (const file of some.filter(({ path }) => takes(path))) {
      files += 1;
      sizeBytes += file.bytes;
      if (first.length < EXAMPLES) first.push(file);
      const [output] = same || widest === undefined ? [] : outputsOf(file.path, [widest]);
      const other = output === undefined ? undefined : byOutput.get(output);
      if (output !== undefined) byOutput.set(output, file.path);
      if (other === undefined) continue;
      same = true;
      warnings.add(
        `${JSON.stringify(other)} and ${JSON.stringify(file.path)} would have the same output. Send "{folder}" in "output", or narrower patterns.`,
      );
    }
  const twin = (await watches.list({ clientId: caller.clientId })).find((one) => one.folder === folder);
  if (twin !== undefined)
    warnings.add(
      `Your watch ${JSON.stringify(twin.name ?? twin.watchId)} has the same folder: if both take a file, both convert it.`,
    );
  if (existing === 'ignore')
    return { files: 0, sizeBytes: 0, ignored: files, examples: [], examined: 0, rejected: 0, warnings: [...warnings] };

  const examined = await Promise.all(first.slice(0, EXAMINED).map((file) => examine(check, file)));
  for (const text of warningTexts(examined.flatMap((one) => one.warnings ?? []))) warnings.add(text);
  const estimates = examined.flatMap(({ bytes, estimate }) => (estimate ? [{ ...estimate, bytes }] : []));
  const outputsLikely = estimates.flatMap(({ outputs }) => outputs.map((one) => one.sizeBytes?.likely ?? Number.NaN));
  /** The sum for all files, in proportion to their bytes. undefined: some examined file has no value. */
  const ofAll = (values: readonly number[]): number | undefined => {
    const all = (sum(values) / sum(estimates.map(({ bytes }) => bytes))) * sizeBytes;
    return Number.isFinite(all) ? Math.round(all) : undefined;
  };
  const seconds = ofAll(estimates.map(({ time }) => time.seconds?.likely ?? Number.NaN));
  const { slots } = seconds === undefined ? { slots: 1 } : await jobs.usage(caller);
  const estimate = defined({
    sizeBytes: ofAll(outputsLikely),
    seconds: seconds && Math.round(seconds / Math.max(1, slots)),
  });
  return {
    ...{ files, sizeBytes, examined: examined.length, warnings: [...warnings] },
    rejected: examined.filter(({ problem }) => problem !== undefined).length,
    examples: first.map(({ path, bytes }, index) => {
      const { problem, outputs } = examined[index] ?? { outputs: outputsOf(path) };
      const failure = problem && failureView(failureOf(problem), words);
      return { path, sizeBytes: bytes, ...(outputs?.length && { outputs }), ...(failure && { failure }) };
    }),
    ...(Object.keys(estimate).length > 0 && { estimate }),
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** What becomes of one file: its outputs, an estimate and warnings, or the problem of its request. */
async function examine(check: WatchCheck, { path, bytes }: FoundFile) {
  const { jobs, caller, signal, settings } = check;
  try {
    const request = await fileRequest(check, settings, path);
    const { estimate, warnings } = await jobs.dryRun(caller, request, signal);
    return { bytes, outputs: requestedOutputs(request).map((one) => one.path), warnings, estimate };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { bytes, problem };
  }
}

/** Checks the request of a watch with the name of a file that does not exist. Returns its warnings. Throws INVALID_REQUEST. */
export async function checkRequestOf({
  now,
  jobs,
  caller,
  settings,
  signal,
}: Omit<WatchCheck, 'folders' | 'watches' | 'frameOf'>): Promise<readonly string[]> {
  const path = `${settings.folder}telecine-example.mp4` as MediaPath;
  const request = requestForWatchedFile(settings, path, { at: now(), frame: { width: 1920, height: 1080 } });
  try {
    const { warnings } = await jobs.dryRun(caller, request, signal, { onlyPlans: true });
    return warningTexts(warnings);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.filter(
      ({ code, field }) => code === 'HIDDEN_PART' || (!ABOUT_FILES.test(code) && !field.startsWith('/input')),
    );
    if (error.code !== 'INVALID_REQUEST' || errors.length === 0) return [];
    throw invalidRequest(errors.map((one) => ({ ...one, field: `/request${one.field}` })));
  }
}

/** Warnings that are not about one file, as texts: one of each kind. */
function warningTexts(warnings: readonly Warning[]): readonly string[] {
  const kinds = new Map(warnings.filter(({ code }) => !ABOUT_FILES.test(code)).map((one) => [one.code, one]));
  return [...kinds.values()].map(({ message, fix }) => `${message} ${fixText(fix) ?? ''}`.trim());
}
