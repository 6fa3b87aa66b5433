import { createHash } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
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
import { needsFrame, requestForWatchedFile } from './file-request.ts';
import type { WatchDeps } from './watch-deps.ts';
import type { FoundFile } from './watched-folders.ts';

/** How many files are examined for the estimate. Each takes a probe and an estimate. */
const EXAMINED = 3;

/** How many files are counted in one turn of the event loop. */
const FILES_PER_TURN = 32;

const EXAMPLES = 20;

/** How many characters of a path a warning shows. */
const MOST_SHOWN = 200;

/** Problems about the file that stands for files that will land, and not about the request. */
const ABOUT_FILES = /^(?:INPUT_|OUTPUT_EXISTS|ASSUMED_FACTS|UNSUPPORTED|TIMEOUT|NOT_FOUND)/;

export type DryRunJobs = Pick<JobOperations, 'dryRun' | 'usage'>;

/** Says what a watch would convert now. Nothing is stored. Throws FOLDER_UNREACHABLE, and INVALID_REQUEST if its request is rejected. */
export async function dryRunWatch(
  deps: Pick<WatchDeps, 'folders' | 'watches' | 'frameOf' | 'now'>,
  jobs: DryRunJobs,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
  words: PlainCall<unknown>['words'],
): Promise<WatchDryRunView> {
  const { folder, request, patterns, existing } = settings;
  const warnings = new Set(await checkRequestOf(deps, jobs, caller, settings, signal));
  // The rest of a request can be large, and folders have many files.
  const templates = requestedOutputs(request).map(({ path }) => ({ output: path }));
  const isSized = needsFrame(request);
  const outputsOf = (path: MediaPath, outputs = templates): readonly string[] => {
    if (isSized) return [];
    const filled = requestForWatchedFile({ folder, request: { outputs } }, path, { at: deps.now() });
    return requestedOutputs(filled).map((one) => one.path);
  };

  const takes = fileMatcher(settings);
  /** A hash of each output, and the end of the path of its file: paths can be long, and there are many. */
  const byOutput = new Map<string, string>();
  const first: FoundFile[] = [];
  let [files, sizeBytes, same] = [0, 0, false];
  for await (const some of inSteps(await deps.folders.list(caller.root, folder, signal), FILES_PER_TURN, signal))
    for (const { path, ...file } of some.filter((one) => takes(one.path))) {
      files += 1;
      sizeBytes += file.bytes;
      if (first.length < EXAMPLES) first.push({ path, ...file });
      const [output] = same ? [] : outputsOf(path, templates.slice(0, 1));
      if (output === undefined) continue;
      const key = createHash('sha256').update(output).digest('base64');
      const other = byOutput.get(key);
      same = other !== undefined;
      if (same)
        warnings.add(
          `${other} and ${quoteEnd(path)} would have the same output. Send "{folder}" in "output", or narrower patterns.`,
        );
      byOutput.set(key, quoteEnd(path));
    }
  const twin = (await deps.watches.list({ clientId: caller.clientId })).find(
    (one) =>
      one.folder === folder &&
      (patterns === undefined || one.patterns === undefined || one.patterns.some((name) => patterns.includes(name))),
  );
  if (twin !== undefined)
    warnings.add(
      `Your watch ${JSON.stringify(twin.name ?? twin.watchId)} has the same folder, and may take the same files: both would convert them. Send other "patterns", or change that watch.`,
    );
  if (existing === 'ignore')
    return { files: 0, sizeBytes: 0, ignored: files, examples: [], examined: 0, rejected: 0, warnings: [...warnings] };

  const examined = await Promise.all(
    first.slice(0, EXAMINED).map((file) => examine(deps, jobs, caller, settings, file, signal)),
  );
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

/** The end of a path in quotes. As JSON, it is a text of its own, and does not keep the whole path in memory. */
const quoteEnd = (path: string): string =>
  JSON.stringify(path.length > MOST_SHOWN ? `…${path.slice(-MOST_SHOWN)}` : path);

/** What becomes of one file: its outputs, an estimate and warnings, or the problem of its request. */
async function examine(
  { frameOf, now }: Pick<WatchDeps, 'frameOf' | 'now'>,
  jobs: DryRunJobs,
  caller: Caller,
  settings: WatchSettings,
  { path, bytes }: FoundFile,
  signal: AbortSignal,
) {
  try {
    const frame = needsFrame(settings.request) ? await frameOf(caller, path, signal) : undefined;
    const request = requestForWatchedFile(settings, path, { at: now(), frame });
    const { estimate, warnings } = await jobs.dryRun(caller, request, signal);
    return { bytes, outputs: requestedOutputs(request).map((one) => one.path), warnings, estimate };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return { bytes, problem };
  }
}

/** Checks the request of a watch with the name of a file that does not exist. Returns its warnings. Throws INVALID_REQUEST. */
export async function checkRequestOf(
  { now }: Pick<WatchDeps, 'now'>,
  jobs: DryRunJobs,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = `${settings.folder}telecine-example.mp4` as MediaPath;
  const request = requestForWatchedFile(settings, path, { at: now(), frame: { width: 1920, height: 1080 } });
  try {
    const { warnings } = await jobs.dryRun(caller, request, signal, { onlyPlans: true });
    return [...warningTexts(warnings), ...videoInSoundFile(settings)];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.filter(
      ({ code, field }) => code === 'HIDDEN_PART' || (!ABOUT_FILES.test(code) && !field.startsWith('/input')),
    );
    if (error.code !== 'INVALID_REQUEST' || errors.length === 0) return videoInSoundFile(settings);
    throw invalidRequest(errors.map((one) => ({ ...one, field: `/request${one.field}` })));
  }
}

/** Formats whose names say audio, and into which ffmpeg puts the video too. */
const SAYS_AUDIO = /\.(?:m4[ab]|wma)$/i;

/** The warning that an output with the name of a sound file would have the video too. The job says so as well, but a watch may have run for weeks by then. */
function videoInSoundFile({ request }: WatchSettings): readonly string[] {
  const { preset, outputs, parameters = {} } = request;
  const name = requestedOutputs(request).find(({ path }) => SAYS_AUDIO.test(path))?.path;
  const choosesStreams = Object.keys(parameters).some((key) => /^(?:vn|map|c:v|vcodec|vf|filter:v)/.test(key));
  return name === undefined || preset !== undefined || outputs !== undefined || choosesStreams
    ? []
    : [
        `"${name}" says audio, and the video of a file would be in it too. Send "vn": "" in "parameters" to leave the video out.`,
      ];
}

/** Warnings that are not about one file, as texts: one of each kind. */
function warningTexts(warnings: readonly Warning[]): readonly string[] {
  const kinds = new Map(warnings.filter(({ code }) => !ABOUT_FILES.test(code)).map((one) => [one.code, one]));
  return [...kinds.values()].map(({ message, fix }) => `${message} ${fixText(fix) ?? ''}`.trim());
}
