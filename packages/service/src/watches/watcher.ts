import { fairSlots } from '@telecine/contract/domain/call-quota.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Leases } from '../files/ports.ts';
import type { WatchDeps } from './watch-deps.ts';
import { type SharedByRuns, startWatchRun, type WatchRun } from './watch-run.ts';

/** After the leader was killed, another service takes over within 30 s: when the lease ends, and at its next look. */
const LEASE_SECONDS = 25;

/** How often the leader renews its lease and looks for changes of watches, and how often others ask for the lease. */
const LOOK_MS = 4000;

/** How often a service without watches looks: it is told of most watches that others make. */
const IDLE_MS = 60_000;

/** How many folders a service lists at a time: a list of a large folder takes much memory. One client leaves a slot to others. */
const LISTS = { slots: 4, perClient: 3 };

/** Absent: no other service uses the database. */
type Lead = { readonly leases: Pick<Leases, 'take' | 'release'>; readonly holder: string } | undefined;

export type Watcher = ReturnType<typeof startWatcher>;

/** Works for all watches that are not paused, each in a loop of its own, while this service is the leader. */
export function startWatcher(deps: WatchDeps & { readonly lead?: Lead }, lookMs = LOOK_MS) {
  const { lead } = deps;
  const stopping = new AbortController();
  const runs = new Map<string, { readonly run: WatchRun; seen: string }>();
  const lease = { name: 'watches', holder: lead?.holder ?? '' };
  let leads = lead === undefined;
  const shared: SharedByRuns = { earliest: new Map(), inTurn: fairSlots(LISTS), leads: () => leads };

  let [isStale, hasWatches] = [false, false];
  const look = async (): Promise<void> => {
    const running = await deps.watches.list({ isRunning: true });
    hasWatches = running.length > 0;
    if (lead !== undefined) {
      if (hasWatches) leads = await lead.leases.take(lease, LEASE_SECONDS);
      else if (leads) await resign();
    }
    for (const [list, ms] of shared.earliest) if (ms < deps.monotonic()) shared.earliest.delete(list);
    const changes = new Map(running.map((watch) => [watch.watchId, watch.changedAt]));
    for (const [id, known] of runs) {
      // A run sees by itself that its watch was changed, paused or deleted.
      const seen = changes.get(id) ?? '';
      if (seen !== known.seen || !leads) known.run.wake();
      known.seen = seen;
    }
    if (stopping.signal.aborted || !leads) return;
    for (const watch of running.filter(({ watchId }) => !runs.has(watchId))) {
      const run = startWatchRun(deps, shared, watch, stopping.signal);
      runs.set(watch.watchId, { run, seen: watch.changedAt });
      run.ended.then(() => {
        runs.delete(watch.watchId);
        // The watch may have been resumed meanwhile.
        lookNow();
      }, deps.onError);
    }
  };

  const resign = async (): Promise<void> => {
    leads = false;
    await lead?.leases.release(lease);
  };

  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const lookNow = (): void => {
    isStale = true;
    looking ??= (async () => {
      clearTimeout(timer);
      while (isStale && !stopping.signal.aborted) {
        isStale = false;
        await look().catch((error: unknown) => {
          if (!isStoreOutage(error)) deps.onError(error);
        });
      }
      looking = undefined;
      if (!stopping.signal.aborted) timer = setTimeout(lookNow, hasWatches ? lookMs : IDLE_MS).unref();
    })();
  };
  lookNow();

  return {
    /** A watch was made, changed or deleted. */
    wake: (watchId: string): void => {
      runs.get(watchId)?.run.wake();
      lookNow();
    },
    /** A job of this client has ended. */
    jobEnded: (clientId: string): void => {
      for (const { run } of runs.values()) if (run.clientId === clientId) run.jobEnded();
    },
    /** Stops all work, and waits until it has ended. */
    stop: async (): Promise<void> => {
      clearTimeout(timer);
      stopping.abort();
      for (const { run } of runs.values()) run.wake();
      await looking;
      await Promise.all([...runs.values()].map(({ run }) => run.ended));
      if (leads && lead !== undefined) await resign().catch(() => {});
    },
  };
}
