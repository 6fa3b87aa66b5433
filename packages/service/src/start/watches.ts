import { rememberSuccess } from '@telecine/contract/domain/remember.ts';
import type { WatchOperations } from '../watches/watch-operations.ts';
import { every } from './background-tasks.ts';
import type { Log } from './logger.ts';
import type { WatcherConfig, WatcherParts } from './watcher.ts';

/** How often a service that has not loaded the watcher asks whether there are watches: another service may have made one. */
const REFRESH_MS = 60_000;

/**
 * Opens watches. The code for them is loaded when there is a watch that is not paused, or when a client asks about watches. Stops when
 * `closers` is disposed of.
 */
export function openWatches(
  closers: AsyncDisposableStack,
  config: WatcherConfig,
  log: Log['log'],
  parts: WatcherParts,
): WatchOperations {
  const open = rememberSuccess(async () => (await import('./watcher.ts')).openWatcher(config, log, parts));
  const openIfNeeded = async (): Promise<void> => {
    if (open.started() === undefined && (await parts.storage.store.watches.hasRunning())) await open();
  };
  closers.defer(async () => (await open.started()?.catch(() => undefined))?.stop());
  closers.use(every(REFRESH_MS, 'watches', openIfNeeded, log, { startsNow: true }));
  const load = async (): Promise<WatchOperations> => (await open()).operations;
  return {
    create: async (...args) => (await load()).create(...args),
    dryRun: async (...args) => (await load()).dryRun(...args),
    list: async (...args) => (await load()).list(...args),
    get: async (...args) => (await load()).get(...args),
    change: async (...args) => (await load()).change(...args),
    remove: async (...args) => (await load()).remove(...args),
    files: async (...args) => (await load()).files(...args),
    retry: async (...args) => (await load()).retry(...args),
  };
}
