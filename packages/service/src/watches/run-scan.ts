import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import { compareFile, isRenameOf, pageChanges } from './compare-page.ts';
import type { FoundFile, LedgerChanges, ScanKind, ScanMemory, ScanOptions, WatchLedger, WatchSource } from './ports.ts';
import type { Settling } from './settling.ts';
import { nameMatcher } from './watched-names.ts';

export interface RunScanDeps {
  readonly ledger: Pick<WatchLedger, 'find' | 'findByKey' | 'madeFiles' | 'record'>;
  readonly source: Pick<WatchSource, 'scan' | 'find'>;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  /** A clock in milliseconds that only moves forward. */
  readonly monotonic: () => number;
  /** Called before a page is stored. For tests of crashes. */
  readonly onPage?: () => void;
}

/** What one run of a watch remembers in memory. */
export interface ScanState {
  readonly memory: ScanMemory;
  readonly settling: Settling;
  /** Files whose content has changed after it was converted or left out, and that the watch ignores, as far as scans have seen. */
  readonly ignored: Set<MediaPath>;
}

/** More files than this are not counted. */
const MOST_IGNORED = 10_000;

export interface ScanResult {
  /** `unfinished`: so many files are settling that the next scan must go on. */
  readonly end: 'complete' | 'unfinished';
  /** Files with new content whose job for the old content has not ended. A later scan must look at them. */
  readonly later: readonly MediaPath[];
  /** How many statements the pages took. */
  readonly statements: number;
}

/** Looks at the folder of a watch, and stores in the ledger which files are new and whole. Throws `FolderUnreachable`. */
export async function runScan(
  deps: RunScanDeps,
  watch: Watch,
  caller: Caller,
  state: ScanState,
  kind: ScanKind,
  { signal, waitForTurn }: Pick<ScanOptions, 'signal' | 'waitForTurn'>,
): Promise<ScanResult> {
  const { source, monotonic } = deps;
  const { memory, settling, ignored } = state;
  // A full scan yields all files.
  if (kind === 'full') ignored.clear();
  const where = { folder: watch.folder, subfolders: watch.subfolders, accepts: nameMatcher(watch.patterns) };
  const later: MediaPath[] = [];
  let statements = 0;
  const again = settling.startScan(monotonic());
  for await (const page of source.scan(caller.root, where, { memory, kind, again, waitForTurn, signal })) {
    const stored = await storePage(deps, watch, caller, state, page);
    statements += stored.statements;
    later.push(...stored.later);
    if (!stored.hasRoom) return { end: 'unfinished', later, statements };
  }
  settling.endScan();
  return { end: 'complete', later, statements };
}

/** The states of files that a watch has taken and not converted. */
const UNCONVERTED: ReadonlySet<string> = new Set(['READY', 'SUBMITTED', 'FAILED']);

async function storePage(
  deps: RunScanDeps,
  watch: Watch,
  caller: Caller,
  { settling, ignored }: ScanState,
  page: readonly FoundFile[],
): Promise<{ readonly hasRoom: boolean; readonly later: readonly MediaPath[]; readonly statements: number }> {
  const { ledger, now, monotonic, onPage } = deps;
  const { watchId, clientId } = watch;
  const at = now().toISOString();
  const rows = await ledger.find(
    watchId,
    page.map(({ path }) => path),
  );
  const fresh = new Map<MediaPath, { file: FoundFile; row?: WatchedFile; replaces: boolean }>();
  const known: MediaPath[] = [];
  const seen: MediaPath[] = [];
  const later: MediaPath[] = [];
  for (const file of page) {
    const row = rows.get(file.path);
    // A watch that is being drained takes no more files, but looks again at those that have changed since.
    if (watch.state === 'DRAINING' && (row === undefined || !UNCONVERTED.has(row.state))) continue;
    const comparison = compareFile(watch, file, row, at);
    const isIgnored = comparison.kind === 'known' && comparison.isIgnored === true;
    if (!isIgnored) ignored.delete(file.path);
    else if (ignored.size < MOST_IGNORED) ignored.add(file.path);
    if (comparison.kind === 'new')
      fresh.set(file.path, { file, replaces: comparison.replaces, ...(row !== undefined && { row }) });
    else if (comparison.kind === 'later') later.push(file.path);
    else {
      known.push(file.path);
      if (comparison.isStale) seen.push(file.path);
    }
  }
  // Files that exist when the watch is made are left out as they are, so they need not be whole.
  const isExisting = watch.existing === 'ignore' && watch.firstScanAt === undefined;
  const found = [...fresh.values()].map(({ file }) => file);
  const whole = isExisting ? found : settling.observe(found, monotonic());
  if (whole === undefined) return { hasRoom: false, later, statements: 1 };
  settling.remove(known);
  if (whole.length === 0 && seen.length === 0 && later.length === 0) return { hasRoom: true, later, statements: 1 };
  const [made, renamed] = await Promise.all([
    whole.length === 0 ? [] : ledger.madeFiles(clientId, whole),
    findRenamed(deps, watch, caller, whole, rows),
  ]);
  const files = whole.flatMap(({ path }) => fresh.get(path) ?? []);
  const changes = pageChanges(watch, files, { made, renamed }, { seen, outdated: later });
  onPage?.();
  if (!(await recordEach(deps, watchId, changes, at))) throw new WatchEnded();
  settling.remove(whole.map(({ path }) => path));
  return { hasRoom: true, later, statements: 4 };
}

/** Thrown if a scan may store no more, because its watch was paused or deleted. */
export class WatchEnded extends Error {
  override readonly name = 'WatchEnded';
}

/**
 * Stores the changes of a page. If the database rejects one, such as a path that is too long for its index, stores the others: no file keeps
 * those of its page out of the ledger.
 */
async function recordEach(
  deps: Pick<RunScanDeps, 'ledger' | 'onError'>,
  watchId: string,
  changes: LedgerChanges,
  at: string,
): Promise<boolean> {
  try {
    return await deps.ledger.record(watchId, changes, at);
  } catch (error) {
    if (isStoreOutage(error)) throw error;
    const parts = halvesOf(changes);
    if (parts === undefined) {
      deps.onError(error);
      return true;
    }
    const [first, second] = parts;
    return (await recordEach(deps, watchId, first, at)) && recordEach(deps, watchId, second, at);
  }
}

const NOTHING: LedgerChanges = { added: [], renewed: [], moved: [], seen: [], outdated: [] };

/** undefined: there is only one change. */
function halvesOf(changes: LedgerChanges): readonly [LedgerChanges, LedgerChanges] | undefined {
  const single = (Object.keys(NOTHING) as (keyof LedgerChanges)[]).flatMap((kind) =>
    changes[kind].map((one): LedgerChanges => ({ ...NOTHING, [kind]: [one] })),
  );
  if (single.length < 2) return undefined;
  const half = Math.ceil(single.length / 2);
  return [joined(single.slice(0, half)), joined(single.slice(half))];
}

const joined = (parts: readonly LedgerChanges[]): LedgerChanges => ({
  added: parts.flatMap(({ added }) => added),
  renewed: parts.flatMap(({ renewed }) => renewed),
  moved: parts.flatMap(({ moved }) => moved),
  seen: parts.flatMap(({ seen }) => seen),
  outdated: parts.flatMap(({ outdated }) => outdated),
});

/** Finds the rows of files that were renamed: the new path has the same content and key, and the old path has no file. */
async function findRenamed(
  { ledger, source }: Pick<RunScanDeps, 'ledger' | 'source'>,
  { watchId }: Watch,
  { root }: Caller,
  whole: readonly FoundFile[],
  rows: ReadonlyMap<string, WatchedFile>,
): Promise<ReadonlyMap<MediaPath, WatchedFile>> {
  const added = whole.filter(({ path, fileKey }) => fileKey !== undefined && !rows.has(path));
  const renamed = new Map<MediaPath, WatchedFile>();
  if (added.length === 0) return renamed;
  const candidates = await ledger.findByKey(
    watchId,
    added.flatMap(({ fileKey }) => fileKey ?? []),
  );
  const byKey = Map.groupBy(candidates, ({ fileKey }) => fileKey);
  const taken = new Set<MediaPath>();
  for (const file of added)
    for (const row of byKey.get(file.fileKey) ?? [])
      if (isRenameOf(file, row) && !taken.has(row.path) && (await source.find(root, row.path)) === undefined) {
        // A file with two names (hard links) keeps both rows: only a name that is gone is a rename.
        taken.add(row.path);
        renamed.set(file.path, row);
        break;
      }
  return renamed;
}
