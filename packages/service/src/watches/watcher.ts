import { fairSlots, takeSlot } from '@telecine/contract/domain/call-quota.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Leases } from '../files/ports.ts';
import type { WatchStore } from './ports.ts';
import { scanCosts } from './scan-costs.ts';
import { nameOfServiceLease, SERVICE_LEASES, type ServiceLeaseTimes, serviceLease } from './service-lease.ts';
import { leaseOfWatch, startWatchRun, WATCH_LEASES, type WatchRun, type WatchRunDeps } from './watch-run.ts';

/** How often a service looks for watches that another service has made or resumed. One cheap read. */
const REFRESH_MS = 60_000;

/** How many whole folders a service scans at a time, without those on remote disks. A scan can take hours, so one client leaves a slot to others. */
const SCANS = { slots: 4, perClient: 3 };

export interface Watcher {
  /** Starts work for a watch that was made or changed. */
  wake(watchId: string): void;
  /** Scans the folder of a watch soon. `paths`: only these, which have probably changed. Returns false if another service works for the watch. */
  scan(watchId: string, paths?: readonly string[]): boolean;
  /** A job of this client has ended. */
  jobEnded(clientId: string): void;
  /** Stops all work, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Works for all watches that are not paused, each in a loop of its own. */
export function startWatcher(
  deps: WatchRunDeps & {
    readonly watches: Pick<WatchStore, 'running'>;
    readonly leases: Pick<Leases, 'take' | 'release' | 'list' | 'anyHeld' | 'expired'>;
    /** Absent: no other service uses the database. */
    readonly serviceLease?: ServiceLeaseTimes | undefined;
  },
  refreshMs = REFRESH_MS,
): Watcher {
  const stopping = new AbortController();
  const runs = new Map<string, WatchRun>();
  /** Watches that were woken while their run ended: they may run again. */
  const woken = new Set<string>();
  const scans = fairSlots(SCANS);
  const ownRuns = (): readonly WatchRun[] => [...runs.values()].filter((run) => !run.isElsewhere());
  const alive =
    deps.serviceLease &&
    serviceLease(
      {
        ...{ leases: deps.leases, holder: deps.holder, monotonic: deps.monotonic, onError: deps.onError },
        isNeeded: () => ownRuns().length > 0,
        onLost: () => {
          for (const run of runs.values()) run.forgetLease();
        },
      },
      deps.serviceLease,
    );
  const runDeps: WatchRunDeps = {
    takeTurn: (clientId, signal) => takeSlot(scans, clientId, signal),
    countWatches: () => ownRuns().length,
    scanCosts: scanCosts(),
    showAlive: alive?.keep,
    ...deps,
  };
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

  const startAll = shareRunning(async () => {
    while (isStale && !stopping.signal.aborted) {
      isStale = false;
      await start().catch((error: unknown) => {
        if (!isStoreOutage(error)) deps.onError(error);
      });
    }
  });
  const refresh = (): void => {
    isStale = true;
    void startAll();
  };

  const onLeaseError = (error: unknown): void => {
    if (!isStoreOutage(error)) deps.onError(error);
  };
  if (deps.serviceLease !== undefined) deleteExpired(deps.leases).catch(onLeaseError);
  refresh();
  const timer = setInterval(refresh, refreshMs);
  timer.unref();
  let isLooking = false;
  const lookAtOthers = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    await takeOver(deps, runs)
      .catch(onLeaseError)
      .finally(() => {
        isLooking = false;
      });
  };
  const looking = deps.serviceLease && setInterval(lookAtOthers, deps.serviceLease.lookMs);
  looking?.unref();

  return {
    wake: (watchId) => {
      const run = runs.get(watchId);
      if (run === undefined) refresh();
      else {
        woken.add(watchId);
        run.wake();
      }
    },
    scan: (watchId, paths) => runs.get(watchId)?.scan(paths) ?? false,
    jobEnded: (clientId) => {
      for (const run of runs.values()) if (run.clientId === clientId) run.jobEnded();
    },
    stop: async () => {
      clearInterval(timer);
      clearInterval(looking);
      stopping.abort();
      await startAll.started();
      await Promise.all([...runs.values()].map(({ ended }) => ended));
      await alive?.end().catch(() => {});
    },
  };
}

/** Lets runs work whose watches belong to no other service any more: it has ended, or it is dead. Costs nothing if there are no such runs. */
async function takeOver(
  { leases }: { readonly leases: Pick<Leases, 'release' | 'list' | 'anyHeld'> },
  runs: ReadonlyMap<string, WatchRun>,
): Promise<void> {
  const elsewhere = [...runs].filter(([, run]) => run.isElsewhere());
  if (elsewhere.length === 0) return;
  const holders = new Map((await leases.list(WATCH_LEASES)).map(({ name, data }) => [name, data]));
  const areAlive = new Map<string, boolean>();
  for (const [watchId, run] of elsewhere) {
    const name = leaseOfWatch(watchId);
    const holder = holders.get(name);
    if (holder !== undefined) {
      const isAlive = areAlive.get(holder) ?? (await leases.anyHeld([nameOfServiceLease(holder)]));
      if (!isAlive && !areAlive.has(holder)) await leases.release({ name: nameOfServiceLease(holder), holder });
      areAlive.set(holder, isAlive);
      if (isAlive) continue;
      await leases.release({ name, holder });
    }
    run.wake();
  }
}

/** The most leases that one start deletes. */
const DELETED_LEASES = 1000;

/** Deletes leases of services that were killed, and of watches that nobody works for any more. */
async function deleteExpired({ expired, release }: Pick<Leases, 'expired' | 'release'>): Promise<void> {
  for (const { name } of await expired(SERVICE_LEASES, DELETED_LEASES))
    await release({ name, holder: name.slice(SERVICE_LEASES.length) });
  for (const { name, data } of await expired(WATCH_LEASES, DELETED_LEASES))
    if (data !== undefined) await release({ name, holder: data });
}
