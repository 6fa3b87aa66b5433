import { fairSlots, takeSlot } from '@telecine/contract/domain/call-quota.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Watch } from '@telecine/contract/domain/watch.ts';
import type { Leases } from '../files/ports.ts';
import type { WatchChange } from '../jobs/job-changes.ts';
import type { WatchStore } from '../store/watches.ts';
import { startWatchRun, type WatchRun, type WatchRunDeps } from './watch-run.ts';

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
  /** Called after each round that has changed a watch or its files, except by jobs. */
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
  const lease = { name: 'watches', holder: lead?.holder ?? '' };
  let hasLease = false;

  const begin = (watch: Watch): void => {
    const { watchId, clientId, changedAt } = watch;
    const ending = new AbortController();
    const shared = {
      earliest,
      takeTurn: (id: string, signal: AbortSignal) => takeSlot(slots, id, signal),
      onChange: () => deps.onChange?.({ watchId, clientId }),
    };
    const run = startWatchRun(deps, shared, watch, AbortSignal.any([stopping.signal, ending.signal]));
    runs.set(watchId, { run, ending, seen: changedAt });
    run.ended.then(() => {
      runs.delete(watchId);
      // The watch may have been resumed meanwhile.
      lookNow();
    }, deps.onError);
  };

  const look = async (): Promise<void> => {
    const running = await deps.watches.running();
    if (lead !== undefined) {
      if (running.length === 0 && hasLease) await lead.leases.release(lease);
      hasLease = running.length > 0 && (await lead.leases.take(lease, LEASE_SECONDS));
    }
    const leads = lead === undefined || hasLease;
    if (stopping.signal.aborted) return;
    for (const [list, ms] of earliest) if (ms < deps.monotonic()) earliest.delete(list);
    const byId = new Map(running.map((watch) => [watch.watchId, watch]));
    for (const [id, known] of runs) {
      // A run sees by itself that its watch was changed, paused or deleted.
      const seen = byId.get(id)?.changedAt ?? '';
      if (seen !== known.seen) known.run.wake();
      known.seen = seen;
      if (!leads && running.length > 0) known.ending.abort();
    }
    if (leads) for (const watch of running) if (!runs.has(watch.watchId)) begin(watch);
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
