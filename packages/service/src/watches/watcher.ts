import { fairSlots } from '@telecine/contract/domain/call-quota.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Leases } from '../files/ports.ts';
import type { WatchDeps } from './watch-deps.ts';
import { type SharedByWatches, watchRounds } from './watch-run.ts';

/** After the leader was killed, another service takes over within 30 s: when the lease ends, and at its next look. */
const LEASE_SECONDS = 25;

/** How often the leader renews its lease and looks for changes of watches, and how often others ask for the lease. */
const LOOK_MS = 4000;

/** The interval at which due work begins, so that many ends of jobs cause one round. */
const TICK_MS = 250;

/** How many folders a service lists at a time: a list of a large folder takes much memory. One client leaves a slot to others. */
const LISTS = { slots: 4, perClient: 3 };

/** Absent: no other service uses the database. */
type Lead = { readonly leases: Pick<Leases, 'take' | 'release'>; readonly holder: string } | undefined;

/** Work that is repeated, and never runs twice at a time. `run` never rejects, and resolves to the pause after it in milliseconds. */
interface Task {
  readonly run: () => Promise<number>;
  /** When it begins next. */
  dueMs: number;
  isBusy: boolean;
}

/** The rounds of a watch that is not paused. */
interface RunningWatch extends Task {
  readonly clientId: string;
  /** When a client last changed it. */
  changedAt: string;
}

/** A task that is due at once. */
const taskOf = (run: Task['run']): Task => ({ run, dueMs: Number.NEGATIVE_INFINITY, isBusy: false });

export type Watcher = ReturnType<typeof startWatcher>;

/** Works in rounds for all watches that are not paused, while this service is the leader. */
export function startWatcher(deps: WatchDeps & { readonly lead?: Lead }, lookMs = LOOK_MS) {
  const { lead, monotonic } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const watches = new Map<string, RunningWatch>();
  const running = new Set<Promise<void>>();
  const lease = { name: 'watches', holder: lead?.holder ?? '' };
  let leads = lead === undefined;
  const shared: SharedByWatches = { earliest: new Map(), inTurn: fairSlots(LISTS), leads: () => leads };

  const resign = async (): Promise<void> => {
    leads = false;
    await lead?.leases.release(lease);
  };

  const look = async (): Promise<void> => {
    const active = new Map((await deps.watches.list({ isRunning: true })).map((watch) => [watch.watchId, watch]));
    if (lead !== undefined && active.size > 0) leads = await lead.leases.take(lease, LEASE_SECONDS);
    else if (lead !== undefined && leads) await resign();
    for (const [list, ms] of shared.earliest) if (ms < monotonic()) shared.earliest.delete(list);
    // A round that still runs ends first, so that none begins beside it.
    for (const [watchId, { isBusy }] of watches)
      if (!isBusy && (!leads || !active.has(watchId))) watches.delete(watchId);
    for (const watch of leads ? active.values() : []) {
      const { watchId, clientId, changedAt } = watch;
      const known = watches.get(watchId);
      if (known === undefined)
        watches.set(watchId, { ...taskOf(watchRounds(deps, shared, watch, signal)), clientId, changedAt });
      else if (known.changedAt !== changedAt) Object.assign(known, { changedAt, dueMs: Number.NEGATIVE_INFINITY });
    }
  };
  const looks = taskOf(async () => {
    await look().catch((error: unknown) => {
      if (!isStoreOutage(error)) deps.onError(error);
    });
    return lookMs;
  });

  const begin = (task: Task): void => {
    Object.assign(task, { isBusy: true, dueMs: Number.POSITIVE_INFINITY });
    const run = task.run().then((pauseMs) => {
      // It may have been woken meanwhile.
      Object.assign(task, { isBusy: false, dueMs: Math.min(task.dueMs, monotonic() + pauseMs) });
      running.delete(run);
      tick();
    });
    running.add(run);
  };
  const tick = (): void => {
    for (const task of [looks, ...watches.values()])
      if (!task.isBusy && task.dueMs <= monotonic() && !signal.aborted) begin(task);
  };
  const timer = setInterval(tick, TICK_MS);
  tick();

  return {
    /** A watch was made, changed or deleted. */
    wake: (watchId: string): void => {
      for (const task of [looks, watches.get(watchId)]) if (task) task.dueMs = Number.NEGATIVE_INFINITY;
      tick();
    },
    /** A job of this client has ended: there may be room for another one, and its source is looked at. */
    jobEnded: (clientId: string): void => {
      for (const watch of watches.values())
        if (watch.clientId === clientId) watch.dueMs = Math.min(watch.dueMs, monotonic() + TICK_MS);
    },
    /** Stops all work, and waits until it has ended. */
    stop: async (): Promise<void> => {
      stopping.abort();
      clearInterval(timer);
      await Promise.all(running);
      if (leads && lead !== undefined) await resign().catch(() => {});
    },
  };
}
