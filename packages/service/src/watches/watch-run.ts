import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Watch, WatchedFailure, WatchWait } from '@telecine/contract/domain/watch.ts';
import type { Leases } from '../files/ports.ts';
import type { WatchChange } from '../jobs/job-changes.ts';
import { LONGEST_RETRY_MS } from './after-job.ts';
import { createAlarm } from './alarm.ts';
import type { RoundChecks } from './file-failure.ts';
import {
  ATTENTION_PAUSE_MS,
  FolderUnreachable,
  type ScanKind,
  type WatchedStorage,
  type WatchLedger,
  type WatchNotes,
  type WatchSource,
  type WatchStore,
} from './ports.ts';
import { reportWrites } from './report-writes.ts';
import { whyStopped } from './rights.ts';
import { type RunScanDeps, runScan, type ScanResult, type ScanState, WatchEnded } from './run-scan.ts';
import type { ScanCosts } from './scan-costs.ts';
import {
  addScan,
  type EndedScan,
  type LastScans,
  type NextScan,
  NO_SCANS,
  nextScan,
  pauseAfterScan,
  type ScanHistory,
} from './scans.ts';
import { type SettleSourcesDeps, settleSources } from './settle-sources.ts';
import { createSettling } from './settling.ts';
import { type Submission, type SubmitFilesDeps, submitFiles } from './submit-files.ts';
import { nameMatcher } from './watched-names.ts';

/**
 * How long a service has the right to look at a folder. It only saves work: the ledger makes two services harmless. It is long, because others
 * take over earlier from a service that is dead (`service-lease.ts`).
 */
const LEASE_SECONDS = 300;
const RENEW_MS = 120_000;

/** How often a service asks for the lease that another one has, if nothing tells that it is free. */
const LEASE_RETRY_MS = 120_000;

/** How often a long round looks whether it may go on. */
const RECHECK_MS = 30_000;

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

export interface WatchRunDeps extends SubmitFilesDeps, SettleSourcesDeps, RunScanDeps {
  readonly watches: Pick<WatchStore, 'get' | 'note'>;
  readonly ledger: WatchLedger;
  readonly source: WatchSource;
  /**
   * Resolves when a scan of a whole folder has its turn, which it has until it disposes of it: scans of one service must not take all of its
   * memory and time, and those of one client not all turns. Default: at once.
   */
  readonly takeTurn?: ((clientId: string, signal: AbortSignal) => Promise<Disposable>) | undefined;
  /** For how many watches this service works. Default: one. */
  readonly countWatches?: (() => number) | undefined;
  /** Default: runs that have ended are forgotten. */
  readonly scanCosts?: ScanCosts | undefined;
  readonly leases: Pick<Leases, 'take' | 'release'>;
  /** Resolves when other services can see that this process is alive. Default: no other uses the database. */
  readonly showAlive?: (() => Promise<void>) | undefined;
  /** Names this process in leases. */
  readonly holder: string;
  /** The client with the rights and limits that it has now. undefined: it was revoked. */
  readonly callerOf: (clientId: string) => Promise<Caller | undefined>;
  readonly jobs: SubmitFilesDeps['jobs'] & SettleSourcesDeps['jobs'];
  /** Called after each write about a watch or its files, except with its jobs. */
  readonly onChange?: ((change: WatchChange) => void) | undefined;
  readonly onScan?: ((watch: Watch, scan: EndedScan & { readonly seconds: number }) => void) | undefined;
  readonly onUnreachable?: ((watch: Watch, error: FolderUnreachable) => void) | undefined;
  /** Called when the folder can be read again. */
  readonly onReachable?: ((watch: Watch) => void) | undefined;
  /** Called when the client may no longer do what the watch does. */
  readonly onStopped?: ((watch: Watch, reason: WatchedFailure) => void) | undefined;
  readonly onDrained?: ((watch: Watch) => void) | undefined;
  /** Called when an event about files that need attention was put off and is due: a minute has passed since the last one, or the watch is paused. */
  readonly onAttentionDue?: ((watch: Watch) => void) | undefined;
}

/** A loop that works for one watch, until the watch is paused or deleted. */
export interface WatchRun {
  /** Resolves when the loop has ended. Never rejects. */
  readonly ended: Promise<void>;
  readonly clientId: string;
  /** Whether another service works for the watch. */
  isElsewhere(): boolean;
  /** Asks for the lease again, because another service may have taken it. */
  forgetLease(): void;
  /** Scans the folder soon. `paths`: only these, which have probably changed. Returns false if another service works for the watch. */
  scan(paths?: readonly string[]): boolean;
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

/** The name of the lease of the service that works for a watch. Its `data` is the holder. */
export const leaseOfWatch = (watchId: string): string => `${WATCH_LEASES}${watchId}`;
export const WATCH_LEASES = 'watch/';

export function startWatchRun(all: WatchRunDeps, first: Watch, signal: AbortSignal): WatchRun {
  const { watchId, clientId } = first;
  const deps = reportWrites(all, () => all.onChange?.({ watchId, clientId }));
  const alarm = createAlarm();
  const { monotonic } = deps;
  const hints: string[] = [];
  let askedMs: number | undefined;
  /** `askedAt` of the watch, as of the last round. null: there was none, and the first scan looks at all files. */
  let askedAt: string | undefined | null = null;
  let cares = true;
  /** Whether another service works for the watch, as of the last round. */
  let isElsewhere = false;
  let state: RunState | undefined;
  /** Ends the round, and a scan in it, if the watch is no longer as these have read it. */
  let recheck: (() => Promise<void>) | undefined;

  const lease = { name: leaseOfWatch(watchId), holder: deps.holder };
  let leasedMs = Number.NEGATIVE_INFINITY;
  /** Takes the lease, or renews it if that is due. Resolves to false if another service has it. */
  const hold = async (): Promise<boolean> => {
    const nowMs = monotonic();
    if (nowMs - leasedMs < RENEW_MS) return true;
    await deps.showAlive?.();
    // Others must know whose lease it is.
    const isHeld = await deps.leases.take({ ...lease, data: deps.holder }, LEASE_SECONDS);
    leasedMs = isHeld ? nowMs : Number.NEGATIVE_INFINITY;
    return isHeld;
  };

  /** Forgets what the scans remember. */
  const forget = (): void => {
    if (state === undefined) return;
    state.listener?.[Symbol.dispose]();
    state = undefined;
  };

  const round = async (): Promise<number | undefined> => {
    const watch = await deps.watches.get(watchId);
    if (watch?.state === 'PAUSED' && watch.hasAttentionDue === true) deps.onAttentionDue?.(watch);
    if (watch === undefined || watch.state === 'PAUSED') return undefined;
    isElsewhere = !(await hold());
    if (isElsewhere) {
      // The other service sees files that this one does not remember. Begin with a full scan if it ends.
      forget();
      askedMs = undefined;
      askedAt = null;
      hints.length = 0;
      return LEASE_RETRY_MS;
    }
    if (askedAt !== null && watch.askedAt !== askedAt) askedMs ??= monotonic();
    askedAt = watch.askedAt;
    const ending = new AbortController();
    const scanEnding = new AbortController();
    /** What of the round may go on. Only some changes are about the scan, which can take hours. */
    const check = async (): Promise<'all' | 'scan' | 'nothing'> => {
      const current = await deps.watches.get(watchId);
      const owner = await deps.callerOf(clientId);
      if (current?.state !== watch.state || owner === undefined || whyStopped(current, owner) !== undefined)
        return 'nothing';
      if (current.changedAt === watch.changedAt) return 'all';
      return scannedBy(current, owner) === scannedBy(watch, owner) ? 'scan' : 'nothing';
    };
    const mayGoOn = async (): Promise<boolean> => (await check()) === 'all';
    recheck = async () => {
      const may = await check();
      if (may !== 'all') ending.abort(ROUND_ENDED);
      if (may === 'nothing') scanEnding.abort(ROUND_ENDED);
    };
    const renewing = setInterval(() => {
      hold()
        .then(recheck)
        .catch(() => {});
    }, RECHECK_MS);
    try {
      const caller = await deps.callerOf(watch.clientId);
      const stopped = whyStopped(watch, caller);
      await noteChanges(deps, watch, { stopped });
      if (stopped !== undefined && stopped.code !== watch.stopped?.code) deps.onStopped?.(watch, stopped);
      if (isAttentionDue(watch, deps.now())) deps.onAttentionDue?.(watch);
      if (caller === undefined || stopped !== undefined) {
        hints.length = 0;
        return STOPPED_MS;
      }
      if (state?.madeFor !== scannedBy(watch, caller)) {
        // Otherwise a client could have full scans without a pause by changing its watch, or pausing it, again and again.
        const last = state?.history.last ?? deps.scanCosts?.of(clientId, watch.folder) ?? {};
        state?.listener?.[Symbol.dispose]();
        state = newState(deps, watch, caller, last, () => {
          if (state === undefined || state.hintedMs !== undefined) return;
          state.hintedMs = monotonic();
          alarm.wake();
        });
      }
      for (const path of hints.splice(0)) state.memory.mark(path);
      const checks = { requireFolder: once(() => requireFolder(deps, watch, caller, state)), mayGoOn };
      const pause = await work(deps, {
        ...{ watch, caller, state, checks, askedMs },
        signal: AbortSignal.any([signal, ending.signal]),
        scanSignal: AbortSignal.any([signal, scanEnding.signal]),
      });
      if (pause.hasScanned) askedMs = undefined;
      cares = pause.cares;
      if (!pause.isPaused) return pause.ms;
      // No later round tells of files that failed in this one.
      deps.onAttentionDue?.(watch);
      return undefined;
    } catch (error) {
      if (signal.aborted || !(ending.signal.aborted || error instanceof WatchEnded)) throw error;
      return 0;
    } finally {
      recheck = undefined;
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
      await alarm.wait(Math.min(pauseMs, isElsewhere ? LEASE_RETRY_MS : LONGEST_PAUSE_MS), signal);
    }
    if (state !== undefined) deps.scanCosts?.keep(clientId, first.folder, state.history.last);
    forget();
    await deps.leases.release(lease).catch(() => {});
  };

  let lastEndMs = Number.NEGATIVE_INFINITY;
  return {
    ended: loop(),
    clientId,
    isElsewhere: () => isElsewhere,
    forgetLease: () => {
      leasedMs = Number.NEGATIVE_INFINITY;
    },
    scan: (paths) => {
      // Each service gets the wish. If this one takes over, its first scan looks at all files.
      if (isElsewhere) return false;
      if (paths === undefined) askedMs ??= monotonic();
      else hints.push(...paths.slice(0, MOST_HINTS - hints.length));
      alarm.wake();
      return true;
    },
    wake: () => {
      alarm.wake();
      recheck?.().catch(() => {});
    },
    jobEnded: () => {
      if (!cares) return;
      const waitMs = Math.max(0, lastEndMs + ROUND_MS - monotonic());
      lastEndMs = monotonic() + waitMs;
      if (waitMs === 0) alarm.wake();
      else setTimeout(() => alarm.wake(), waitMs).unref();
    },
  };
}

/** The settings and the media root on which a scan depends, as one text. Other changes, such as that of the name, keep what the scans remember. */
const scannedBy = ({ folder, subfolders, patterns, settleSeconds, changed }: Watch, { root }: Caller): string =>
  JSON.stringify([root.pathPrefix, folder, subfolders, patterns, settleSeconds, changed]);

/** The reason of the abort of a round whose watch was changed. */
const ROUND_ENDED = new Error('The watch was changed.');

/** Calls a function at most once, and returns the same promise each time. */
function once(call: () => Promise<void>): () => Promise<void> {
  let called: Promise<void> | undefined;
  return () => (called ??= call());
}

/** Throws `FolderUnreachable` if the folder cannot be read, or is not the one that the last scan has read: its disk may be away. */
async function requireFolder(
  { source }: WatchRunDeps,
  { folder }: Watch,
  { root }: Caller,
  state: RunState | undefined,
): Promise<void> {
  const place = await source.reach(root, folder);
  const known = state?.memory.place;
  if (known !== undefined && known !== place) throw new FolderUnreachable('missing');
}

function newState(
  { source }: WatchRunDeps,
  watch: Watch,
  caller: Caller,
  last: LastScans,
  onHint: () => void,
): RunState {
  const memory = source.newMemory(watch.folder);
  const where = { folder: watch.folder, subfolders: watch.subfolders, accepts: nameMatcher(watch.patterns) };
  return {
    memory,
    settling: createSettling(watch.settleSeconds * 1000),
    ignored: new Set(),
    madeFor: scannedBy(watch, caller),
    // A folder that was unreachable is tried at once, before its full scan is due.
    history: { ...NO_SCANS, last, failures: watch.unreachableSince === undefined ? 0 : 1 },
    hintedMs: undefined,
    later: new Set(),
    dueUntil: undefined,
    listener: source.listen?.(caller.root, where, memory, onHint),
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

interface Round {
  readonly watch: Watch;
  readonly caller: Caller;
  readonly state: RunState;
  readonly checks: RoundChecks;
  /** When a client asked for a scan that has not begun. */
  readonly askedMs: number | undefined;
  readonly signal: AbortSignal;
  /** Of the scan: a change that is not about it ends only the rest of the round. */
  readonly scanSignal: AbortSignal;
}

/** One round: a scan if it is due, then jobs, then sources. Returns how long to wait. */
async function work(deps: WatchRunDeps, round: Round): Promise<Pause> {
  const { monotonic, ledger, now } = deps;
  const { watch, caller, state, checks, askedMs, signal } = round;
  const { memory } = state;
  const storage: WatchedStorage = memory.storage ?? (deps.source.isMetered ? 'bucket' : 'local');
  const next = (): NextScan | undefined => {
    const { settling, history, hintedMs } = state;
    const settlesMs = settling.dueMs();
    const watches = deps.countWatches?.() ?? 1;
    const wishes = { storage, watches, hintedMs, isOverflowed: memory.isOverflowed, settlesMs, askedMs };
    if (watch.state === 'ACTIVE') return nextScan(history, wishes, monotonic());
    // A watch that is being drained looks only at files that have changed since it has taken them.
    const markedMs = memory.hasMarks ? (hintedMs ?? monotonic()) : settlesMs;
    const endedMs = history.endedMs ?? Number.NEGATIVE_INFINITY;
    return markedMs === undefined ? undefined : { kind: 'marked', atMs: Math.max(markedMs, endedMs + DRAIN_PAUSE_MS) };
  };
  hint(state, monotonic());
  let hasScanned = false;
  // A drained watch looks at few files, so it tries whether they can be read.
  let isReachable = watch.unreachableSince === undefined || watch.state === 'DRAINING';
  const due = next();
  if (due !== undefined && due.atMs <= monotonic()) {
    const startedMs = monotonic();
    isReachable = await scan(deps, round, due.kind, storage);
    hasScanned = due.kind !== 'marked';
    // A scan can take hours.
    const isLong = monotonic() - startedMs > LONG_SCAN_MS;
    if (signal.aborted || (isLong && !(await checks.mayGoOn())))
      return { ms: 0, cares: false, hasScanned, isPaused: false };
  }
  const submission: Submission | undefined = isReachable
    ? await orUnreachable(() => submitFiles(deps, { watch, caller, checks, signal, dueUntil: state.dueUntil }))
    : undefined;
  state.dueUntil = undefined;
  const { submitted = 0, waitingFor, changed = [], hasMore = false } = submission ?? {};
  for (const path of changed) memory.mark(path);
  await noteChanges(deps, watch, { waitingFor });
  const onOther = (path: MediaPath): void => memory.mark(path);
  const hasMoreSources = isReachable
    ? ((await orUnreachable(() => settleSources(deps, { watch, caller, checks, signal, onOther }))) ?? false)
    : false;
  if (watch.state === 'DRAINING' && submitted === 0 && !hasMore && (await isDrained(deps, watch)))
    return { ms: 0, cares: false, hasScanned, isPaused: true };
  hint(state, monotonic());
  const pauses = [LONGEST_PAUSE_MS];
  const following = next();
  if (following !== undefined) pauses.push(following.atMs - monotonic());
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

/** After a longer scan, the watch is read again before anything is done by its settings. */
const LONG_SCAN_MS = 1000;

/** The pause between two scans of a watch that is being drained. */
const DRAIN_PAUSE_MS = 1000;

/** Notes since when marks wait for a scan. */
function hint(state: RunState, nowMs: number): void {
  if (state.memory.hasMarks) state.hintedMs ??= nowMs;
}

/** Runs a scan. Resolves to false if the folder cannot be read. */
async function scan(
  deps: WatchRunDeps,
  { watch, caller, state, scanSignal: signal }: Round,
  kind: ScanKind,
  storage: WatchedStorage,
): Promise<boolean> {
  const { monotonic, now, ledger, watches } = deps;
  const { memory, later } = state;
  let startedMs = monotonic();
  state.hintedMs = undefined;
  for (const path of later) memory.mark(path);
  later.clear();
  const ended = (end: EndedScan['end'], statements: number): void => {
    // The first scan stores all files. If that counted, the next list of a large bucket would be minutes later.
    const processorMs = memory.cost.processorMs + (kind === 'full' ? 0 : statements * STATEMENT_MS);
    const facts = { kind, storage: memory.storage ?? storage, endedMs: monotonic(), processorMs, end };
    state.history = addScan(state.history, facts);
    deps.onScan?.(watch, { ...facts, seconds: (monotonic() - startedMs) / 1000 });
  };
  let result: ScanResult;
  try {
    // Before the first full scan, no subfolder is known, so a scan of marked files may read whole folders.
    const hasTurn = kind !== 'marked' || !state.history.hasLooked;
    result = await scanInTurn(hasTurn ? deps : {}, watch, signal, (waitForTurn) => {
      const startTurn = async (): Promise<void> => {
        await waitForTurn();
        startedMs = monotonic();
      };
      return runScan(deps, watch, caller, state, kind, { signal, waitForTurn: startTurn });
    });
  } catch (error) {
    const isUnreachable = error instanceof FolderUnreachable;
    // The cost of an aborted scan counts too. Otherwise a client could force scans without a pause by a change during each.
    // No client can cause an outage of the database, so after one the folder is scanned again without a pause.
    if (!isStoreOutage(error)) ended(isUnreachable ? 'unreachable' : 'aborted', 0);
    if (!isUnreachable) throw error;
    if (watch.unreachableSince === undefined) {
      await watches.note(watch.watchId, { unreachableSince: now().toISOString() });
      deps.onUnreachable?.(watch, error);
    }
    return false;
  }
  for (const path of result.later) later.add(path);
  ended(result.end, result.statements);
  const at = now();
  // A full scan that was broken off goes on as a thorough one.
  const isFull = state.history.fullMs !== undefined && state.history.fullMs === state.history.endedMs;
  if (isFull) await ledger.removeUnseen(watch.watchId, new Date(at.getTime() - KEPT_DAYS_MS).toISOString());
  const pauseMs = pauseAfterScan(
    state.history,
    { storage: memory.storage ?? storage, watches: deps.countWatches?.() ?? 1, isOverflowed: memory.isOverflowed },
    monotonic(),
  );
  const notes: WatchNotes = {
    ...(watch.unreachableSince !== undefined && { unreachableSince: null }),
    ...(isFull && watch.firstScanAt === undefined && { firstScanAt: at.toISOString() }),
    ...(kind !== 'marked' &&
      isWorthNoting(watch, at) && {
        lastScan: {
          at: at.toISOString(),
          seconds: Math.round(monotonic() - startedMs) / 1000,
          // Omit the pause if the next scan is due at once: the note stays for a minute or more.
          ...(pauseMs > 0 && { pauseSeconds: Math.round(pauseMs / 1000) }),
          files: memory.files,
          ...(memory.unusable > 0 && {
            unusable: { files: memory.unusable, example: memory.unusableName ?? '' },
          }),
          ...(state.ignored.size > 0 && { ignored: state.ignored.size }),
        },
      }),
  };
  if (Object.keys(notes).length > 0) await watches.note(watch.watchId, notes);
  if (watch.unreachableSince !== undefined) deps.onReachable?.(watch);
  return true;
}

/** Runs a scan, which has a turn from its call of `waitForTurn` to its end. */
async function scanInTurn<T>(
  { takeTurn }: Pick<WatchRunDeps, 'takeTurn'>,
  { clientId }: Watch,
  signal: AbortSignal,
  run: (waitForTurn: () => Promise<void>) => Promise<T>,
): Promise<T> {
  using turn = new DisposableStack();
  return await run(async () => {
    if (takeTurn === undefined) return;
    turn.use(await takeTurn(clientId, signal));
    signal.throwIfAborted();
  });
}

const isAttentionDue = ({ attentionAt, hasAttentionDue }: Watch, now: Date): boolean =>
  hasAttentionDue === true && Math.abs(now.getTime() - Date.parse(attentionAt ?? '')) >= ATTENTION_PAUSE_MS;

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
async function isDrained({ ledger, watches, now, onDrained }: WatchRunDeps, watch: Watch): Promise<boolean> {
  if (await hasUnconverted(ledger, watch.watchId)) return false;
  if ((await ledger.sourcesToSettle(watch, now().toISOString(), 1)).length > 0) return false;
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
