import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { LedgerChanges } from '../store/ledger-row.ts';
import { compareFile, fileMatcher, isRenameOf, newRow, originsOf, renamed, renewed, settleMsOf } from './decide.ts';
import type { Round } from './watch-deps.ts';
import type { FoundFile } from './watched-folders.ts';

/** How many files are compared with the ledger at a time. */
export const PAGE_FILES = 500;

const DAY_MS = 24 * 3_600_000;

/**
 * A folder without changes is listed so rarely that lists take less than a hundredth of a processor, a tenth of the time of a slow disk, and one
 * request of 1,000 objects in 6 s.
 */
export const PAUSE = { perProcessor: 120, perElapsed: 10, perRequestMs: 6000, requestFiles: 1000 };

/** What a poll uses of a round. */
type Poll = Omit<Round, 'mayGoOn' | 'onOther'>;

/** What the polls of one watch remember, in memory only. An idle watch needs no statement in the database because of it. */
export interface PollMemory {
  /** The version of each file about which nothing is to be done. */
  known: Map<MediaPath, string>;
  /** Files that are whole if they still have this version at a time of the monotonic clock. No time is one of the file: that is by another clock. */
  settling: Map<MediaPath, { readonly version: string; readonly dueMs: number }>;
  /** When all files were last compared with the ledger, which is done once a day, so that it knows which still exist. */
  fullMs: number;
}

export const newPollMemory = (): PollMemory => ({
  ...{ known: new Map(), settling: new Map(), fullMs: Number.NEGATIVE_INFINITY },
});

/**
 * Lists the folder of a watch, and stores in the ledger which files are new and whole. Throws FOLDER_UNREACHABLE. undefined: the watch was paused
 * or deleted meanwhile.
 */
export async function pollFolder(poll: Poll, memory: PollMemory) {
  const { watch, caller, signal, ledger, folders, monotonic, now, onStep } = poll;
  const startedMs = monotonic();
  const isFull = startedMs - memory.fullMs >= DAY_MS;
  const before = process.cpuUsage();
  const listed = await folders.list(caller.root, watch.folder, signal);
  const listedMs = monotonic();
  const { user, system } = process.cpuUsage(before);
  const takes = fileMatcher(watch);
  const isBucket = folders.isBucket(watch.folder);
  const next: Omit<PollMemory, 'fullMs'> = { known: new Map(), settling: new Map() };
  let [files, hasChanged] = [0, false];

  /** Whether a file has had the same version for long enough: from the end of the first list that has shown it to the start of this one. */
  const isWhole = (file: FoundFile): boolean => {
    const ms = settleMsOf(watch, file, isBucket);
    if (ms === 0) return true;
    const last = memory.settling.get(file.path);
    const settling = last?.version === file.version ? last : { version: file.version, dueMs: listedMs + ms };
    if (settling === last && startedMs >= last.dueMs) return true;
    next.settling.set(file.path, settling);
    return false;
  };

  for await (const some of inSteps(listed, PAGE_FILES, signal)) {
    const taken = some.filter(({ path }) => takes(path));
    files += taken.length;
    const others: FoundFile[] = [];
    for (const file of taken) {
      if (isFull || memory.known.get(file.path) !== file.version) others.push(file);
      else next.known.set(file.path, file.version);
    }
    if (others.length === 0) continue;
    const at = now().toISOString();
    const paths = others.map(({ path }) => path);
    const rows = await ledger.find(watch.watchId, paths);
    const added: FoundFile[] = [];
    const changed: LedgerChanges['changed'][number][] = [];
    for (const file of others) {
      const row = rows.get(file.path);
      const comparison = compareFile(watch, file, row);
      if (comparison === 'known') {
        next.known.set(file.path, file.version);
        // A row says at most a day late that its file exists, so that few polls write rows.
        if (row && Date.parse(at) - Date.parse(row.seenAt) > DAY_MS) changed.push({ row, change: { seenAt: at } });
      } else if (comparison !== 'later' && isWhole(file)) {
        if (row === undefined) added.push(file);
        else changed.push({ row, change: renewed(newRow(watch, file), comparison.replaces, at) });
      }
    }
    if (added.length + changed.length === 0) continue;
    const renames = await findRenames(poll, added, listed);
    for (const [file, row] of renames) changed.push({ row, change: renamed(row, file, at) });
    const unknown = added.filter((file) => !renames.has(file));
    const made = await ledger.madeFiles(watch.clientId, unknown);
    // The ledger forgets outputs after some time, and a file can wait for its job for longer.
    const fresh = unknown.map((file) => newRow(watch, file, originsOf(file, made).includes(watch.watchId)));
    onStep?.('before-watch-page');
    if (!(await ledger.record(watch.watchId, { added: fresh, changed }, at))) return undefined;
    hasChanged = true;
  }
  Object.assign(memory, next, isFull && { fullMs: startedMs });
  let wholeMs = Number.POSITIVE_INFINITY;
  for (const { dueMs } of next.settling.values()) wholeMs = Math.min(wholeMs, dueMs);
  const requests = isBucket ? Math.ceil(listed.length / PAUSE.requestFiles) : 0;
  const pauseMs = pauseAfter((user + system) / 1000, listedMs - startedMs, requests);
  // `files`: with the files that are not whole. `wholeMs`: when the next file can be whole. Infinity: all are whole.
  return { files, wholeMs, hasChanged, pauseMs, mayForget: isFull && listed.length > 0 };
}

/** The pause after a list, by the cost of the list. `processorMs`: with the other work of the process meanwhile. */
const pauseAfter = (processorMs: number, elapsedMs: number, requests: number): number =>
  Math.max(
    Math.min(processorMs, elapsedMs) * PAUSE.perProcessor,
    elapsedMs * PAUSE.perElapsed,
    requests * PAUSE.perRequestMs,
  );

/** Finds the rows of new files that were renamed: the new path has the same content and key, and the old path has no file. */
async function findRenames(
  { ledger, watch }: Poll,
  added: readonly FoundFile[],
  listed: readonly FoundFile[],
): Promise<ReadonlyMap<FoundFile, WatchedFile>> {
  const renames = new Map<FoundFile, WatchedFile>();
  const keys = added.flatMap(({ fileKey }) => fileKey ?? []);
  const candidates = await ledger.findByKey(watch.watchId, keys);
  if (candidates.length === 0) return renames;
  const byKey = Map.groupBy(candidates, ({ fileKey }) => fileKey);
  // A file with two names (hard links) keeps both rows: only a name that is gone is a rename.
  const taken = new Set<MediaPath>(listed.map(({ path }) => path));
  for (const file of added) {
    const row = byKey.get(file.fileKey)?.find((one) => isRenameOf(file, one) && !taken.has(one.path));
    if (row === undefined) continue;
    taken.add(row.path);
    renames.set(file, row);
  }
  return renames;
}
