import { randomUUID } from 'node:crypto';
import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { shownFolder, type Watch } from '@telecine/contract/domain/watch.ts';
import { failureView, watchedFileView } from '@telecine/contract/wire/watch.ts';
import type { Config } from '../config/config.ts';
import type { Failpoint } from '../config/failpoint.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { ProbeOperations } from '../jobs/probe.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { shownFrame } from '../watches/file-request.ts';
import { type WatchOperations, watchOperations } from '../watches/watch-operations.ts';
import type { WatchHappening } from '../watches/watch-run.ts';
import { watchedFolders } from '../watches/watched-folders.ts';
import { startWatcher } from '../watches/watcher.ts';
import type { Auth } from './auth.ts';
import { internalErrors } from './background-tasks.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './logger.ts';
import type { Audit } from './observability.ts';
import type { Storage } from './storage.ts';
import type { Webhooks } from './webhooks.ts';

export type WatcherConfig = Pick<Config, 'binSeconds' | 'storage'>;

export interface WatcherParts {
  readonly storage: Storage;
  readonly jobs: Pick<Jobs, 'operations' | 'onEnded' | 'watchChanges'>;
  readonly files: Pick<FileOperations, 'move' | 'removeAll'>;
  readonly probes: Pick<ProbeOperations, 'probe'>;
  readonly clientContextOf: Auth['clientContextOf'];
  readonly audit: Pick<Audit, 'note'>;
  readonly webhooks: Pick<Webhooks, 'recordWatchEvent' | 'wake'>;
  readonly metrics: Pick<Metrics, 'countWatchScan'>;
  readonly failpoint: (reached: Failpoint) => void;
}

export interface OpenWatcher {
  readonly operations: WatchOperations;
  /** Stops all scans and submissions, and waits until they have ended. */
  stop(): Promise<void>;
}

/** Starts the loops that scan the folders of watches, and builds the operations on watches. */
export async function openWatcher(config: WatcherConfig, log: Log['log'], deps: WatcherParts): Promise<OpenWatcher> {
  const { storage, jobs, probes, clientContextOf, failpoint, audit, webhooks } = deps;
  const { store, isShared } = storage;
  const folders = watchedFolders(
    storage.files,
    storage.media,
    (folder) => config.storage !== undefined || isBucketPath(folder),
  );
  const { operations } = jobs;
  const now = (): Date => new Date();
  const onError = internalErrors(log, { component: 'watches' });
  /** Logs what has happened to a watch, and stores its event. A crash before that loses the event, but the state of the watch says the same. */
  const onHappening = (watch: Watch, { event, problem, stopped, file, files }: WatchHappening): void => {
    const { watchId, clientId, folder } = watch;
    const facts = { watchId, client: clientId };
    if (problem !== undefined)
      log.warn({ ...facts, why: problem.message, err: problem.cause }, 'watched folder unreachable');
    if (stopped !== undefined) log.warn({ ...facts, code: stopped.code }, 'watch stopped');
    if (event === 'watch.reachable') log.info(facts, 'watched folder reachable again');
    const data = () =>
      file === undefined
        ? { ...facts, folder: shownFolder(folder), ...(stopped && { stopped: failureView(stopped) }) }
        : { ...facts, file: watchedFileView(file), files };
    const at = now().toISOString();
    store.transactions
      .run((tx) => webhooks.recordWatchEvent(tx, { watchId, clientId, event, at, data }))
      .then(webhooks.wake, onError);
  };
  const callerOf = async (clientId: string): Promise<Caller | undefined> => {
    const client = await store.clients.get(clientId);
    if (client === undefined || client.revokedAt !== undefined) return undefined;
    const { root, policy } = await clientContextOf(clientId);
    return { clientId, scopes: client.scopes, root, policy };
  };
  const frameOf = async (caller: Caller, path: MediaPath, signal: AbortSignal) => {
    const { streams } = await probes.probe(caller, { input: path }, signal);
    return shownFrame(streams.find(isVideoNotCover));
  };
  const onChange = jobs.watchChanges.publish;
  const shared = { folders, frameOf, now, callerOf, onChange, watches: store.watches, ledger: store.watchLedger };
  const watcher = startWatcher({
    ...shared,
    ...(isShared && { lead: { leases: store.leases, holder: randomUUID() } }),
    jobs: {
      admit: operations.admit,
      checkWatched: operations.checkWatched,
      insertWatched: operations.insertWatched,
      get: store.jobs.get,
      outputs: store.jobs.outputs,
    },
    files: deps.files,
    // A bucket has no bin, or keeps versions by itself.
    hasBin: config.binSeconds > 0 && config.storage === undefined,
    monotonic: () => performance.now(),
    onPage: () => failpoint('before-watch-page'),
    onMarked: () => failpoint('after-watch-mark'),
    onDone: ({ file, clientId, action, to }) => {
      failpoint('after-watch-source');
      audit.note({
        action,
        outcome: 'done',
        via: 'service',
        target: file.path,
        details: { watchId: file.watchId, client: clientId, ...(to !== undefined && { to }) },
      });
    },
    onPoll: deps.metrics.countWatchScan,
    onHappening,
    onError,
  });
  const unsubscribe = jobs.onEnded(watcher.jobEnded);
  // Changes by clients come from this service and from others: one of all services works for the watches.
  const unsubscribeChanges = jobs.watchChanges.subscribe(({ watchId, isByClient }) => {
    if (isByClient) watcher.wake(watchId);
  });
  return {
    operations: watchOperations({ ...shared, jobs: operations }),
    stop: async () => {
      unsubscribe();
      unsubscribeChanges();
      await watcher.stop();
    },
  };
}
