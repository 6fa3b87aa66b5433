import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import {
  POLL_SECONDS,
  type Watch,
  type WatchedFailure,
  type WatchedFile,
  type WatchWait,
} from '@telecine/contract/domain/watch.ts';
import type { WatchEvent } from '@telecine/contract/domain/webhook.ts';
import type { WatchLedger, WatchNotes, WatchStore } from '../store/watches.ts';
import { whyStopped } from './check-watch.ts';
import { type ListCost, newPollMemory, type Poll, type PollDeps, pollFolder, WatchEnded } from './poll-folder.ts';
import { GROUP, type SettleSourcesDeps, settleSources } from './settle-sources.ts';
import { type SubmitFilesDeps, submitFiles } from './submit-files.ts';
import type { WatchedFolders } from './watched-folders.ts';

/** A folder without changes is listed so rarely that the lists take less than a hundredth of a processor, and a tenth of the time of a slow disk. */
const PER_PROCESSOR = 120;
const PER_ELAPSED = 10;

/** The objects of one request of a list, and the least time between two requests. */
const REQUEST_FILES = 1000;
const REQUEST_MS = 6000;

/** The pause is a tenth of that, but at least `LEAST_MS`, while files are still being written, and after a client has changed the watch. */
const HURRY = 10;
const LEAST_MS = { disk: 1000, bucket: 10_000 };

/** The longest pause before a folder that could not be read is tried again, if `every` is not longer. */
const UNREACHABLE_MS = 60_000;

/** The longest pause between two rounds: nothing else tells when failed files, sources that could not be moved, and rights are due. */
const LONGEST_PAUSE_MS = 30_000;

/** How long a run waits if nothing tells when it can go on: quotas become free, rights come back, the database answers again. */
const WAIT_MS: Readonly<Record<WatchWait, number>> = { slots: 5000, quota: 15_000 };
const OUTAGE_MS = 5000;

/** The least time between two counts of the files that need attention. */
const ATTENTION_MS = 60_000;

/** The least time between two rounds that ends of jobs cause. */
const ROUND_MS = 250;

const KEPT_MS = 30 * 24 * 3_600_000;

/** What clients are told of a watch. */
export interface WatchHappening {
  readonly event: WatchEvent;
  readonly problem?: Problem;
  readonly stopped?: WatchedFailure;
  /** A file that needs attention, and how many do. */
  readonly file?: WatchedFile;
  readonly files?: number;
}

export interface WatchRunDeps extends SubmitFilesDeps, SettleSourcesDeps, PollDeps {
  readonly watches: Pick<WatchStore, 'get' | 'note'>;
  readonly ledger: WatchLedger;
  readonly folders: WatchedFolders;
  readonly jobs: SubmitFilesDeps['jobs'] & SettleSourcesDeps['jobs'];
  /** The client with the rights and limits that it has now. undefined: it was revoked. */
  readonly callerOf: (clientId: string) => Promise<Caller | undefined>;
  readonly onPoll?: ((end: 'complete' | 'unreachable', seconds: number) => void) | undefined;
  readonly onHappening?: ((watch: Watch, happening: WatchHappening) => void) | undefined;
}

/** What the runs of one service share. */
export interface SharedByRuns {
  /** When each folder of a client may be listed again: not sooner because its watch was paused and resumed, or made anew. */
  readonly earliest: Map<string, number>;
  /** Resolves when a folder of a client may be listed, until the result is disposed of. */
  takeTurn(clientId: string, signal: AbortSignal): Promise<Disposable>;
  /** Called after a round that has changed the watch or its files, except by jobs. */
  onChange(): void;
}

/** A loop that works for one watch, until the watch is paused or deleted. */
export interface WatchRun {
  /** Resolves when the loop has ended. Never rejects. */
  readonly ended: Promise<void>;
  readonly clientId: string;
  /** Begins a round soon, which reads the watch again. */
  wake(): void;
  /** A job of the client has ended. */
  jobEnded(): void;
}

export function startWatchRun(
  deps: WatchRunDeps,
  { earliest, takeTurn, onChange }: SharedByRuns,
  { watchId, clientId, folder }: Watch,
  signal: AbortSignal,
): WatchRun {
  const { monotonic, watches, ledger, now, onHappening = () => {} } = deps;
  const listOf = JSON.stringify([clientId, folder]);
  const isBucket = deps.folders.isBucket(folder);
  let memory = newPollMemory();
  let [rules, changedAt] = ['', ''];
  const soon = (): void => {
    nextMs = Math.min(nextMs, earliest.get(listOf) ?? Number.NEGATIVE_INFINITY);
  };
  /** When the folder is listed next. */
  let nextMs = earliest.get(listOf) ?? Number.NEGATIVE_INFINITY;
  let [isReachable, waitsForJobs] = [true, true];
  /** Of the last look at files that need attention: how many there were, when the newest of them came to need it, and when to look again. */
  let [waitingFiles, waitingSince, attentionMs] = [0, '', Number.NEGATIVE_INFINITY];
  /** Whether the round has changed anything. */
  let hasChanged = false;

  const note = async (notes: WatchNotes): Promise<void> => {
    if (Object.keys(notes).length === 0) return;
    await watches.note(watchId, notes);
    hasChanged = true;
  };

  const tellOfAttention = async (watch: Watch): Promise<void> => {
    if (monotonic() < attentionMs) return;
    const { files, newest } = await ledger.attention(watchId);
    const isNew = newest !== undefined && (files > waitingFiles || newest.changedAt > waitingSince);
    waitingFiles = files;
    if (newest === undefined) return;
    waitingSince = newest.changedAt;
    attentionMs = monotonic() + ATTENTION_MS;
    if (isNew) onHappening(watch, { event: 'watch.needs_attention', file: newest, files });
  };

  /** Lists the folder if that is due. Resolves to whether it has. */
  const poll = async (watch: Watch, caller: Caller): Promise<boolean> => {
    const wanted = rulesOf(watch, caller);
    if (wanted !== rules) memory = newPollMemory();
    if (wanted !== rules || watch.changedAt !== changedAt) soon();
    [rules, changedAt] = [wanted, watch.changedAt];
    if (nextMs > monotonic()) return false;
    const startedMs = monotonic();
    const everyMs = 1000 * (watch.every ?? (isBucket ? POLL_SECONDS.bucket : POLL_SECONDS.disk));
    const later = (pauseMs: number, wholeMs = Number.POSITIVE_INFINITY): void => {
      const hurryMs = monotonic() + Math.max(isBucket ? LEAST_MS.bucket : LEAST_MS.disk, pauseMs / HURRY);
      earliest.set(listOf, hurryMs);
      nextMs = Math.min(monotonic() + Math.max(everyMs, pauseMs), Math.max(wholeMs, hurryMs));
    };
    let result: Poll;
    try {
      await deps.folders.reach(caller.root, folder);
      using _turn = await takeTurn(clientId, signal);
      result = await pollFolder(deps, watch, caller, memory, signal);
    } catch (error) {
      const elapsedMs = monotonic() - startedMs;
      later(Math.min(UNREACHABLE_MS, elapsedMs * PER_ELAPSED));
      if (!(error instanceof Problem && error.code === 'FOLDER_UNREACHABLE')) throw error;
      isReachable = false;
      deps.onPoll?.('unreachable', elapsedMs / 1000);
      if (watch.unreachableSince !== undefined) return true;
      await note({ unreachableSince: now().toISOString() });
      onHappening(watch, { event: 'watch.unreachable', problem: error });
      return true;
    }
    isReachable = true;
    hasChanged ||= result.hasChanged;
    later(pauseAfter(result.cost, isBucket), result.wholeMs);
    const seconds = (monotonic() - startedMs) / 1000;
    deps.onPoll?.('complete', seconds);
    const at = now();
    // The disk may be away: its mount point is an empty folder.
    const mayBeAway = result.cost.files === 0;
    if (result.isFull && !mayBeAway) await ledger.removeUnseen(watchId, new Date(at.getTime() - KEPT_MS).toISOString());
    const isNoted = watch.lastScan === undefined || Math.abs(at.getTime() - Date.parse(watch.lastScan.at)) > 60_000;
    const lastScan = {
      ...{ at: at.toISOString(), seconds: Math.round(seconds * 1000) / 1000, files: result.files },
      pauseSeconds: Math.max(1, Math.round((nextMs - monotonic()) / 1000)),
    };
    await note({
      ...(watch.unreachableSince !== undefined && { unreachableSince: null }),
      ...(watch.firstScanAt === undefined && { firstScanAt: at.toISOString() }),
      ...(isNoted && { lastScan }),
    });
    if (watch.unreachableSince !== undefined) onHappening(watch, { event: 'watch.reachable' });
    return true;
  };

  /** A list if it is due, then jobs, then sources. Resolves to how long to wait. undefined: the watch is paused or deleted. */
  const round = async (): Promise<number | undefined> => {
    const watch = await watches.get(watchId);
    if (watch === undefined || watch.state === 'PAUSED') return undefined;
    const caller = await deps.callerOf(clientId);
    const stopped = whyStopped(watch, caller);
    if (stopped?.code !== watch.stopped?.code) {
      await note({ stopped: stopped ?? null });
      if (stopped !== undefined) onHappening(watch, { event: 'watch.stopped', stopped });
    }
    if (caller === undefined || stopped !== undefined) return LONGEST_PAUSE_MS;
    const hasListed = await poll(watch, caller);
    if (!isReachable) {
      await tellOfAttention(watch);
      return nextMs - monotonic();
    }
    // A list can take minutes, and files are converted by the present settings.
    if (hasListed && (await watches.get(watchId))?.changedAt !== watch.changedAt) return 0;
    /** Whether the watch is as this round has read it: reading outputs can take minutes. */
    const mayGoOn = async (): Promise<boolean> => {
      const [current, owner] = [await watches.get(watchId), await deps.callerOf(clientId)];
      return current?.changedAt === watch.changedAt && whyStopped(current, owner) === undefined;
    };
    /** The next poll looks at the file again, because another content is at its path. */
    const onOther = (path: MediaPath): void => {
      memory.known.delete(path);
      soon();
    };
    const { waitingFor, files, hasMore } = await submitFiles(deps, { watch, caller, signal, onOther });
    if (waitingFor !== watch.waitingFor) await note({ waitingFor: waitingFor ?? null });
    const sources = await settleSources(deps, { watch, caller, signal, mayGoOn, onOther });
    hasChanged ||= files + sources > 0;
    waitsForJobs = waitingFor === 'slots' || watch.source !== 'keep';
    await tellOfAttention(watch);
    if (hasMore || sources === GROUP) return 0;
    return Math.min(nextMs - monotonic(), waitingFor ? WAIT_MS[waitingFor] : LONGEST_PAUSE_MS);
  };

  let lastEndMs = Number.NEGATIVE_INFINITY;
  let woken = Promise.withResolvers<void>();
  const wake = (): void => woken.resolve();
  signal.addEventListener('abort', wake, { once: true });

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      woken = Promise.withResolvers<void>();
      hasChanged = false;
      const pauseMs = await round().catch((error: unknown) => {
        if (error instanceof WatchEnded) return 0;
        if (!signal.aborted && !isStoreOutage(error)) deps.onError(error);
        return OUTAGE_MS;
      });
      if (hasChanged) onChange();
      if (pauseMs === undefined) break;
      const timer = setTimeout(wake, Math.max(0, Math.min(LONGEST_PAUSE_MS, pauseMs)));
      await woken.promise;
      clearTimeout(timer);
    }
    signal.removeEventListener('abort', wake);
  };

  return {
    ended: loop(),
    clientId,
    wake,
    jobEnded: () => {
      if (!waitsForJobs) return;
      const waitMs = Math.max(0, lastEndMs + ROUND_MS - monotonic());
      lastEndMs = monotonic() + waitMs;
      setTimeout(wake, waitMs).unref();
    },
  };
}

/** How long a folder is not listed after a list that has cost so much, in milliseconds. */
export function pauseAfter({ processorMs, elapsedMs, files }: ListCost, isBucket: boolean): number {
  const requests = isBucket ? Math.ceil(files / REQUEST_FILES) : 0;
  return Math.max(Math.min(processorMs, elapsedMs) * PER_PROCESSOR, elapsedMs * PER_ELAPSED, requests * REQUEST_MS);
}

/** The settings and the media root on which polls depend, as one text. Other changes keep what the polls remember. */
const rulesOf = (watch: Watch, { root }: Caller): string =>
  JSON.stringify([
    ...[root.pathPrefix, watch.folder, watch.subfolders, watch.patterns, watch.exclude],
    ...[watch.settleSeconds, watch.changed, watch.every],
  ]);
