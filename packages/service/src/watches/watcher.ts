import { fairSlots } from '@telecine/contract/domain/call-quota.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Leases } from '../files/ports.ts';
import type { WatchDeps } from './watch-deps.ts';
import { type SharedByWatches, watchRounds } from './watch-run.ts';

/** After the leader was killed, another service takes over within 30 s: when the lease ends, and at its next look. */
const LEASE_SECONDS = 25;

/** How often the leader renews its lease and looks for changes of watches, and how often others ask for the lease. */
const LOOK_MS = 4000;

/** How long after the end of a job the next round begins, so that many ends cause one round. */
const ROUND_MS = 250;

/** How many folders a service lists at a time: a list of a large folder takes much memory. One client leaves a slot to others. */
const LISTS = { slots: 4, perClient: 3 };

/** Absent: no other service uses the database. */
type Lead = { readonly leases: Pick<Leases, 'take' | 'release'>; readonly holder: string } | undefined;

/** A watch that is not paused. */
interface RunningWatch {
  readonly clientId: string;
  readonly round: () => Promise<number>;
  /** When a client last changed it. */
  changedAt: string;
  /** When the next round begins. */
  dueMs: number;
  isBusy: boolean;
}

export type Watcher = ReturnType<typeof startWatcher>;

/** Works in rounds for all watches that are not paused, while this service is the leader. */
export function startWatcher(deps: WatchDeps & { readonly lead?: Lead }, lookMs = LOOK_MS) {
  const { lead, monotonic } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const watches = new Map<string, RunningWatch>();
  const rounds = new Set<Promise<void>>();
  const lease = { name: 'watches', holder: lead?.holder ?? '' };
  let leads = lead === undefined;
  let lookDueMs = Number.NEGATIVE_INFINITY;
  let woken = Promise.withResolvers<void>();
  const shared: SharedByWatches = { earliest: new Map(), inTurn: fairSlots(LISTS), leads: () => leads };

  const resign = async (): Promise<void> => {
    leads = false;
    await lead?.leases.release(lease);
  };

  const look = async (): Promise<void> => {
    lookDueMs = monotonic() + lookMs;
    const running = new Map((await deps.watches.list({ isRunning: true })).map((watch) => [watch.watchId, watch]));
    if (lead !== undefined && running.size > 0) leads = await lead.leases.take(lease, LEASE_SECONDS);
    else if (lead !== undefined && leads) await resign();
    for (const [list, ms] of shared.earliest) if (ms < monotonic()) shared.earliest.delete(list);
    // A round that still runs ends first, so that none begins beside it.
    for (const [watchId, { isBusy }] of watches)
      if (!isBusy && (!leads || !running.has(watchId))) watches.delete(watchId);
    for (const watch of leads ? running.values() : []) {
      const { watchId, clientId, changedAt } = watch;
      const known = watches.get(watchId);
      if (known?.changedAt === changedAt) continue;
      if (known !== undefined) Object.assign(known, { changedAt, dueMs: Number.NEGATIVE_INFINITY });
      else {
        const round = watchRounds(deps, shared, watch, signal);
        watches.set(watchId, { clientId, round, changedAt, dueMs: Number.NEGATIVE_INFINITY, isBusy: false });
      }
    }
  };

  const begin = (watch: RunningWatch): void => {
    Object.assign(watch, { isBusy: true, dueMs: Number.POSITIVE_INFINITY });
    const round = watch.round().then((pauseMs) => {
      // It may have been woken meanwhile.
      Object.assign(watch, { isBusy: false, dueMs: Math.min(watch.dueMs, monotonic() + pauseMs) });
      rounds.delete(round);
      woken.resolve();
    });
    rounds.add(round);
  };

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      woken = Promise.withResolvers<void>();
      if (lookDueMs <= monotonic())
        await look().catch((error: unknown) => {
          if (!isStoreOutage(error)) deps.onError(error);
        });
      let nextMs = lookDueMs;
      for (const watch of watches.values()) {
        if (!watch.isBusy && watch.dueMs <= monotonic() && !signal.aborted) begin(watch);
        // The end of its round wakes the loop.
        if (!watch.isBusy) nextMs = Math.min(nextMs, watch.dueMs);
      }
      const timer = setTimeout(woken.resolve, Math.max(0, nextMs - monotonic()));
      if (!signal.aborted) await woken.promise;
      clearTimeout(timer);
    }
    await Promise.all(rounds);
  };
  const ended = loop();

  return {
    /** A watch was made, changed or deleted. */
    wake: (watchId: string): void => {
      const watch = watches.get(watchId);
      if (watch !== undefined) watch.dueMs = Number.NEGATIVE_INFINITY;
      lookDueMs = Number.NEGATIVE_INFINITY;
      woken.resolve();
    },
    /** A job of this client has ended: there may be room for another one, and its source is looked at. */
    jobEnded: (clientId: string): void => {
      for (const watch of watches.values())
        if (watch.clientId === clientId) watch.dueMs = Math.min(watch.dueMs, monotonic() + ROUND_MS);
      woken.resolve();
    },
    /** Stops all work, and waits until it has ended. */
    stop: async (): Promise<void> => {
      stopping.abort();
      woken.resolve();
      await ended;
      if (leads && lead !== undefined) await resign().catch(() => {});
    },
  };
}
