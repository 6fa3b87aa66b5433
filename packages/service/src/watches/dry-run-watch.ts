import type { Caller } from '@telecine/contract/domain/client.ts';
import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import type { ConversionEstimate } from '@telecine/contract/domain/estimate.ts';
import { fixText } from '@telecine/contract/domain/hint.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { WatchedFailure, WatchSettings } from '@telecine/contract/domain/watch.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import { type DryRunListingDeps, listForDryRun, outputNamer } from './dry-run-listing.ts';
import { failureOf } from './file-failure.ts';
import { type FileFacts, needsFrame, requestForWatchedFile } from './file-request.ts';
import type { FoundFile } from './ports.ts';

/** How many files are examined for the estimate. Each takes a probe and an estimate. */
const EXAMINED = 3;

export interface DryRunWatchDeps extends DryRunListingDeps {
  readonly jobs: Pick<JobOperations, 'dryRun' | 'usage'>;
  readonly frameOf: (caller: Caller, path: MediaPath, signal: AbortSignal) => Promise<FileFacts['frame']>;
}

export interface WatchDryRun {
  readonly files: number;
  readonly sizeBytes: number;
  readonly isWhole: boolean;
  /** How many files are there and would not be converted, because `existing` is `ignore`. */
  readonly ignored?: number;
  readonly examples: readonly {
    readonly path: string;
    readonly sizeBytes: number;
    readonly outputs?: readonly string[];
    readonly failure?: WatchedFailure;
  }[];
  readonly examined: number;
  readonly rejected: number;
  readonly estimate?: { readonly seconds?: number; readonly sizeBytes?: number };
  readonly example?: ConversionEstimate;
  readonly warnings: readonly string[];
}

/** Says what a watch would convert now. Nothing is stored. Throws FOLDER_UNREACHABLE, and INVALID_REQUEST if its request is rejected. */
export async function dryRunWatch(
  deps: DryRunWatchDeps,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<WatchDryRun> {
  const { files, sizeBytes, isWhole, first, same } = await listForDryRun(deps, caller, settings, signal);
  if (settings.existing === 'ignore') {
    const warnings = await checkRequestOf(deps, caller, settings, signal);
    const none = { files: 0, sizeBytes: 0, examples: [], examined: 0, rejected: 0 };
    return { ...none, warnings, isWhole, ignored: files };
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
    ...{ files, sizeBytes, isWhole },
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
