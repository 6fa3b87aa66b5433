import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { ProbePlan } from '@telecine/ffmpeg/probe/plan-probe.ts';
import type { ProbeOutcome } from '@telecine/ffmpeg/probe/probe.ts';
import { LRUCache } from 'lru-cache';
import type { FileVersion } from './ports/media-store.ts';
import { type SharedRun, type SharedRuns, sharedRuns } from './shared-runs.ts';

export type ProbeAnswer = Extract<ProbeOutcome, { readonly ok: true }>;

/** An answer about a usual file has 2 to 5 kB. */
const MAX_KEPT = 1000;
const MAX_KEPT_BYTES = 16 * 2 ** 20;

/** How long a read goes on that takes longer than its requests wait, in seconds. */
export const LATE_SECONDS = 600;

/**
 * The maximum number of such reads. Of the slots of ffprobe they have none for longer than other reads, because they wait for the storage.
 * One that copies an object keeps the slot of its copy, and one that opens a file that of its call.
 */
const LATE_READS = { perClient: 8, total: 16 } as const;

const RETRY_SECONDS = 5;

/** How long the failure of a late read is kept for the calls that were told to come again. After that, the file is read anew. */
const FAILURE_MS = 12 * RETRY_SECONDS * 1000;

/** Codes of failures that the same read would have again. */
const LASTING: ReadonlySet<string> = new Set(['INPUT_INVALID', 'UNSUPPORTED', 'TIMEOUT']);

/**
 * Caches what ffprobe says about versions of files. Before a call, check that the caller may read the file. An unknown
 * version (undefined) is never found and never kept.
 */
export interface ProbeCache {
  find(file: FileVersion | undefined, plan: ProbePlan): ProbeAnswer | undefined;
  keep(file: FileVersion | undefined, plan: ProbePlan, answer: ProbeAnswer): void;
}

/** A probe of a file that the caller may read. */
export interface FileProbe {
  readonly clientId: string;
  readonly plan: ProbePlan;
  /** The version at the path of the plan. Absent: unknown. */
  readonly file?: FileVersion;
}

/** The result of a read. `file`: the version that was read. Absent: unknown, so that the result is not cached. */
export interface FileRead {
  readonly info: MediaInfo;
  readonly file?: FileVersion | undefined;
}

export interface ProbeReads {
  readonly cache: ProbeCache;
  /**
   * Returns what a probe says about a file, from the cache or by `read`. Concurrent calls of a client for the same
   * path and version share one read. Throws TIMEOUT if a call has waited too long, and the errors of `read`: those of a late read
   * also in the calls of the next minute. A read of an unknown version ends with its call, because no later call could
   * find it.
   */
  readonly readOnce: (
    probe: FileProbe,
    signal: AbortSignal,
    read: (run: SharedRun) => Promise<FileRead>,
  ) => Promise<MediaInfo>;
  /** Ends all reads. */
  readonly stop: SharedRuns<MediaInfo>['stop'];
}

/** Creates the cache of a process. `waitSeconds`: how long a call waits for a read that other calls no longer wait for. */
export function probeReads(waitSeconds: number): ProbeReads {
  const kept = new LRUCache<string, ProbeAnswer>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_BYTES,
    // JSON has no maps, so write the headers as a list.
    sizeCalculation: ({ info, clip }, key) =>
      key.length + JSON.stringify([info, clip, ...(clip?.headers ?? [])]).length,
  });
  const cache: ProbeCache = {
    find: (file, plan) => file && kept.get(keyOf(file, plan)),
    keep: (file, plan, answer) => {
      if (file !== undefined) kept.set(keyOf(file, plan), answer);
    },
  };
  const failures = new LRUCache<string | symbol, Error>({ max: MAX_KEPT, ttl: FAILURE_MS });
  const share = sharedRuns<MediaInfo>({ ...LATE_READS, seconds: LATE_SECONDS, waitSeconds });
  return {
    cache,
    readOnce: async ({ clientId, plan, file }, signal, read) => {
      const known = cache.find(file, plan);
      if (known !== undefined) return known.info;
      // Clients never share a run, because each has to wait for its own turn. Nor do two paths of a file: a symlink may
      // change before the run opens the file at its path.
      const key = file === undefined ? Symbol(plan.path) : [clientId, plan.path, keyOf(file, plan)].join('\0');
      const failure = failures.get(key);
      if (failure !== undefined) throw failure;
      const work = async (run: SharedRun): Promise<MediaInfo> => {
        try {
          const found = await read(run);
          cache.keep(found.file, plan, { ok: true, info: found.info });
          return found.info;
        } catch (error) {
          // The calls of a late read have ended, so only the next one can say why it failed.
          if (run.late.aborted && isLasting(error)) failures.set(key, error);
          throw error;
        }
      };
      const late = {
        clientId,
        goesOnError: () => goesOnError(plan),
        tooManyError: () => tooManyError(plan),
        tookTooLongError: () => tookTooLongError(plan),
      };
      return share(key, signal, work, file && late);
    },
    stop: share.stop,
  };
}

const isLasting = (error: unknown): error is Error => {
  if (error instanceof JobFailed) return LASTING.has(error.failure.code);
  return error instanceof Problem && LASTING.has(error.code) && error.retryAfterSeconds === undefined;
};

/** Neither a path nor an argument has the character 0. */
const keyOf = ({ fileId, fingerprint }: FileVersion, { argv, keyFramesNear }: ProbePlan): string =>
  [fileId, fingerprint, keyFramesNear ?? '', ...argv].join('\0');

const timeout = (message: string, fix: string, retryAfterSeconds?: number): Problem =>
  new Problem('TIMEOUT', message, {
    errors: [{ field: '/input', code: 'TIMEOUT', message, fix }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

const goesOnError = ({ path }: ProbePlan): Problem =>
  timeout(
    `"${path}" is not read yet: the storage is slow, or the machine is busy. The service goes on reading it.`,
    `Send the same request again in ${RETRY_SECONDS} s. It waits for this read, or uses its result.`,
    RETRY_SECONDS,
  );

const tooManyError = ({ path }: ProbePlan): Problem =>
  timeout(
    `"${path}" is not read yet, and the service goes on reading as many slow files as it may: ${LATE_READS.perClient} of a client, ${LATE_READS.total} in all.`,
    `Send the same request again in ${RETRY_SECONDS} s.`,
    RETRY_SECONDS,
  );

const tookTooLongError = ({ path }: ProbePlan): Problem =>
  timeout(
    `Reading "${path}" took longer than ${LATE_SECONDS / 60} minutes.`,
    'Retry when the storage is faster, or the machine is less busy.',
  );
