import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { sizeLimitText, sizeText } from '@telecine/contract/domain/quantity.ts';
import type { CheckResult } from '@telecine/contract/wire/system.ts';
import { toolFault } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { Config } from '../config/config.ts';
import { createDataSpace } from '../store/data-space.ts';
import type { FailedCheck } from '../workers/ports/worker-store.ts';
import type { Storage } from './storage.ts';

export type Checks = Readonly<Record<string, CheckResult>>;

const CHECK_TIMEOUT_MS = 2000;

/** How long a result is reused, because anyone can call `/ready`, and each claim and each failed attempt needs the results. */
const KEPT_MS = 1000;

/** A worker whose clock differs by more from that of the database is not ready. S3 rejects requests at 15 minutes. */
const MAX_SKEW_MINUTES = 5;

export interface MachineChecks {
  /** Returns the results by name, which `/ready` shows. */
  results(): Promise<Checks>;
  /** Returns the checks that fail. While there are any, this machine claims no jobs. */
  failed(): Promise<readonly FailedCheck[]>;
  /** Checks again, after an attempt has failed. Returns the failure of a job on this machine. undefined: the machine is ready. */
  failureNow(): Promise<Failure | undefined>;
  /** Compares the clock of this machine with the time of the database. */
  setDatabaseTime(at: string): void;
}

/** Creates the checks of what this machine must have to run jobs. `tools`: those with which this process runs jobs, if it does. */
export function machineChecks(
  storage: Pick<Storage, 'media' | 'dataSpace' | 'checkStorage' | 'scratchRoot' | 'isShared'>,
  tools: Promise<Toolchain> | undefined,
  config: Pick<Config, 'minFreeBytes' | 'minFreeDataBytes' | 'dataDir' | 'storage'>,
): MachineChecks {
  const { media, checkStorage, isShared, scratchRoot } = storage;
  const { minFreeBytes, minFreeDataBytes, dataDir: dir } = config;
  const runsJobs = tools !== undefined;
  // The data folder of a machine whose database is elsewhere has files of jobs.
  const dataSpace =
    isShared && runsJobs
      ? createDataSpace({ dir, reserveBytes: minFreeDataBytes, onChange: () => undefined })
      : storage.dataSpace;
  let skewMinutes = 0;
  const toolCheck = async (isOfSandbox: boolean): Promise<CheckResult> => {
    const fault = tools && toolFault(await tools);
    if (fault === undefined || (fault.program === 'sandbox') !== isOfSandbox) return OK;
    const { program, what, fix = 'wait some seconds' } = fault;
    return fails(`The ${program} ${what}. No job is started. ${fix.charAt(0).toUpperCase()}${fix.slice(1)}.`);
  };
  const checks: ChecksToRun = {
    // Anyone may read these results, so they contain figures of the machine only while an operator has to act.
    disk: async () => {
      const free = await media.freeBytes();
      const place = config.storage === undefined ? 'under the media root' : 'in the scratch folder';
      if (free < minFreeBytes)
        return fails(`${spaceText(free, place, minFreeBytes)} Free space, or lower TELECINE_MIN_FREE_DISK.`);
      if (runsJobs) await access(scratchRoot, constants.W_OK);
      return OK;
    },
    dataDisk: async () => {
      const { isLow, freeBytes, requiredBytes } = await dataSpace.state();
      if (!isLow) return OK;
      const effect = isShared ? 'No job is started.' : 'No job is accepted or started.';
      const space = spaceText(freeBytes, 'in the data folder', requiredBytes);
      return fails(`${space} ${effect} Free space, or lower TELECINE_MIN_FREE_DATA_DISK.`);
    },
    ...(runsJobs && {
      ffmpeg: () => toolCheck(false),
      sandbox: () => toolCheck(true),
      clock: async () => {
        if (Math.abs(skewMinutes) < MAX_SKEW_MINUTES) return OK;
        const skew = `${Math.abs(skewMinutes)} minutes ${skewMinutes > 0 ? 'ahead of' : 'behind'}`;
        return fails(`The clock of this machine is ${skew} that of the database. Synchronize it, as by NTP.`);
      },
    }),
    ...(checkStorage && {
      storage: async (isNow) => {
        const fault = await checkStorage(isNow);
        return fault === undefined ? OK : fails(fault);
      },
    }),
  };
  const results = reuse(() => runChecks(checks), KEPT_MS);
  const resultsNow = reuse(() => runChecks(checks, true), KEPT_MS);
  const failedOf = (all: Checks): readonly FailedCheck[] =>
    Object.entries(all).flatMap(([check, { ok, message = '' }]) => (ok ? [] : [{ check, message }]));
  return {
    results,
    failed: async () => failedOf(await results()),
    failureNow: async () => {
      const [first] = failedOf(await resultsNow());
      return first && { code: 'NO_WORKER', message: `The worker that took the job is not ready. ${first.message}` };
    },
    setDatabaseTime: (at) => {
      skewMinutes = Math.round((Date.now() - Date.parse(at)) / 60_000);
    },
  };
}

const OK: CheckResult = { ok: true };

export const fails = (message: string): CheckResult => ({ ok: false, message });

const spaceText = (free: number, place: string, required: number): string =>
  `${sizeText(free)} are free ${place}; at least ${sizeLimitText(required)} are required.`;

/** The checks by name. `isNow`: the check must not reuse an earlier result. */
type ChecksToRun = Readonly<Record<string, (isNow: boolean) => Promise<CheckResult>>>;

/** Runs checks side by side. A check that throws or takes too long fails. */
export async function runChecks(checks: ChecksToRun, isNow = false): Promise<Checks> {
  const results = Object.entries(checks).map(async ([name, check]): Promise<[string, CheckResult]> => {
    const failure = (error: unknown): CheckResult =>
      fails(`The check of the ${name} failed or timed out${errnoOf(error) && ` (${errnoOf(error)})`}.`);
    return [name, await withTimeout(CHECK_TIMEOUT_MS, check(isNow)).catch(failure)];
  });
  return Object.fromEntries(await Promise.all(results));
}

/** Returns a function that returns the last result of `run`. If this result is at least `maxAgeMs` old, it calls `run` again. */
export function reuse<T>(run: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let latest: { readonly at: number; readonly result: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (latest === undefined || now - latest.at >= maxAgeMs) latest = { at: now, result: run() };
    return latest.result;
  };
}

export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('timed out')), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
