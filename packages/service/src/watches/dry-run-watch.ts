import { createHash } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import type { ConversionEstimate } from '@telecine/contract/domain/estimate.ts';
import { fixText } from '@telecine/contract/domain/hint.ts';
import { MAX_PATH_BYTES, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { WatchSettings } from '@telecine/contract/domain/watch.ts';
import type { WatchDryRun } from '@telecine/contract/wire/watch.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import { fileMatcher, newRow } from './decide.ts';
import { failureOf } from './file-failure.ts';
import { type FileFacts, needsFrame, requestForWatchedFile } from './file-request.ts';
import type { FoundFile, WatchedFolders } from './watched-folders.ts';

/** How many files are examined for the estimate. Each takes a probe and an estimate. */
const EXAMINED = 3;

/** How many files are counted in one turn of the event loop. */
const FILES_PER_TURN = 32;

const EXAMPLES = 20;

/** How many characters of a path a warning shows. */
const MOST_SHOWN = 200;

/** Problems about the file that stands for files that will land, and not about the request. */
const ABOUT_FILES = /^(?:INPUT_|OUTPUT_EXISTS|ASSUMED_FACTS|UNSUPPORTED|TIMEOUT|NOT_FOUND)/;

export interface DryRunWatchDeps {
  readonly folders: Pick<WatchedFolders, 'list'>;
  readonly now: () => Date;
  readonly jobs: Pick<JobOperations, 'dryRun' | 'usage'>;
  readonly frameOf: (caller: Caller, path: MediaPath, signal: AbortSignal) => Promise<FileFacts['frame']>;
}

/** Says what a watch would convert now. Nothing is stored. Throws FOLDER_UNREACHABLE, and INVALID_REQUEST if its request is rejected. */
export async function dryRunWatch(
  deps: DryRunWatchDeps,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<WatchDryRun> {
  const { files, sizeBytes, ignored, first, same } = await listFiles(deps, caller, settings, signal);
  const examined = await Promise.all(
    first.slice(0, EXAMINED).map((file) => examine(deps, caller, settings, file, signal)),
  );
  const [only] = examined;
  // If all files that were examined are rejected for the same reason, the request itself is wrong.
  if (
    only?.problem?.code === 'INVALID_REQUEST' &&
    examined.every(({ problem }) => problem?.message === only.problem?.message)
  )
    throw ofRequest(only.problem.errors);
  const seconds = scaled(examined, sizeBytes, ({ time }) => time.seconds?.likely);
  const outputBytes = scaled(examined, sizeBytes, ({ outputs }) => {
    const sizes = outputs.flatMap((one) => one.sizeBytes?.likely ?? []);
    return sizes.length === outputs.length ? sizes.reduce((sum, one) => sum + one, 0) : undefined;
  });
  const { slots } = seconds === undefined ? { slots: 1 } : await deps.jobs.usage(caller);
  const outputsOf = outputNamer(settings, deps.now());
  return {
    ...{ files, sizeBytes },
    ...(settings.existing === 'ignore' && { ignored }),
    examples: first.map(({ path, bytes }, index) => {
      const { problem, outputs } = examined[index] ?? { outputs: outputsOf(path) };
      return {
        ...{ path, sizeBytes: bytes },
        ...(outputs && { outputs }),
        ...(problem && { failure: failureOf(problem) }),
      };
    }),
    examined: examined.length,
    rejected: examined.filter(({ problem }) => problem !== undefined).length,
    ...((seconds ?? outputBytes) !== undefined && {
      estimate: {
        ...(outputBytes !== undefined && { sizeBytes: outputBytes }),
        ...(seconds !== undefined && { seconds: Math.round(seconds / Math.max(1, slots)) }),
      },
    }),
    ...(only?.estimate && { example: only.estimate }),
    warnings: [
      ...(same === undefined
        ? []
        : [`${same.join(' and ')} would have the same output. Send "{folder}" in "output", or narrower patterns.`]),
      ...(only === undefined
        ? await checkRequestOf(deps, caller, settings, signal)
        : warningTexts(
            settings,
            examined.flatMap(({ warnings }) => warnings ?? []),
          )),
    ],
  };
}

/**
 * Counts the files that a watch would take now. `first`: some of them. `same`: two whose jobs would write the same output, in quotes. Throws
 * FOLDER_UNREACHABLE.
 */
async function listFiles(
  { folders, now }: DryRunWatchDeps,
  { root }: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
) {
  const takes = fileMatcher(settings);
  const outputsOf = outputNamer(settings, now(), 1);
  /** A hash of each output, and the end of the path of its file: paths can be long, and there are many. */
  const byOutput = new Map<string, string>();
  const first: FoundFile[] = [];
  let [files, sizeBytes, ignored] = [0, 0, 0];
  let same: readonly [string, string] | undefined;
  for await (const some of inSteps(await folders.list(root, settings.folder, signal), FILES_PER_TURN, signal))
    for (const file of some.filter(({ path }) => takes(path))) {
      if (newRow({ ...settings, watchId: '' }, file, []).state === 'SKIPPED') {
        ignored += 1;
        continue;
      }
      files += 1;
      sizeBytes += file.bytes;
      if (first.length < EXAMPLES) first.push(file);
      const [output] = same === undefined ? (outputsOf(file.path) ?? []) : [];
      if (output === undefined) continue;
      const key = createHash('sha256').update(output).digest('base64');
      const other = byOutput.get(key);
      if (other !== undefined) same = [other, quoteEnd(file.path)];
      byOutput.set(key, quoteEnd(file.path));
    }
  return { files, sizeBytes, ignored, first, same };
}

/** The end of a path in quotes. As JSON, it is a text of its own, and does not keep the whole path in memory. */
const quoteEnd = (path: string): string =>
  JSON.stringify(path.length > MOST_SHOWN ? `…${path.slice(-MOST_SHOWN)}` : path);

/**
 * Returns a function that names the first outputs of the request for a file. It returns undefined if they depend on the size of its video, or
 * if a path would be too long, so that its job would be rejected.
 */
function outputNamer(
  { folder, request }: Pick<WatchSettings, 'folder' | 'request'>,
  at: Date,
  count?: number,
): (path: MediaPath) => readonly string[] | undefined {
  if (needsFrame(request)) return () => undefined;
  // The rest of a request can be large, and folders have many files.
  const templates = requestedOutputs(request).slice(0, count);
  const paths = { outputs: templates.map((one) => ({ output: one.path })) };
  return (path) => {
    const { outputs = [] } = requestForWatchedFile({ folder, request: paths }, path, { at, replaces: false });
    const named = outputs.map(({ output }) => output);
    return named.some((output) => output.length > MAX_PATH_BYTES) ? undefined : named;
  };
}

interface Examined {
  readonly bytes: number;
  readonly outputs?: readonly string[];
  readonly estimate?: ConversionEstimate;
  readonly warnings?: readonly Warning[];
  readonly problem?: Problem;
}

async function examine(
  { jobs, frameOf, now }: DryRunWatchDeps,
  caller: Caller,
  settings: WatchSettings,
  { path, bytes }: FoundFile,
  signal: AbortSignal,
): Promise<Examined> {
  try {
    const frame = needsFrame(settings.request) ? await frameOf(caller, path, signal) : undefined;
    const request = requestForWatchedFile(settings, path, { at: now(), replaces: false, ...(frame && { frame }) });
    const { estimate, warnings } = await jobs.dryRun(caller, request, signal);
    const outputs = requestedOutputs(request).map((one) => one.path);
    return { bytes, outputs, warnings, ...(estimate && { estimate }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { bytes, problem: error };
  }
}

/** Checks the request of a watch with the name of a file that does not exist. Returns its warnings. Throws INVALID_REQUEST. */
export async function checkRequestOf(
  { jobs, now }: Pick<DryRunWatchDeps, 'jobs' | 'now'>,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = `${settings.folder}telecine-example.mp4` as MediaPath;
  const frame = { width: 1920, height: 1080 };
  const request = requestForWatchedFile(settings, path, { at: now(), frame, replaces: false });
  try {
    return warningTexts(settings, (await jobs.dryRun(caller, request, signal, { onlyPlans: true })).warnings);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.filter(
      ({ code, field }) => code === 'HIDDEN_PART' || (!ABOUT_FILES.test(code) && !field.startsWith('/input')),
    );
    if (error.code === 'INVALID_REQUEST' && errors.length > 0) throw ofRequest(errors);
    return warningTexts(settings, []);
  }
}

/** The errors of the request for a file, as errors of the request of the watch. */
const ofRequest = (errors: Problem['errors']): Problem =>
  invalidRequest(errors.map((one) => ({ ...one, field: `/request${one.field}` })));

/** Formats whose names say audio, and into which ffmpeg puts the video too. */
const SAYS_AUDIO = /\.(?:m4[ab]|wma)$/i;

/** Warnings that are not about one file, as texts: one of each kind. */
function warningTexts({ request }: WatchSettings, warnings: readonly Warning[]): readonly string[] {
  const kinds = new Map(warnings.filter(({ code }) => !ABOUT_FILES.test(code)).map((one) => [one.code, one]));
  const { preset, parameters = {} } = request;
  const name = requestedOutputs(request).find(({ path }) => SAYS_AUDIO.test(path))?.path;
  const choosesStreams = Object.keys(parameters).some((key) => /^(?:vn|map|c:v|vcodec|vf|filter:v)/.test(key));
  if (name !== undefined && preset === undefined && request.outputs === undefined && !choosesStreams)
    kinds.set('VIDEO_IN_SOUND_FILE', {
      code: 'VIDEO_IN_SOUND_FILE',
      message: `"${name}" says audio, and the video of a file would be in it too.`,
      fix: 'Send "vn": "" in "parameters" to leave the video out.',
    });
  return [...kinds.values()].map(({ message, fix }) => `${message} ${fixText(fix) ?? ''}`.trim());
}

/** A value for all files, in proportion to the bytes of those that have it. undefined: none has. */
function scaled(
  examined: readonly Examined[],
  allBytes: number,
  of: (estimate: ConversionEstimate) => number | undefined,
): number | undefined {
  let [value, bytes] = [0, 0];
  for (const one of examined) {
    const own = one.estimate && of(one.estimate);
    if (own === undefined) continue;
    value += own;
    bytes += one.bytes;
  }
  return bytes === 0 ? undefined : Math.round((value / bytes) * allBytes);
}
