import { fairSlots, takeSlot } from '@telecine/contract/domain/call-quota.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Leases } from '../files/ports.ts';
import type { WatchChange } from '../jobs/job-changes.ts';
import type { WatchStore } from './ports.ts';
import { reportWrites } from './report-writes.ts';
import { startWatchRun, type WatchRun, type WatchRunDeps } from './watch-run.ts';

/** The lease of the service that works for all watches. */
export const WATCH_LEASE = 'watches';

/** After the leader was killed, another service takes over within 30 s: when the lease ends, and at its next look. */
const LEASE_SECONDS = 25;

/** How often the leader renews its lease and looks for changes of watches, and how often others ask for the lease. */
const LOOK_MS = 4000;

/** How many folders a service lists at a time: a list of a large folder takes much memory. One client leaves a slot to others. */
const LISTS = { slots: 4, perClient: 3 };

interface WatcherDeps extends WatchRunDeps {
  readonly watches: WatchRunDeps['watches'] & Pick<WatchStore, 'running'>;
  /** Absent: no other service uses the database. */
  readonly lead?: { readonly leases: Pick<Leases, 'take' | 'release'>; readonly holder: string } | undefined;
  /** Called after each write about a watch or its files, except with its jobs. */
  readonly onChange?: ((change: WatchChange) => void) | undefined;
}

export type Watcher = ReturnType<typeof startWatcher>;

/** Works for all watches that are not paused, each in a loop of its own, while this service is the leader. */
export function startWatcher(deps: WatcherDeps, lookMs = LOOK_MS) {
  const { lead } = deps;
  const stopping = new AbortController();
  const runs = new Map<string, { readonly run: WatchRun; readonly ending: AbortController; seen: string }>();
  const slots = fairSlots(LISTS);
  const earliest = new Map<string, number>();
  const takeTurn: WatchRunDeps['takeTurn'] = (clientId, signal) => takeSlot(slots, clientId, signal);

  const lease = { name: WATCH_LEASE, holder: lead?.holder ?? '' };
  let hasLease = false;
  /** Takes the lease, or renews it. Gives it up while there is nothing to do. */
  const isLeader = async (isNeeded: boolean): Promise<boolean> => {
    if (lead === undefined) return true;
    if (!isNeeded && hasLease) await lead.leases.release(lease);
    hasLease = isNeeded && (await lead.leases.take(lease, LEASE_SECONDS));
    return hasLease || !isNeeded;
  };

  const look = async (): Promise<void> => {
    const running = await deps.watches.running();
    const leads = await isLeader(running.length > 0);
    const watches = leads ? running : [];
    if (stopping.signal.aborted) return;
    for (const [list, ms] of earliest) if (ms < deps.monotonic()) earliest.delete(list);
    for (const { ending } of runs.values()) if (!leads) ending.abort();
    const ids = new Set(watches.map(({ watchId }) => watchId));
    // A run sees by itself that its watch is paused.
    for (const [id, { run }] of runs) if (!ids.has(id)) run.wake();
    for (const watch of watches) {
      const { watchId, clientId } = watch;
      const seen = watch.changedAt;
      const known = runs.get(watchId);
      if (known === undefined) {
        const ending = new AbortController();
        const signal = AbortSignal.any([stopping.signal, ending.signal]);
        const reported = reportWrites(deps, () => deps.onChange?.({ watchId, clientId }));
        const run = startWatchRun({ takeTurn, earliest, ...reported }, watch, signal);
        runs.set(watchId, { run, ending, seen });
        run.ended.then(() => {
          runs.delete(watchId);
          // The watch may have been resumed meanwhile.
          lookNow();
        }, deps.onError);
      } else if (known.seen !== seen) {
        known.seen = seen;
        known.run.wake();
      }
    }
  };

  let looking: Promise<void> | undefined;
  let isStale = false;
  const lookNow = (): void => {
    isStale = true;
    looking ??= (async () => {
      while (isStale && !stopping.signal.aborted) {
        isStale = false;
        await look().catch((error: unknown) => {
          if (!isStoreOutage(error)) deps.onError(error);
        });
      }
      looking = undefined;
    })();
  };
  lookNow();
  const timer = setInterval(lookNow, lookMs);
  timer.unref();

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
      clearInterval(timer);
      stopping.abort();
      await looking;
      await Promise.all([...runs.values()].map(({ run }) => run.ended));
      if (hasLease) await lead?.leases.release(lease).catch(() => {});
    },
  };
}
