import type { Caller } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import { POLL_SECONDS, shownFolder, type Watch } from '@telecine/contract/domain/watch.ts';
import type { WatchEvent, WatchEventData } from '@telecine/contract/domain/webhook.ts';
import { failureView, watchedFileView } from '@telecine/contract/wire/watch.ts';
import { whyStopped } from './check-watch.ts';
import { newPollMemory, PAUSE, pollFolder } from './poll-folder.ts';
import { GROUP, settleSources } from './settle-sources.ts';
import { submitFiles } from './submit-files.ts';
import type { Round, WatchDeps } from './watch-deps.ts';

/** While files are still being written, and after a client has changed the watch, a tenth of the pause is enough, but at least `LEAST_MS`. */
const HURRY = 10;
const LEAST_MS = { disk: 1000, bucket: 10_000 };

/**
 * The longest pauses: before a folder that could not be read is tried again, if `every` is not longer, and between two rounds: nothing else tells when
 * failed files, sources that could not be moved, and rights are due.
 */
const [UNREACHABLE_MS, LONGEST_PAUSE_MS] = [60_000, 30_000];

/** How long a watch waits if nothing tells when it can go on: quotas become free, the database answers again. */
const WAIT_MS = 5000;

/** The least time between two counts of the files that need attention, and between two notes that the folder was listed. */
const MINUTE_MS = 60_000;

/** How long a file is remembered that is not seen any more. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** What the watches of one service share. */
export interface SharedByWatches {
  /** When each folder of a client may be listed again: not sooner because its watch was paused and resumed, or made anew. */
  readonly earliest: Map<string, number>;
  /** Runs `list` when a folder of the client may be listed. */
  readonly inTurn: <T>(clientId: string, signal: AbortSignal, list: () => Promise<T>) => Promise<T>;
  /** Whether this service is the leader. */
  readonly leads: () => boolean;
}

/** Returns a function that does a round of work for a watch, and resolves to how long to wait until the next one, in milliseconds. It never rejects. */
export function watchRounds(
  deps: WatchDeps,
  { earliest, inTurn, leads }: SharedByWatches,
  { watchId, clientId, folder }: Watch,
  signal: AbortSignal,
): () => Promise<number> {
  const { monotonic, watches, ledger, now, onPoll } = deps;
  const listOf = JSON.stringify([clientId, folder]);
  const kind = deps.folders.isBucket(folder) ? 'bucket' : 'disk';
  let memory = newPollMemory();
  let settings = '';
  /** When the folder is listed next. */
  let nextMs = earliest.get(listOf) ?? Number.NEGATIVE_INFINITY;
  let [isReachable, hasChanged] = [true, false];
  /** When clients were last told of files that need attention: the number of these files, the time of the newest one, and when to look again. */
  let [toldFiles, toldSince, attentionMs] = [0, '', Number.NEGATIVE_INFINITY];
  const soon = (): void => {
    nextMs = Math.min(nextMs, earliest.get(listOf) ?? Number.NEGATIVE_INFINITY);
  };

  const tell = (event: WatchEvent, more: Partial<WatchEventData> = {}, cause?: Error): void =>
    deps.onEvent?.(event, { watchId, client: clientId, folder: shownFolder(folder), ...more }, cause);

  /** Notes something about the watch. undefined removes it. The end of the first poll is not repeated after a crash. */
  const note = async (notes: { readonly [K in keyof Watch]?: Watch[K] | undefined }): Promise<void> => {
    await watches.update(watchId, (watch) => ({ ...watch, ...notes }) as Watch, notes.firstScanAt !== undefined);
    hasChanged = true;
  };

  const tellOfAttention = async (): Promise<void> => {
    if (monotonic() < attentionMs) return;
    const files = await ledger.count(watchId, 'NEEDS_ATTENTION');
    const file = files === 0 ? undefined : await ledger.newestFailure(watchId);
    if (file === undefined) return;
    attentionMs = monotonic() + MINUTE_MS;
    if (files > toldFiles || file.changedAt > toldSince)
      tell('watch.needs_attention', { file: watchedFileView(file), files });
    [toldFiles, toldSince] = [files, file.changedAt];
  };

  const planNextList = (watch: Watch, pauseMs: number, wholeMs = Number.POSITIVE_INFINITY): void => {
    const everyMs = 1000 * (watch.every ?? POLL_SECONDS[kind]);
    const hurryMs = monotonic() + Math.max(LEAST_MS[kind], pauseMs / HURRY);
    earliest.set(listOf, hurryMs);
    nextMs = Math.min(monotonic() + Math.max(everyMs, pauseMs), Math.max(wholeMs, hurryMs));
  };

  /** Lists the folder if that is due. Resolves to whether it has. */
  const poll = async (watch: Watch, caller: Caller): Promise<boolean> => {
    const present = JSON.stringify([watch.changedAt, caller.root.pathPrefix]);
    if (present !== settings) {
      [settings, memory] = [present, newPollMemory()];
      soon();
    }
    if (nextMs > monotonic()) return false;
    const startedMs = monotonic();
    const elapsed = (): number => monotonic() - startedMs;
    let result: Awaited<ReturnType<typeof pollFolder>>;
    try {
      await deps.folders.reach(caller.root, folder);
      result = await inTurn(clientId, signal, () => pollFolder({ ...deps, watch, caller, signal }, memory));
    } catch (error) {
      planNextList(watch, Math.min(UNREACHABLE_MS, elapsed() * PAUSE.perElapsed));
      if (!(error instanceof Problem && error.code === 'FOLDER_UNREACHABLE')) throw error;
      isReachable = false;
      onPoll?.('unreachable', elapsed() / 1000);
      if (watch.unreachableSince !== undefined) return true;
      await note({ unreachableSince: now().toISOString() });
      tell('watch.unreachable', {}, error);
      return true;
    }
    isReachable = true;
    // `mayGoOn` tells that the watch has ended.
    if (result === undefined) return true;
    hasChanged ||= result.hasChanged;
    planNextList(watch, result.pauseMs, result.wholeMs);
    const seconds = Math.round(elapsed()) / 1000;
    onPoll?.('complete', seconds);
    const at = now();
    // An empty folder may be the mount point of a disk that is away.
    if (result.mayForget) await ledger.removeUnseen(watchId, new Date(at.getTime() - KEPT_MS).toISOString());
    const { lastScan, firstScanAt, unreachableSince } = watch;
    const isNoted = Math.abs(at.getTime() - Date.parse(lastScan?.at ?? '')) <= MINUTE_MS;
    if (isNoted && firstScanAt !== undefined && unreachableSince === undefined) return true;
    const pauseSeconds = Math.max(1, Math.round((nextMs - monotonic()) / 1000));
    await note({
      ...{ lastScan: { at: at.toISOString(), seconds, files: result.files, pauseSeconds } },
      ...{ unreachableSince: undefined, ...(firstScanAt === undefined && { firstScanAt: at.toISOString() }) },
    });
    if (unreachableSince !== undefined) tell('watch.reachable');
    return true;
  };

  /** A list if it is due, then jobs, then sources. */
  const round = async (): Promise<number> => {
    const watch = await watches.get(watchId);
    if (watch === undefined || watch.state === 'PAUSED' || !leads()) return LONGEST_PAUSE_MS;
    const caller = await deps.callerOf(clientId);
    const stopped = whyStopped(watch, caller);
    if (stopped?.code !== watch.stopped?.code) {
      await note({ stopped });
      if (stopped !== undefined) tell('watch.stopped', { stopped: failureView(stopped) });
    }
    if (caller === undefined || stopped !== undefined) return LONGEST_PAUSE_MS;
    const hasListed = await poll(watch, caller);
    await tellOfAttention();
    if (!isReachable) return nextMs - monotonic();
    const mayGoOn = async (): Promise<boolean> => {
      const [current, owner] = [await watches.get(watchId), await deps.callerOf(clientId)];
      return leads() && current?.changedAt === watch.changedAt && whyStopped(current, owner) === undefined;
    };
    // A list can take minutes, and files are converted by the present settings.
    if (hasListed && !(await mayGoOn())) return 0;
    const onOther: Round['onOther'] = (path) => {
      memory.known.delete(path);
      soon();
    };
    const work: Round = { ...deps, watch, caller, signal, mayGoOn, onOther };
    const { waitingFor, files, hasMore } = await submitFiles(work);
    if (waitingFor !== watch.waitingFor) await note({ waitingFor });
    const sources = await settleSources(work);
    hasChanged ||= files + sources > 0;
    if (hasMore || sources === GROUP) return 0;
    return Math.min(nextMs - monotonic(), waitingFor ? WAIT_MS : LONGEST_PAUSE_MS);
  };

  return async () => {
    hasChanged = false;
    const pauseMs = await round().catch((error: unknown) => {
      if (!signal.aborted && !isStoreOutage(error)) deps.onError(error);
      return WAIT_MS;
    });
    if (hasChanged) deps.onChange?.({ watchId, clientId });
    return Math.min(LONGEST_PAUSE_MS, pauseMs);
  };
}
