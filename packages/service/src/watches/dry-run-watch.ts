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
import type { FoundFile } from './ports.ts';
import type { WatchedFolders } from './watched-folders.ts';

/** How many files are examined for the estimate. Each takes a probe and an estimate. */
const EXAMINED = 3;

/** How many files are counted in one turn of the event loop. */
const FILES_PER_TURN = 32;

const EXAMPLES = 20;

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
  if (settings.existing === 'ignore') {
    const warnings = await checkRequestOf(deps, caller, settings, signal);
    return { files, sizeBytes, examples: [], examined: 0, rejected: 0, warnings, ignored };
  }
  const warnings: string[] = [];
  if (same !== undefined)
    warnings.push(
      `${same[0]} and ${same[1]} would have the same output. Send "{folder}" in "output", or narrower patterns.`,
    );
  if (first.length === 0) warnings.push(...(await checkRequestOf(deps, caller, settings, signal)));
  const examined = await Promise.all(
    first.slice(0, EXAMINED).map((file) => examine(deps, caller, settings, file, signal)),
  );
  if (first.length > 0)
    warnings.push(
      ...warningTexts(
        settings,
        examined.flatMap((one) => one.warnings ?? []),
      ),
    );
  const [only] = examined;
  // If all files that were examined are rejected for the same reason, the request itself is wrong.
  if (
    only?.problem?.code === 'INVALID_REQUEST' &&
    examined.every(({ problem }) => problem?.message === only.problem?.message)
  )
    throw invalidRequest(only.problem.errors.map((error) => ({ ...error, field: `/request${error.field}` })));
  const estimate = await extrapolate(deps, caller, examined, sizeBytes);
  const example = only?.estimate;
  const outputsOf = outputNamer(settings, deps.now());
  return {
    ...{ files, sizeBytes },
    examples: first.map((file, index) => {
      const one = examined[index];
      const outputs = one === undefined ? outputsOf(file.path) : one.outputs;
      return {
        path: file.path,
        sizeBytes: file.bytes,
        ...(outputs && { outputs }),
        ...(one?.problem && { failure: failureOf(one.problem) }),
      };
    }),
    examined: examined.length,
    rejected: examined.filter(({ problem }) => problem !== undefined).length,
    ...(estimate && { estimate }),
    ...(example && { example }),
    warnings,
  };
}

interface Listing {
  readonly files: number;
  readonly sizeBytes: number;
  readonly ignored: number;
  /** The first files. */
  readonly first: readonly FoundFile[];
  /** Two files whose jobs would write the same output, in quotes. */
  readonly same?: readonly [string, string];
}

/** Counts the files that a watch would take now. Throws FOLDER_UNREACHABLE. */
async function listFiles(
  { folders, now }: DryRunWatchDeps,
  { root }: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<Listing> {
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
  return { files, sizeBytes, ignored, first, ...(same && { same }) };
}

/** How many characters of a path a warning shows. */
const MOST_SHOWN = 200;

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

/** Formats whose names say audio, and into which ffmpeg puts the video too. */
const SAYS_AUDIO = /\.(?:m4[ab]|wma)$/i;

/** Warnings about the request and the newest jobs of a watch, as texts: one of each kind. */
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

/** Problems about the file that stands for files that will land, and not about the request. */
const ABOUT_FILES = /^(?:INPUT_|OUTPUT_EXISTS|ASSUMED_FACTS|UNSUPPORTED|TIMEOUT|NOT_FOUND)/;

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
    const { warnings } = await jobs.dryRun(caller, request, signal, { onlyPlans: true });
    return warningTexts(settings, warnings);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.filter(
      ({ code, field }) => code === 'HIDDEN_PART' || (!ABOUT_FILES.test(code) && !field.startsWith('/input')),
    );
    if (error.code === 'INVALID_REQUEST' && errors.length > 0)
      throw invalidRequest(errors.map((one) => ({ ...one, field: `/request${one.field}` })));
    return warningTexts(settings, []);
  }
}

/** The estimate for all files, by the bytes of those that were examined. */
async function extrapolate(
  { jobs }: DryRunWatchDeps,
  caller: Caller,
  examined: readonly Examined[],
  allBytes: number,
): Promise<WatchDryRun['estimate']> {
  const sizes = examined.flatMap(({ bytes, estimate }) => {
    const parts = estimate?.outputs.map(({ sizeBytes }) => sizeBytes?.likely);
    return parts === undefined || parts.includes(undefined)
      ? []
      : [{ bytes, value: parts.reduce<number>((sum, one = 0) => sum + one, 0) }];
  });
  const times = examined.flatMap(({ bytes, estimate }) => {
    const seconds = estimate?.time.seconds?.likely;
    return seconds === undefined ? [] : [{ bytes, value: seconds }];
  });
  if (sizes.length === 0 && times.length === 0) return undefined;
  const { slots } = await jobs.usage(caller);
  return {
    ...(sizes.length > 0 && { sizeBytes: Math.round(perByte(sizes) * allBytes) }),
    ...(times.length > 0 && { seconds: Math.round((perByte(times) * allBytes) / Math.max(1, slots)) }),
  };
}

function perByte(values: readonly { readonly bytes: number; readonly value: number }[]): number {
  const bytes = values.reduce((sum, one) => sum + one.bytes, 0);
  return bytes === 0 ? 0 : values.reduce((sum, one) => sum + one.value, 0) / bytes;
}
