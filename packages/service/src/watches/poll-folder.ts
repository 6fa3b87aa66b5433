import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { LedgerChanges } from '../store/ledger-row.ts';
import type { WatchLedger } from '../store/watches.ts';
import {
  changesOf,
  compareFile,
  fileMatcher,
  isRenameOf,
  type Settling,
  settleMsOf,
  type WholeFile,
} from './decide.ts';
import type { FoundFile, WatchedFolders } from './watched-folders.ts';

/** How many files are compared with the ledger at a time. */
export const PAGE_FILES = 500;

/** How often all files are compared with the ledger, so that it knows which still exist. */
const FULL_MS = 24 * 3_600_000;

export interface PollDeps {
  readonly ledger: Pick<WatchLedger, 'find' | 'findByKey' | 'madeFiles' | 'record'>;
  readonly folders: WatchedFolders;
  readonly now: () => Date;
  /** A clock in milliseconds that only moves forward. */
  readonly monotonic: () => number;
  /** Called before a page is stored. For tests of crashes. */
  readonly onPage?: (() => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** What the polls of one watch remember, in memory only. An idle watch needs no statement in the database because of it. */
export interface PollMemory {
  /** The version of each file about which nothing is to be done. */
  known: Map<MediaPath, string>;
  settling: Map<MediaPath, Settling>;
  /** When all files were last compared with the ledger. */
  fullMs: number;
}

export const newPollMemory = (): PollMemory => ({
  known: new Map(),
  settling: new Map(),
  fullMs: Number.NEGATIVE_INFINITY,
});

export interface Poll {
  /** The files that the watch takes, also those that are not whole. */
  readonly files: number;
  /** When the next file can be whole, by the monotonic clock. undefined: all are. */
  readonly wholeMs: number | undefined;
  /** Whether all files were compared with the ledger, so that it knows which still exist. */
  readonly isFull: boolean;
  /** Whether anything was stored. */
  readonly hasChanged: boolean;
  readonly cost: ListCost;
}

/** What one list of a folder has cost. */
export interface ListCost {
  /** The processor time of the process. Other work of the process is in it, so this is the most that the list has taken. */
  readonly processorMs: number;
  readonly elapsedMs: number;
  readonly files: number;
}

/** Thrown if a poll may store no more, because its watch was paused or deleted. */
export class WatchEnded extends Error {
  override readonly name = 'WatchEnded';
}

/** Lists the folder of a watch, and stores in the ledger which files are new and whole. Throws FOLDER_UNREACHABLE and `WatchEnded`. */
export async function pollFolder(
  deps: PollDeps,
  watch: Watch,
  { root }: Caller,
  memory: PollMemory,
  signal: AbortSignal,
): Promise<Poll> {
  const { folders, monotonic } = deps;
  const startedMs = monotonic();
  const isFull = startedMs - memory.fullMs >= FULL_MS;
  const before = process.cpuUsage();
  const listed = await folders.list(root, watch.folder, signal);
  const listedMs = monotonic();
  const { user, system } = process.cpuUsage(before);
  const takes = fileMatcher(watch);
  const next = { known: new Map<MediaPath, string>(), settling: new Map<MediaPath, Settling>() };
  const page: PollPage = { watch, memory, next, listed, startedMs, listedMs };
  let [files, hasChanged] = [0, false];
  for (let from = 0; from < listed.length; from += PAGE_FILES) {
    if (from > 0) await nextTurn(signal);
    const taken = listed.slice(from, from + PAGE_FILES).filter(({ path }) => takes(path));
    files += taken.length;
    const others: FoundFile[] = [];
    for (const file of taken) {
      if (isFull || memory.known.get(file.path) !== file.version) others.push(file);
      else next.known.set(file.path, file.version);
    }
    if (others.length > 0 && (await storePage(deps, page, others))) hasChanged = true;
  }
  Object.assign(memory, next, isFull && { fullMs: startedMs });
  let wholeMs: number | undefined;
  for (const { dueMs } of next.settling.values()) wholeMs = Math.min(wholeMs ?? dueMs, dueMs);
  const cost = { processorMs: (user + system) / 1000, elapsedMs: listedMs - startedMs, files: listed.length };
  return { files, wholeMs, isFull, hasChanged, cost };
}

interface PollPage {
  readonly watch: Watch;
  readonly memory: PollMemory;
  /** For the next poll. */
  readonly next: Omit<PollMemory, 'fullMs'>;
  readonly listed: readonly FoundFile[];
  readonly startedMs: number;
  readonly listedMs: number;
}

/** Resolves to whether it has stored anything. */
async function storePage(deps: PollDeps, poll: PollPage, others: readonly FoundFile[]): Promise<boolean> {
  const { ledger, folders, now, onPage } = deps;
  const { watch, memory, next, startedMs, listedMs } = poll;
  const { watchId, clientId } = watch;
  const at = now().toISOString();
  const rows = await ledger.find(
    watchId,
    others.map(({ path }) => path),
  );
  const whole: WholeFile[] = [];
  const seen: MediaPath[] = [];
  const outdated: LedgerChanges['changed'][number][] = [];
  // Files that exist when the watch is made are skipped, so they may still be incomplete.
  const isExisting = watch.existing === 'ignore' && watch.firstScanAt === undefined;
  const isBucket = folders.isBucket(watch.folder);
  for (const file of others) {
    const { path, version } = file;
    const row = rows.get(path);
    const comparison = compareFile(watch, file, row, at);
    if (comparison.kind === 'known') {
      next.known.set(path, version);
      if (comparison.isStale) seen.push(path);
    } else if (comparison.kind === 'later') {
      if (!comparison.row.outdated) outdated.push({ row: comparison.row, change: { outdated: true } });
    } else {
      const last = memory.settling.get(path);
      const settleMs = settleMsOf(watch, file, isBucket);
      const isSame = last?.version === version;
      // Compare the start of this list with the end of the first one that has shown this version.
      if (isExisting || settleMs === 0 || (isSame && startedMs >= last.dueMs))
        whole.push({ file, replaces: comparison.replaces, row });
      else next.settling.set(path, isSame ? last : { version, dueMs: listedMs + settleMs });
    }
  }
  if (whole.length + seen.length + outdated.length === 0) return false;
  const [made, renamed] = await Promise.all([
    whole.length === 0
      ? []
      : ledger.madeFiles(
          clientId,
          whole.map(({ file }) => file),
        ),
    findRenamed(deps, poll, whole),
  ]);
  onPage?.();
  const files = whole.map((one) => ({ ...one, row: one.row ?? renamed.get(one.file.path) }));
  const { added, changed } = changesOf(watch, files, made, at);
  if (!(await recordEach(deps, watchId, { added, changed: [...changed, ...outdated], seen }, at)))
    throw new WatchEnded();
  return true;
}

/**
 * Stores the changes of a page. If the database rejects one, such as a path that is too long for its index, stores the others: no file keeps
 * those of its page out of the ledger.
 */
async function recordEach(
  deps: Pick<PollDeps, 'ledger' | 'onError'>,
  watchId: string,
  changes: LedgerChanges,
  at: string,
): Promise<boolean> {
  try {
    return await deps.ledger.record(watchId, changes, at);
  } catch (error) {
    if (isStoreOutage(error)) throw error;
    const none: LedgerChanges = { added: [], changed: [], seen: [] };
    const single: LedgerChanges[] = [
      ...changes.added.map((one) => ({ ...none, added: [one] })),
      ...changes.changed.map((one) => ({ ...none, changed: [one] })),
      ...changes.seen.map((one) => ({ ...none, seen: [one] })),
    ];
    if (single.length < 2) deps.onError(error);
    else for (const one of single) if (!(await recordEach(deps, watchId, one, at))) return false;
    return true;
  }
}

/** Finds the rows of files that were renamed: the new path has the same content and key, and the old path has no file. */
async function findRenamed(
  { ledger }: Pick<PollDeps, 'ledger'>,
  { watch, listed }: PollPage,
  whole: readonly WholeFile[],
): Promise<ReadonlyMap<MediaPath, WatchedFile>> {
  const renamed = new Map<MediaPath, WatchedFile>();
  const added = whole.flatMap(({ file, row }) => (row === undefined && file.fileKey !== undefined ? [file] : []));
  if (added.length === 0) return renamed;
  const candidates = await ledger.findByKey(
    watch.watchId,
    added.flatMap(({ fileKey }) => fileKey ?? []),
  );
  if (candidates.length === 0) return renamed;
  const byKey = Map.groupBy(candidates, ({ fileKey }) => fileKey);
  // A file with two names (hard links) keeps both rows: only a name that is gone is a rename.
  const taken = new Set<MediaPath>(listed.map(({ path }) => path));
  for (const file of added) {
    const row = byKey.get(file.fileKey)?.find((one) => isRenameOf(file, one) && !taken.has(one.path));
    if (row === undefined) continue;
    taken.add(row.path);
    renamed.set(file.path, row);
  }
  return renamed;
}
