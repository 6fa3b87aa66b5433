import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { RecountFiles } from '@telecine/contract/domain/stored-files.ts';
import type { Config } from '../config/config.ts';
import { openBackgroundRepeats } from '../files/background-repeats.ts';
import { type CheckFilesDeps, checkFiles } from '../files/check-files.ts';
import { type ClientFolder, type OtherCounts, otherCounts } from '../files/other-counts.ts';
import { fileRecount } from '../files/recount-files.ts';
import { type UploadOperations, uploadOperations } from '../files/resumable-uploads.ts';
import { type SweepBinDeps, sweepBin } from '../files/sweep-bin.ts';
import { sweepUploads } from '../files/sweep-uploads.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { every, everyHour } from './background-tasks.ts';
import type { Log } from './logger.ts';
import type { Storage } from './storage.ts';

/** Compares the counted files of clients with the real files every hour. When the service closes, it waits for the running check. */
export function startFileChecks(
  closers: AsyncDisposableStack,
  deps: Pick<CheckFilesDeps, 'stored' | 'store' | 'rootOf' | 'leases' | 'recheckMs'>,
  log: Log['log'],
): void {
  const stopping = new AbortController();
  let round = Promise.resolve();
  const check = (): Promise<void> => {
    round = checkFiles({
      ...deps,
      now: () => new Date(),
      stopping: stopping.signal,
      onFailure: (failure) => {
        if (!isStoreOutage(failure.err)) log.warn(failure, 'counted files not checked');
      },
    });
    return round;
  };
  closers.defer(async () => {
    stopping.abort();
    await round.catch(() => {});
  });
  closers.use(everyHour(check, log, { startsNow: true }));
}

const BIN_SWEEP_MS = 60_000;

/** The bins give up room while the disk of the media has less free space than this multiple of what the service keeps free. */
const BIN_MARGIN = 1.25;

/** Deletes old entries of the bins every minute. When the service closes, it waits for the current entry. */
export function startBinSweeps(
  closers: AsyncDisposableStack,
  { minFreeBytes, storage }: Pick<Config, 'minFreeBytes' | 'storage'>,
  log: Log['log'],
  { store, files, media }: Storage,
  clientOf: SweepBinDeps['clientOf'],
): void {
  const stopping = new AbortController();
  const deps: SweepBinDeps = {
    ...{ bin: store.bin, store: files, stored: store.storedFiles, leases: store.leases, clientOf },
    // With a bucket, this disk has only scratch folders.
    lacking: async () => (storage === undefined ? minFreeBytes * BIN_MARGIN - (await media.freeBytes()) : 0),
    stopping: stopping.signal,
    onFailure: (failure) => {
      if (!isStoreOutage(failure.err)) log.warn(failure, 'entries of a bin not deleted');
    },
  };
  closers.use(every(BIN_SWEEP_MS, 'bin', () => sweepBin(deps), log));
  closers.defer(() => stopping.abort());
}

/** Creates the function that counts the files of a client again, for uploads, jobs and deletions. */
export const openRecount = (
  closers: AsyncDisposableStack,
  { store, files }: Storage,
  rootOf: (clientId: string) => Promise<MediaRoot>,
  log: Log['log'],
): RecountFiles =>
  fileRecount({
    stored: store.storedFiles,
    store: files,
    rootOf,
    repeats: closers.use(openBackgroundRepeats()),
    onFailure: (failure) => {
      if (!isStoreOutage(failure.err)) log.warn(failure, 'files not recounted');
    },
  });

/** How long the media roots of clients are taken to be the same: one request can delete a thousand files. */
const FOLDERS_MS = 1000;

/** Creates what counts the files that one client changes for other clients. */
export function openOtherCounts({ store, rootOf, folderOf }: Storage, recount: RecountFiles): OtherCounts {
  const read = async (): Promise<readonly ClientFolder[]> =>
    (await store.clients.list())
      .filter(({ revokedAt }) => revokedAt === undefined)
      .map(({ clientId, root }) => ({ clientId, folder: folderOf(rootOf(root, clientId, {})) }));
  let last: { readonly reading: Promise<readonly ClientFolder[]>; readonly untilMs: number } | undefined;
  const folders = (): Promise<readonly ClientFolder[]> => {
    if (last === undefined || performance.now() >= last.untilMs) {
      const reading = read();
      last = { reading, untilMs: performance.now() + FOLDERS_MS };
      reading.catch(() => {
        last = undefined;
      });
    }
    return last.reading;
  };
  return otherCounts({ stored: store.storedFiles, recount, folders });
}

/** Creates the operations on resumable uploads. Removes expired uploads every hour. */
export function openUploads(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  { store, files, uploadParts }: Storage,
  { recount, metrics }: { readonly recount: RecountFiles; readonly metrics: Metrics },
): UploadOperations {
  const deps = {
    store: store.resumableUploads,
    stored: store.storedFiles,
    recount,
    leases: store.leases,
    parts: uploadParts,
    replacedFiles: { bin: store.bin, stored: store.storedFiles, store: files, keepSeconds: config.binSeconds },
    maxBytes: config.maxUploadBytes,
    expirySeconds: config.uploadExpirySeconds,
    onEvent: metrics.countUpload,
    log,
  };
  closers.use(everyHour(() => sweepUploads(deps), log, { startsNow: true }));
  return uploadOperations(deps);
}
