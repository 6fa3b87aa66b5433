import type { Caller } from '@telecine/contract/domain/client.ts';
import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import type { ConversionEstimate } from '@telecine/contract/domain/estimate.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { WatchedFailure, WatchSettings } from '@telecine/contract/domain/watch.ts';
import { shownFolder } from '@telecine/contract/domain/watch.ts';
import { type FairSlots, takeSlot } from '../jobs/call-quota.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import { failureOf } from './file-failure.ts';
import { type FileFacts, needsFrame, requestForWatchedFile } from './file-request.ts';
import { FolderUnreachable, type FoundFile, type UnreachableReason, type WatchSource } from './ports.ts';
import { nameMatcher } from './watched-names.ts';

/** What a dry run reads at most, so that its reply comes soon. */
const MOST_FILES = 100_000;
const MOST_MS = 10_000;

const EXAMPLES = 20;

/** How many files are counted in one turn of the event loop. */
const FILES_PER_TURN = 32;

/** How many files are examined for the estimate. Each takes a probe and an estimate. */
const EXAMINED = 3;

export interface DryRunWatchDeps {
  readonly source: Pick<WatchSource, 'newMemory' | 'scan'>;
  readonly jobs: Pick<JobOperations, 'dryRun' | 'usage'>;
  readonly frameOf: (caller: Caller, path: MediaPath, signal: AbortSignal) => Promise<FileFacts['frame']>;
  readonly now: () => Date;
  /** The turns of scans for dry runs. They are not those of watches, which can take hours. */
  readonly scanSlots: FairSlots;
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

interface Listing {
  readonly files: number;
  readonly sizeBytes: number;
  readonly isWhole: boolean;
  /** The first files. */
  readonly first: readonly FoundFile[];
  /** Two files whose jobs would write the same output. */
  readonly same?: readonly [string, string];
}

/** Says what a watch would convert now. Nothing is stored. Throws FOLDER_UNREACHABLE, and INVALID_REQUEST if its request is rejected. */
export async function dryRunWatch(
  deps: DryRunWatchDeps,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<WatchDryRun> {
  const { files, sizeBytes, isWhole, first, same } = await listFolder(deps, caller, settings, signal);
  if (settings.existing === 'ignore') {
    await checkRequestOf(deps, caller, settings, signal);
    const none = { files: 0, sizeBytes: 0, examples: [], examined: 0, rejected: 0, warnings: [] };
    return { ...none, isWhole, ignored: files };
  }
  const warnings: string[] = [];
  if (same !== undefined)
    warnings.push(
      `${JSON.stringify(same[0])} and ${JSON.stringify(same[1])} would have the same output. Send "{folder}" in "output", or narrower patterns.`,
    );
  if (first.length === 0) await checkRequestOf(deps, caller, settings, signal);
  const examined = await Promise.all(
    first.slice(0, EXAMINED).map((file) => examine(deps, caller, settings, file, signal)),
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
      const outputs = one === undefined ? outputsOf(file) : one.outputs;
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

const RETRY_SOON = 'Send the same request again in a minute. If it fails again, tell the operator.';

const UNREACHABLE: Readonly<Record<UnreachableReason, { readonly why: string; readonly fix: string }>> = {
  missing: {
    why: 'it does not exist, or its disk is not mounted',
    fix: 'Create the folder, or send another one.',
  },
  denied: { why: 'the service may not read it', fix: 'Ask the operator for access to it, or send another one.' },
  down: { why: 'its storage does not answer', fix: RETRY_SOON },
  timeout: { why: 'its storage does not answer in time', fix: RETRY_SOON },
};

async function listFolder(
  { source, now, scanSlots }: DryRunWatchDeps,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<Listing> {
  const { folder, subfolders, patterns } = settings;
  let until = performance.now() + MOST_MS;
  using turn = new DisposableStack();
  const waitForTurn = async (): Promise<void> => {
    turn.use(await takeSlot(scanSlots, caller.clientId, signal));
    until = performance.now() + MOST_MS;
  };
  const first: FoundFile[] = [];
  const byOutput = new Map<string, string>();
  let files = 0;
  let sizeBytes = 0;
  let same: readonly [string, string] | undefined;
  const result = (isWhole: boolean): Listing => ({ files, sizeBytes, isWhole, first, ...(same && { same }) });
  const outputsOf = outputNamer(settings, now());
  try {
    const where = { folder, subfolders, accepts: nameMatcher(patterns) };
    const options = { memory: source.newMemory(), kind: 'full', waitForTurn, signal } as const;
    for await (const page of source.scan(caller.root, where, options)) {
      for await (const some of inSteps(page, FILES_PER_TURN, signal))
        for (const file of some) {
          files += 1;
          sizeBytes += file.bytes;
          if (first.length < EXAMPLES) first.push(file);
          const [output] = outputsOf(file) ?? [];
          const other = output === undefined ? undefined : byOutput.get(output);
          if (output !== undefined) byOutput.set(output, file.path);
          if (other !== undefined) same ??= [other, file.path];
        }
      if (files >= MOST_FILES || performance.now() > until) return result(false);
    }
    return result(true);
  } catch (error) {
    if (!(error instanceof FolderUnreachable)) throw error;
    const { why, fix } = UNREACHABLE[error.reason];
    throw new Problem(
      'FOLDER_UNREACHABLE',
      `The folder ${JSON.stringify(shownFolder(folder))} cannot be read: ${why}.`,
      { fix, cause: error },
    );
  }
}

/** Returns a function that names the outputs of the request for a file. It returns undefined if they depend on the size of its video. */
function outputNamer({ folder, request }: WatchSettings, at: Date): (file: FoundFile) => readonly string[] | undefined {
  if (needsFrame(request)) return () => undefined;
  // The rest of a request can be large, and folders have many files.
  const paths = { outputs: requestedOutputs(request).map(({ path }) => ({ output: path })) };
  return ({ path }) =>
    requestForWatchedFile({ folder, request: paths }, path, { at, replaces: false }).outputs?.map((one) => one.output);
}

interface Examined {
  readonly bytes: number;
  readonly outputs?: readonly string[];
  readonly estimate?: ConversionEstimate;
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
    const { estimate } = await jobs.dryRun(caller, request, signal);
    const outputs = requestedOutputs(request).map((one) => one.path);
    return { bytes, outputs, ...(estimate && { estimate }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { bytes, problem: error };
  }
}

/** Problems about the file that stands for files that will land, and not about the request. */
const ABOUT_FILES = /^(?:INPUT_|UNSUPPORTED|TIMEOUT|NOT_FOUND)/;

/** Checks the request of a watch with the name of a file that does not exist. Throws INVALID_REQUEST. */
export async function checkRequestOf(
  { jobs, now }: Pick<DryRunWatchDeps, 'jobs' | 'now'>,
  caller: Caller,
  settings: WatchSettings,
  signal: AbortSignal,
): Promise<void> {
  const path = `${settings.folder}telecine-example.mp4` as MediaPath;
  const frame = { width: 1920, height: 1080 };
  const request = requestForWatchedFile(settings, path, { at: now(), frame, replaces: false });
  try {
    await jobs.dryRun(caller, request, signal, { onlyPlans: true });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.filter(({ code, field }) => !ABOUT_FILES.test(code) && !field.startsWith('/input'));
    if (error.code === 'INVALID_REQUEST' && errors.length > 0)
      throw invalidRequest(errors.map((one) => ({ ...one, field: `/request${one.field}` })));
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
