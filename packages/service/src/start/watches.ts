import { randomUUID } from 'node:crypto';
import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import type { Config } from '../config/config.ts';
import type { Failpoint } from '../config/failpoint.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { ProbeOperations } from '../jobs/probe.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { shownFrame } from '../watches/file-request.ts';
import type { WatchDeps } from '../watches/watch-deps.ts';
import { type WatchOperations, watchOperations } from '../watches/watch-operations.ts';
import { watchedFolders } from '../watches/watched-folders.ts';
import { startWatcher } from '../watches/watcher.ts';
import type { Auth } from './auth.ts';
import { internalErrors } from './background-tasks.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './logger.ts';
import type { Audit } from './observability.ts';
import type { Storage } from './storage.ts';
import type { Webhooks } from './webhooks.ts';

interface WatchParts extends Pick<Auth, 'clientContextOf'> {
  readonly storage: Storage;
  readonly jobs: Jobs;
  readonly files: FileOperations;
  readonly probes: ProbeOperations;
  readonly audit: Audit;
  readonly webhooks: Webhooks;
  readonly metrics: Metrics;
  readonly failpoint: (reached: Failpoint) => void;
}

/** Works for watches until `closers` is disposed of, and builds the operations on them. */
export function openWatches(
  closers: AsyncDisposableStack,
  config: Pick<Config, 'binSeconds' | 'storage'>,
  log: Log['log'],
  { storage, jobs, files, probes, clientContextOf, audit, webhooks, metrics, failpoint }: WatchParts,
): WatchOperations {
  const { store, isShared } = storage;
  const { operations, watchChanges } = jobs;
  const onError = internalErrors(log, { component: 'watches' });
  const isBucket = (folder: string) => config.storage !== undefined || isBucketPath(folder);
  const deps: WatchDeps = {
    ...{ watches: store.watches, ledger: store.watchLedger, files, onError },
    folders: watchedFolders(storage.files, storage.media, isBucket),
    jobs: { ...operations, get: store.jobs.get, outputs: store.jobs.outputs },
    // A bucket has no bin, or keeps versions by itself.
    hasBin: config.binSeconds > 0 && config.storage === undefined,
    callerOf: async (clientId) => {
      const client = await store.clients.get(clientId);
      if (client === undefined || client.revokedAt !== undefined) return undefined;
      const { root, policy } = await clientContextOf(clientId);
      return { clientId, scopes: client.scopes, root, policy };
    },
    frameOf: async (caller, input, signal) =>
      shownFrame((await probes.probe(caller, { input }, signal)).streams.find(isVideoNotCover)),
    now: () => new Date(),
    monotonic: () => performance.now(),
    onPoll: metrics.countWatchScan,
    onStep: failpoint,
    onChange: watchChanges.publish,
    onDone: (clientId, file, action, to) => {
      failpoint('after-watch-source');
      const details = { watchId: file.watchId, client: clientId, ...(to !== undefined && { to }) };
      audit.note({ action, outcome: 'done', via: 'service', target: file.path, details });
    },
    // A crash before an event is stored loses it, but the state of the watch says the same.
    onEvent: (type, data, cause) => {
      const { watchId, client, stopped } = data;
      const why = (cause ?? stopped)?.message;
      if (data.file === undefined) log.warn({ watchId, client, event: type, why, err: cause?.cause }, 'watch changed');
      const content = { type, timestamp: new Date().toISOString(), data };
      store.transactions.run((tx) => webhooks.recordWatchEvent(tx, content)).then(webhooks.wake, onError);
    },
  };
  const watcher = startWatcher({ ...deps, ...(isShared && { lead: { leases: store.leases, holder: randomUUID() } }) });
  closers.defer(watcher.stop);
  closers.defer(jobs.onEnded(watcher.jobEnded));
  // Changes by clients come from this service and from others: one of all services works for the watches.
  closers.defer(
    watchChanges.subscribe(({ watchId, isByClient }) => {
      if (isByClient) watcher.wake(watchId);
    }),
  );
  return watchOperations(deps, operations);
}
