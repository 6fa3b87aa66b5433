import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Failure, FailureCode } from '@telecine/contract/domain/failure.ts';
import { durationText, sizeLimitText, sizeText } from '@telecine/contract/domain/quantity.ts';
import type { CheckResult } from '@telecine/contract/wire/system.ts';
import { toolFault } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { Config } from '../config/config.ts';
import { createDataSpace } from '../store/data-space.ts';
import type { FailedCheck } from '../workers/ports/worker-store.ts';
import type { Storage } from './storage.ts';

export type Checks = Readonly<Record<string, CheckResult>>;

const CHECK_TIMEOUT_MS = 2000;

/** How long a result is reused, because anyone can call `/ready`, and each claim of a worker needs the results. */
const KEPT_MS = 1000;

/** How long the storage counts as reachable after a check: providers charge for each request. */
const STORAGE_KEPT_MS = 10_000;

/** The difference to the clock of the database at which a worker is not ready. S3 rejects requests at a quarter of an hour. */
const MAX_SKEW_MS = 5 * 60_000;

/** The failure of a job that a machine cannot run while a check fails. Default: NO_WORKER. */
const CODES: Readonly<Record<string, FailureCode>> = {
  disk: 'NO_SPACE',
  dataDisk: 'NO_SPACE',
  storage: 'STORAGE_FAULT',
};

export interface MachineChecks {
  /** Returns the results by name, which `/ready` shows. */
  results(): Promise<Checks>;
  /** Returns the checks that fail. While there are any, this machine claims no jobs. */
  failed(): Promise<readonly FailedCheck[]>;
  /** Checks again, after an attempt has failed. Returns the failure of a job on this machine. undefined: the machine is ready. */
  failureNow(): Promise<Failure | undefined>;
}

interface MachineParts {
  readonly storage: Pick<Storage, 'media' | 'dataSpace' | 'checkStorage' | 'scratchRoot' | 'isShared'>;
  /** The tools with which this process runs jobs. Absent: it runs none. */
  readonly tools?: Promise<Toolchain> | undefined;
  readonly clockSkewMs: () => number;
}

/** Creates the checks of what this machine must have to run jobs. */
export function machineChecks(
  { storage, tools, clockSkewMs }: MachineParts,
  {
    minFreeBytes,
    minFreeDataBytes,
    dataDir,
    storage: bucket,
  }: Pick<Config, 'minFreeBytes' | 'minFreeDataBytes' | 'dataDir' | 'storage'>,
): MachineChecks {
  const { media, checkStorage, isShared, scratchRoot } = storage;
  const runsJobs = tools !== undefined;
  // The data folder of a machine whose database is elsewhere has files of jobs.
  const dataSpace =
    isShared && runsJobs
      ? createDataSpace({ dir: dataDir, reserveBytes: minFreeDataBytes, onChange: () => undefined })
      : storage.dataSpace;
  const toolCheck = async (isOfSandbox: boolean): Promise<CheckResult> => {
    const fault = tools && toolFault(await tools);
    if (fault === undefined || (fault.program === 'sandbox') !== isOfSandbox) return OK;
    const fix = fault.fix === undefined ? 'Wait some seconds' : `To do: ${fault.fix}`;
    return fails(`The ${fault.program} ${fault.what}. No job is started. ${fix}.`);
  };
  const checks: Readonly<Record<string, () => Promise<CheckResult>>> = {
    // Anyone may read these results, so they contain figures of the machine only while an operator has to act.
    disk: async () => {
      const free = await media.freeBytes();
      const place = bucket === undefined ? 'under the media root' : 'in the scratch folder';
      if (free < minFreeBytes)
        return fails(`${spaceText(free, place, minFreeBytes)} Free space, or lower TELECINE_MIN_FREE_DISK.`);
      if (!runsJobs || (await canWrite(scratchRoot))) return OK;
      return fails('The service cannot write to its scratch folder. Check its disk and the rights of its user.');
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
        const skewMs = clockSkewMs();
        if (Math.abs(skewMs) < MAX_SKEW_MS) return OK;
        const direction = skewMs > 0 ? 'ahead of' : 'behind';
        const skew = durationText(60 * Math.round(Math.abs(skewMs) / 60_000));
        return fails(
          `The clock of this machine is ${skew} ${direction} that of the database. Synchronize it, as by NTP.`,
        );
      },
    }),
  };
  const ofMachine = reuse(() => runChecks(checks));
  const ofStorage = reuse(() => runChecks(checkStorage ? { storage: () => checkStorage().then(resultOf) } : {}));
  let isReachable = true;
  const results = async (isNow = false): Promise<Checks> => {
    const storageMs = isReachable && !isNow ? STORAGE_KEPT_MS : KEPT_MS;
    const [local, remote] = await Promise.all([ofMachine(isNow ? 0 : KEPT_MS), ofStorage(storageMs)]);
    isReachable = remote['storage']?.ok !== false;
    return { ...local, ...remote };
  };
  return {
    results: () => results(),
    failed: async () => failedChecks(await results()),
    failureNow: async () => {
      const [failed] = failedChecks(await results(true));
      if (failed === undefined) return undefined;
      const message = `The worker that took the job is not ready. ${failed.message}`;
      return { code: CODES[failed.check] ?? 'NO_WORKER', message };
    },
  };
}

const canWrite = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );

const OK: CheckResult = { ok: true };

export const fails = (message: string): CheckResult => ({ ok: false, message });

const resultOf = (fault: string | undefined): CheckResult => (fault === undefined ? OK : fails(fault));

const failedChecks = (results: Checks): readonly FailedCheck[] =>
  Object.entries(results).flatMap(([check, { ok, message = '' }]) => (ok ? [] : [{ check, message }]));

const spaceText = (free: number, place: string, required: number): string =>
  `${sizeText(free)} are free ${place}; at least ${sizeLimitText(required)} are required.`;

/** Runs checks side by side. A check that throws or takes too long fails. */
export async function runChecks(checks: Readonly<Record<string, () => Promise<CheckResult>>>): Promise<Checks> {
  const results = Object.entries(checks).map(async ([name, check]) => {
    const result = withTimeout(CHECK_TIMEOUT_MS, check());
    return [
      name,
      await result.catch(() => fails(`The check of the ${name} failed or timed out. See the log.`)),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(results));
}

/** Returns a function that returns the last result of `run`, unless it is at least `maxAgeMs` old: then it runs again. */
export function reuse<T>(run: () => Promise<T>): (maxAgeMs: number) => Promise<T> {
  let latest: { readonly at: number; readonly result: Promise<T> } | undefined;
  return (maxAgeMs) => {
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
