import { randomUUID } from 'node:crypto';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Config } from '../config/config.ts';
import { sweepBins } from '../files/bin.ts';
import type { Lease, Leases } from '../files/ports.ts';
import { sumStorage } from '../files/sum-storage.ts';
import { sweepUploads } from '../files/sweep-uploads.ts';
import { type UploadOperations, uploadOperations } from '../files/uploads.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { every, everyHour } from './background-tasks.ts';
import type { Log } from './logger.ts';
import type { Storage } from './storage.ts';

type RootOf = (clientId: string) => Promise<MediaRoot>;

/** How often the service checks which media roots are due to be added up. */
const SUMS_MS = 10_000;

/** Adds up the media roots of clients. When the service closes, the sum in progress ends. */
export function startStorageSums(
  closers: AsyncDisposableStack,
  log: Log['log'],
  { store, files, folderOf }: Storage,
  rootOf: RootOf,
): void {
  const stopping = new AbortController();
  const deps = {
    ...{ stored: store.storedFiles, store: files, rootOf, folderOf, stopping: stopping.signal },
    ...{ lease: { name: 'storage sums', holder: randomUUID() }, leases: store.leases },
    onFailure: firstFailures(log, 'media root not added up'),
  };
  releaseAtEnd(closers, store.leases, deps.lease);
  closers.use(every(SUMS_MS, 'storage sums', () => sumStorage(deps), log, { startsNow: true }));
  closers.defer(() => stopping.abort());
}

/** Releases a lease when the service closes, so that another one goes on at once. A lease that cannot be released runs out. */
const releaseAtEnd = (closers: AsyncDisposableStack, leases: Leases, lease: Lease): void =>
  closers.defer(() => leases.release(lease).catch(() => {}));

/** Logs the first failure of each client, because rounds repeat it. */
function firstFailures(log: Log['log'], message: string) {
  const known = new Set<string>();
  return (failure: { readonly clientId: string; readonly err: unknown }): void => {
    if (isStoreOutage(failure.err) || known.has(failure.clientId)) return;
    known.add(failure.clientId);
    log.warn(failure, message);
  };
}

const BIN_SWEEP_MS = 60_000;

/** A bin gives up room while its disk has less free space than this multiple of what the service keeps free. */
const BIN_MARGIN = 1.25;

/** Deletes old entries of bins every minute. Only one service at a time does so. */
export function startBinSweeps(
  closers: AsyncDisposableStack,
  { minFreeBytes, binSeconds }: Pick<Config, 'minFreeBytes' | 'binSeconds'>,
  log: Log['log'],
  { store, files, folderOf }: Storage,
  rootOf: RootOf,
): void {
  const lease = { name: 'bin', holder: randomUUID() };
  const owners = async () => {
    const all = (await store.clients.list()).map(async ({ clientId }) => ({ clientId, root: await rootOf(clientId) }));
    return [...new Map((await Promise.all(all)).map((owner) => [folderOf(owner.root), owner])).values()];
  };
  const sweep = {
    ...{
      store: files,
      stored: store.storedFiles,
      keepSeconds: binSeconds,
      owners,
      minFreeBytes: minFreeBytes * BIN_MARGIN,
    },
    onFailure: firstFailures(log, 'bin not swept'),
  };
  const round = async (): Promise<void> => {
    if (await store.leases.take(lease, (2 * BIN_SWEEP_MS) / 1000)) await sweepBins(sweep);
  };
  releaseAtEnd(closers, store.leases, lease);
  closers.use(every(BIN_SWEEP_MS, 'bin', round, log, { startsNow: true }));
}

/** Creates the operations on uploads. Removes expired uploads every hour. */
export function openUploads(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  { store, uploadParts, withRoom }: Storage,
  metrics: Metrics,
): UploadOperations {
  const deps = {
    store: store.resumableUploads,
    stored: store.storedFiles,
    withRoom,
    leases: store.leases,
    parts: uploadParts,
    keepSeconds: config.binSeconds,
    maxBytes: config.maxUploadBytes,
    expirySeconds: config.uploadExpirySeconds,
    onEvent: metrics.countUpload,
    log,
  };
  closers.use(everyHour(() => sweepUploads(deps), log, { startsNow: true }));
  return uploadOperations(deps);
}
