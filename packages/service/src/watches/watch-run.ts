import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Watch, WatchedFailure, WatchWait } from '@telecine/contract/domain/watch.ts';
import type { Leases } from '../files/ports.ts';
import type { WatchChange } from '../jobs/job-changes.ts';
import { LONGEST_RETRY_MS } from './after-job.ts';
import { type Alarm, createAlarm } from './alarm.ts';
import {
  FolderUnreachable,
  type ScanKind,
  type WatchedStorage,
  type WatchLedger,
  type WatchNotes,
  type WatchSource,
  type WatchStore,
} from './ports.ts';
import { type ReconcileDeps, reconcile } from './reconcile.ts';
import { reportWrites } from './report-writes.ts';
import { whyStopped } from './rights.ts';
import { type RunScanDeps, runScan, type ScanState } from './run-scan.ts';
import { addScan, type EndedScan, NO_SCANS, nextScan, type ScanHistory } from './scans.ts';
import { type SettleSourcesDeps, settleSources } from './settle-sources.ts';
import { createSettling } from './settling.ts';
import { type Submission, type SubmitFilesDeps, submitFiles } from './submit-files.ts';
import { nameMatcher } from './watched-names.ts';

/** How long a service has the right to look at a folder. It only saves work: the ledger makes two services harmless. */
const LEASE_SECONDS = 90;
const RENEW_MS = 30_000;

/** How often a service asks for the lease that another one has. */
const LEASE_RETRY_MS = 15_000;

/** The longest pause of a run, so that it notices changes by other services and keeps its lease. */
const LONGEST_PAUSE_MS = 30_000;

/** How long a run waits if nothing tells when it can go on: other services may end jobs, and quotas become free. */
const WAIT_MS: Readonly<Record<WatchWait, number>> = { slots: 5000, quota: 15_000, hours: 30_000 };

/** How long a run waits while its client may not do what the watch does, or while the database is down. */
const STOPPED_MS = 30_000;
const OUTAGE_MS = 5000;

/** The least time between two rounds that ends of jobs cause. */
const ROUND_MS = 250;

/** The processor time of a statement, in milliseconds, as an estimate. */
const STATEMENT_MS = 1;

/** How many hints of a bucket wait for the next round. Without a hint, a list finds the file. */
const MOST_HINTS = 2000;

const KEPT_DAYS_MS = 30 * 24 * 3_600_000;

export interface WatchRunDeps extends SubmitFilesDeps, SettleSourcesDeps, RunScanDeps, ReconcileDeps {
  readonly watches: Pick<WatchStore, 'get' | 'note'>;
  readonly ledger: WatchLedger;
  readonly source: WatchSource;
  readonly leases: Pick<Leases, 'take' | 'release'>;
  /** Names this process in leases. */
  readonly holder: string;
  /** The client with the rights and limits that it has now. undefined: it was revoked. */
  readonly callerOf: (clientId: string) => Promise<Caller | undefined>;
  readonly jobs: SubmitFilesDeps['jobs'] & SettleSourcesDeps['jobs'] & ReconcileDeps['jobs'];
  /** Called after each write about a watch or its files, except with its jobs. */
  readonly onChange?: ((change: WatchChange) => void) | undefined;
  readonly onScan?: ((watch: Watch, scan: EndedScan & { readonly seconds: number }) => void) | undefined;
  readonly onUnreachable?: ((watch: Watch, error: FolderUnreachable) => void) | undefined;
  readonly onDrained?: ((watch: Watch) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** A loop that works for one watch, until the watch is paused or deleted. */
export interface WatchRun {
  /** Resolves when the loop has ended. Never rejects. */
  readonly ended: Promise<void>;
  readonly clientId: string;
  /** Scans the folder soon. `paths`: only these, which have probably changed. */
  scan(paths?: readonly string[]): void;
  /** Reads the watch again. */
  wake(): void;
  /** A job of the client has ended. */
  jobEnded(): void;
}

interface RunState extends ScanState {
  /** The settings by which the state was made, as `scannedBy` returns them. */
  readonly madeFor: string;
  readonly listener: Disposable | undefined;
  history: ScanHistory;
  hintedMs: number | undefined;
  /** Files whose new content waits for the end of the job for the old one. */
  readonly later: Set<MediaPath>;
  /** A time in the future until which failed files count as due, because the clock was set back after they had failed. */
  dueUntil: string | undefined;
}

export function startWatchRun(all: WatchRunDeps, first: Watch, signal: AbortSignal): WatchRun {
  const { watchId, clientId } = first;
  const deps = reportWrites(all, () => all.onChange?.({ watchId, clientId }));
  const alarm = createAlarm();
  const { monotonic } = deps;
  const hints: string[] = [];
  let askedMs: number | undefined;
  let cares = true;
  let state: RunState | undefined;

  const round = async (): Promise<number | undefined> => {
    const watch = await deps.watches.get(watchId);
    if (watch === undefined || watch.state === 'PAUSED') return undefined;
    const lease = { name: `watch/${watchId}`, holder: deps.holder };
    if (!(await deps.leases.take(lease, LEASE_SECONDS))) {
      // The other service sees files that this one does not remember. Begin with a full scan if it ends.
      state?.listener?.[Symbol.dispose]();
      state = undefined;
      return LEASE_RETRY_MS;
    }
    const renewing = setInterval(() => void deps.leases.take(lease, LEASE_SECONDS).catch(() => {}), RENEW_MS);
    try {
      const caller = await deps.callerOf(watch.clientId);
      const stopped = whyStopped(watch, caller);
      await noteChanges(deps, watch, { stopped });
      if (caller === undefined || stopped !== undefined) return STOPPED_MS;
      if (state?.madeFor !== scannedBy(watch)) {
        state?.listener?.[Symbol.dispose]();
        state = newState(deps, watch, caller, alarm, (at) => {
          if (state !== undefined) state.hintedMs ??= at;
        });
      }
      for (const path of hints.splice(0)) state.memory.mark(path);
      const pause = await work(deps, watch, caller, state, askedMs, signal);
      if (pause.hasScanned) askedMs = undefined;
      cares = pause.cares;
      return pause.isPaused ? undefined : pause.ms;
    } finally {
      clearInterval(renewing);
    }
  };

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      let pauseMs: number | undefined;
      try {
        pauseMs = await round();
        if (pauseMs === undefined) break;
      } catch (error) {
        if (signal.aborted) break;
        if (!isStoreOutage(error)) deps.onError(error);
        pauseMs = OUTAGE_MS;
      }
      await alarm.wait(Math.min(pauseMs, LONGEST_PAUSE_MS), signal);
    }
    state?.listener?.[Symbol.dispose]();
    await deps.leases.release({ name: `watch/${watchId}`, holder: deps.holder }).catch(() => {});
  };

  let lastEndMs = Number.NEGATIVE_INFINITY;
  return {
    ended: loop(),
    clientId,
    scan: (paths) => {
      if (paths === undefined) askedMs ??= monotonic();
      else if (hints.length < MOST_HINTS) hints.push(...paths);
      alarm.wake();
    },
    wake: () => alarm.wake(),
    jobEnded: () => {
      if (!cares) return;
      const waitMs = Math.max(0, lastEndMs + ROUND_MS - monotonic());
      lastEndMs = monotonic() + waitMs;
      if (waitMs === 0) alarm.wake();
      else setTimeout(() => alarm.wake(), waitMs).unref();
    },
  };
}

/** The settings on which a scan depends, as one text. Other changes, such as that of the name, keep what the scans remember. */
const scannedBy = ({ folder, subfolders, patterns, settleSeconds, changed }: Watch): string =>
  JSON.stringify([folder, subfolders, patterns, settleSeconds, changed]);

function newState(
  { source, monotonic }: WatchRunDeps,
  watch: Watch,
  caller: Caller,
  alarm: Alarm,
  onHint: (atMs: number) => void,
): RunState {
  const memory = source.newMemory();
  const where = { folder: watch.folder, subfolders: watch.subfolders, accepts: nameMatcher(watch.patterns) };
  return {
    memory,
    settling: createSettling(watch.settleSeconds * 1000),
    madeFor: scannedBy(watch),
    history: NO_SCANS,
    hintedMs: undefined,
    later: new Set(),
    dueUntil: undefined,
    listener: source.listen?.(caller.root, where, memory, () => {
      onHint(monotonic());
      alarm.wake();
    }),
  };
}

interface Pause {
  readonly ms: number;
  /** Whether the end of a job can let the run go on. */
  readonly cares: boolean;
  /** Whether a scan has looked at the whole folder. */
  readonly hasScanned: boolean;
  /** The watch was drained, and is paused now. */
  readonly isPaused: boolean;
}

/** One round: a scan if it is due, then jobs, then sources. Returns how long to wait. */
async function work(
  deps: WatchRunDeps,
  watch: Watch,
  caller: Caller,
  state: RunState,
  askedMs: number | undefined,
  signal: AbortSignal,
): Promise<Pause> {
  const { monotonic, ledger, now } = deps;
  const storage: WatchedStorage = state.memory.storage ?? (deps.source.isMetered ? 'bucket' : 'local');
  const next = () => {
    const { memory, settling, history, hintedMs } = state;
    const settlesMs = settling.dueMs();
    const hint = hintedMs ?? (memory.hasMarks ? monotonic() : undefined);
    const wishes = { storage, hintedMs: hint, isOverflowed: memory.isOverflowed, settlesMs, askedMs };
    return nextScan(history, wishes, monotonic());
  };
  let hasScanned = false;
  // A drained watch looks at no folder, so it tries whether its files can be read.
  let isReachable = watch.unreachableSince === undefined || watch.state === 'DRAINING';
  if (watch.state === 'ACTIVE') {
    const due = next();
    if (due.atMs <= monotonic()) {
      isReachable = await scan(deps, watch, caller, state, due.kind, storage, signal);
      hasScanned = due.kind !== 'marked';
    }
  }
  const submission: Submission | undefined = isReachable
    ? await orUnreachable(() => submitFiles(deps, watch, caller, signal, state.dueUntil))
    : undefined;
  state.dueUntil = undefined;
  const { submitted = 0, waitingFor, changed = [], hasMore = false } = submission ?? {};
  for (const path of changed) state.memory.mark(path);
  await noteChanges(deps, watch, { waitingFor });
  const hasMoreSources = isReachable
    ? ((await orUnreachable(() => settleSources(deps, watch, caller, signal))) ?? false)
    : false;
  if (watch.state === 'DRAINING' && submitted === 0 && !hasMore && (await isDrained(deps, watch)))
    return { ms: 0, cares: false, hasScanned, isPaused: true };
  const pauses = [LONGEST_PAUSE_MS];
  if (watch.state === 'ACTIVE') pauses.push(next().atMs - monotonic());
  if (waitingFor !== undefined) pauses.push(WAIT_MS[waitingFor]);
  if (hasMore || hasMoreSources) pauses.push(0);
  const failedAt = waitingFor === undefined && !hasMore ? await ledger.nextDueAt(watch.watchId) : undefined;
  if (failedAt !== undefined) {
    const waitMs = Date.parse(failedAt) - now().getTime();
    if (waitMs > LONGEST_RETRY_MS) state.dueUntil = failedAt;
    // If its time has come but it was not submitted, something else keeps it: do not ask again at once.
    pauses.push(state.dueUntil === undefined ? Math.max(1000, waitMs) : 1000);
  }
  const cares = waitingFor === 'slots' || watch.source !== 'keep' || watch.state === 'DRAINING' || state.later.size > 0;
  return { ms: Math.max(0, Math.min(...pauses)), cares, hasScanned, isPaused: false };
}

/** Runs a scan. Resolves to false if the folder cannot be read. */
async function scan(
  deps: WatchRunDeps,
  watch: Watch,
  caller: Caller,
  state: RunState,
  kind: ScanKind,
  storage: WatchedStorage,
  signal: AbortSignal,
): Promise<boolean> {
  const { monotonic, now, ledger, watches } = deps;
  const { memory, later } = state;
  const startedMs = monotonic();
  state.hintedMs = undefined;
  for (const path of later) memory.mark(path);
  later.clear();
  const ended = (end: EndedScan['end'], statements: number): void => {
    const processorMs = memory.cost.processorMs + statements * STATEMENT_MS;
    const facts = { kind, storage: memory.storage ?? storage, endedMs: monotonic(), processorMs, end };
    state.history = addScan(state.history, facts);
    deps.onScan?.(watch, { ...facts, seconds: (monotonic() - startedMs) / 1000 });
  };
  try {
    const result = await runScan(deps, watch, caller, state, kind, signal);
    for (const path of result.later) later.add(path);
    ended(result.end, result.statements);
    const at = now();
    // A full scan that was broken off goes on as a thorough one.
    const isFull = state.history.fullMs !== undefined && state.history.fullMs === state.history.endedMs;
    if (isFull) await reconcile(deps, watch);
    if (isFull) await ledger.removeUnseen(watch.watchId, new Date(at.getTime() - KEPT_DAYS_MS).toISOString());
    const notes: WatchNotes = {
      ...(watch.unreachableSince !== undefined && { unreachableSince: null }),
      ...(isFull && watch.firstScanAt === undefined && { firstScanAt: at.toISOString() }),
      ...(kind !== 'marked' &&
        isWorthNoting(watch, at) && {
          lastScan: {
            at: at.toISOString(),
            seconds: Math.round(monotonic() - startedMs) / 1000,
            files: memory.files,
          },
        }),
    };
    if (Object.keys(notes).length > 0) await watches.note(watch.watchId, notes);
    return true;
  } catch (error) {
    if (!(error instanceof FolderUnreachable)) throw error;
    ended('unreachable', 0);
    if (watch.unreachableSince === undefined) {
      await watches.note(watch.watchId, { unreachableSince: now().toISOString() });
      deps.onUnreachable?.(watch, error);
    }
    return false;
  }
}

/** The time of the last scan is stored at most once a minute: quick scans of a disk are more frequent, and find nothing. */
const isWorthNoting = ({ lastScan }: Watch, at: Date): boolean =>
  lastScan === undefined || at.getTime() - Date.parse(lastScan.at) > 60_000;

/** undefined: the folder became unreachable. The next scan notes that. */
async function orUnreachable<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof FolderUnreachable) return undefined;
    throw error;
  }
}

/** Pauses a drained watch. */
async function isDrained({ ledger, watches, onDrained }: WatchRunDeps, watch: Watch): Promise<boolean> {
  if (await hasUnconverted(ledger, watch.watchId)) return false;
  if (!(await watches.note(watch.watchId, { state: 'PAUSED' }, 'DRAINING'))) return false;
  onDrained?.(watch);
  return true;
}

const UNCONVERTED = ['READY', 'FAILED', 'SUBMITTED'] as const;

/** Whether a file is to be converted, or being converted. */
async function hasUnconverted(ledger: Pick<WatchLedger, 'list'>, watchId: string): Promise<boolean> {
  const found = await Promise.all(UNCONVERTED.map((state) => ledger.list(watchId, { state, limit: 1 })));
  return found.some((files) => files.length > 0);
}

/** Stores what is waited for, and why the watch has stopped, if that has changed. */
async function noteChanges(
  { watches }: Pick<WatchRunDeps, 'watches'>,
  watch: Watch,
  now: { readonly stopped?: WatchedFailure | undefined } | { readonly waitingFor?: WatchWait | undefined },
): Promise<void> {
  if ('stopped' in now && now.stopped?.code !== watch.stopped?.code)
    await watches.note(watch.watchId, { stopped: now.stopped ?? null });
  if ('waitingFor' in now && now.waitingFor !== watch.waitingFor)
    await watches.note(watch.watchId, { waitingFor: now.waitingFor ?? null });
}
