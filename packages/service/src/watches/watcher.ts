import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import pLimit from 'p-limit';
import type { WatchStore } from './ports.ts';
import { startWatchRun, type WatchRun, type WatchRunDeps } from './watch-run.ts';

/** How often a service looks for watches that another service has made or resumed. One cheap read. */
const REFRESH_MS = 60_000;

/** How many whole folders a service scans at a time. */
const SCANS_AT_ONCE = 4;

export interface Watcher {
  /** Starts work for a watch that was made or changed. */
  wake(watchId: string): void;
  /** Scans the folder of a watch soon. `paths`: only these, which have probably changed. */
  scan(watchId: string, paths?: readonly string[]): void;
  /** A job of this client has ended. */
  jobEnded(clientId: string): void;
  /** Stops all work, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Works for all watches that are not paused, each in a loop of its own. */
export function startWatcher(
  deps: WatchRunDeps & { readonly watches: Pick<WatchStore, 'running'> },
  refreshMs = REFRESH_MS,
): Watcher {
  const stopping = new AbortController();
  const runs = new Map<string, WatchRun>();
  /** Watches that were woken while their run ended: they may run again. */
  const woken = new Set<string>();
  const inTurn = pLimit(SCANS_AT_ONCE);
  const runDeps: WatchRunDeps = { inTurn: (scan) => inTurn(scan), countWatches: () => runs.size, ...deps };
  let refreshing: Promise<void> | undefined;
  let isStale = false;

  const start = async (): Promise<void> => {
    for (const watch of await deps.watches.running()) {
      if (stopping.signal.aborted || runs.has(watch.watchId)) continue;
      const run = startWatchRun(runDeps, watch, stopping.signal);
      runs.set(watch.watchId, run);
      run.ended.then(() => {
        runs.delete(watch.watchId);
        if (woken.delete(watch.watchId)) refresh();
      }, deps.onError);
    }
  };

  const refresh = (): void => {
    isStale = true;
    refreshing ??= (async () => {
      while (isStale && !stopping.signal.aborted) {
        isStale = false;
        await start().catch((error: unknown) => {
          if (!isStoreOutage(error)) deps.onError(error);
        });
      }
    })().finally(() => {
      refreshing = undefined;
    });
  };

  refresh();
  const timer = setInterval(refresh, refreshMs);
  timer.unref();

  return {
    wake: (watchId) => {
      const run = runs.get(watchId);
      if (run === undefined) refresh();
      else {
        woken.add(watchId);
        run.wake();
      }
    },
    scan: (watchId, paths) => {
      runs.get(watchId)?.scan(paths);
    },
    jobEnded: (clientId) => {
      for (const run of runs.values()) if (run.clientId === clientId) run.jobEnded();
    },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await refreshing;
      await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
}
