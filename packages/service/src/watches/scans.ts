import type { ScanKind, WatchedStorage } from './ports.ts';

/* When a watch looks at its folder, and how thoroughly. All times are of a monotonic clock, in milliseconds. */

/**
 * The pause between two scans of the same depth, as a multiple of the processor time of the first. There are three depths (`marked`,
 * `quick`, and those that look at each file), and two in a bucket, so a watch takes less than 1 % of a processor, however many files it has.
 */
const PAUSE_PER_COST = { local: 300, remote: 300, bucket: 150 } as const satisfies Readonly<
  Record<WatchedStorage, number>
>;

/** With more watches than this, each pauses longer, so that all watches of a service together take less than a fifth of a processor. */
const WATCHES_WITHOUT_DELAY = 20;

/** The shortest pauses. A file that lands is found after 15 s at the latest if that is cheap; on an object store, each scan is a list. */
const PAUSE_MS = {
  marked: 1000,
  quick: { local: 15_000, remote: 15_000, bucket: 60_000 },
  /** Finds files whose content has changed in place, which does not change their folder. */
  thorough: 600_000,
  /** Yields all files, so that the ledger knows which ones still exist. */
  full: 24 * 3_600_000,
} as const;

/** The pause before a scan that a client asks for. */
const ASKED_PAUSE_MS = { local: 1000, remote: 1000, bucket: 10_000 } as const;

/** A scan that a client asks for may cost this many times as much of a processor as those that it has not asked for. */
const ASKED_SHARE = 10;

/** Hints come in bursts, so a scan waits for others. */
const HINT_DELAY_MS = 1000;

/** The longest pause while a folder is unreachable. */
export const LONGEST_RETRY_MS = 60_000;
const FIRST_RETRY_MS = 1000;

const DEPTHS = ['marked', 'quick', 'deep'] as const;
type Depth = (typeof DEPTHS)[number];

const depthOf = (kind: ScanKind, storage: WatchedStorage): Depth =>
  kind === 'marked' ? 'marked' : storage === 'bucket' || kind !== 'quick' ? 'deep' : 'quick';

interface PastScan {
  readonly endedMs: number;
  readonly processorMs: number;
}

/** The last scan of each depth, also if it failed. */
export type LastScans = Readonly<Partial<Record<Depth, PastScan>>>;

/** What is known of the scans of a watch. Begin with `NO_SCANS`, and keep `last` if what the scans remember is lost. */
export interface ScanHistory {
  readonly last: LastScans;
  /** When the last scan ended. undefined: there was none. */
  readonly endedMs: number | undefined;
  /** Whether a scan has looked, or tried to look, at the folder, not only at marked files. Until then, the scans remember nothing, so the next scan of the folder is full. */
  readonly hasLooked: boolean;
  /** When each file was last looked at. undefined: never. */
  readonly thoroughMs: number | undefined;
  /** When all files were last yielded. undefined: never. */
  readonly fullMs: number | undefined;
  /** How many scans in a row have not reached the folder. */
  readonly failures: number;
  /** The scan that was broken off, because too many files were settling, and goes on with the next one. */
  readonly unfinished: 'full' | 'thorough' | 'quick' | 'marked' | undefined;
}

export const NO_SCANS: ScanHistory = {
  last: {},
  endedMs: undefined,
  hasLooked: false,
  thoroughMs: undefined,
  fullMs: undefined,
  failures: 0,
  unfinished: undefined,
};

export interface EndedScan {
  readonly kind: ScanKind;
  readonly storage: WatchedStorage;
  readonly endedMs: number;
  /** Of the scan and of what was done with its files. */
  readonly processorMs: number;
  /** `unfinished`: broken off, because too many files were settling. `aborted`: by a change of the watch, an error, or the end of the service. */
  readonly end: 'complete' | 'unfinished' | 'unreachable' | 'aborted';
}

/** Adds a scan to the history. */
export function addScan(history: ScanHistory, { kind, storage, endedMs, processorMs, end }: EndedScan): ScanHistory {
  const last = { ...history.last, [depthOf(kind, storage)]: { endedMs, processorMs } };
  // It has cost something, and is repeated.
  if (end === 'aborted') return { ...history, last, endedMs };
  const isComplete = end === 'complete';
  // A thorough scan with the same memory yields what a full scan that was broken off has not.
  const continues = history.unfinished === 'full' && kind === 'thorough';
  const isThorough =
    isComplete && (kind === 'thorough' || kind === 'full' || (kind === 'quick' && storage === 'bucket'));
  const goesOn = continues ? 'full' : kind;
  // A scan of marked files in between does not continue the scan that was broken off.
  const isBetween = kind === 'marked' && history.unfinished !== undefined && history.unfinished !== 'marked';
  return {
    last,
    endedMs,
    hasLooked: history.hasLooked || kind !== 'marked',
    thoroughMs: isThorough ? endedMs : history.thoroughMs,
    fullMs: isComplete && (kind === 'full' || continues) ? endedMs : history.fullMs,
    failures: end === 'unreachable' ? history.failures + 1 : 0,
    unfinished: isBetween || end === 'unreachable' ? history.unfinished : isComplete ? undefined : goesOn,
  };
}

/** One scan of each depth for those of two watches of a folder. No pause, of any length, ends earlier than after either of them. */
export function laterPauses(one: LastScans, other: LastScans): LastScans {
  const later: Partial<Record<Depth, PastScan>> = {};
  for (const depth of DEPTHS) {
    const both = [one[depth], other[depth]].filter((scan) => scan !== undefined);
    if (both.length === 0) continue;
    const endedMs = Math.max(...both.map((scan) => scan.endedMs));
    // This extends the pauses of the earlier scan, but none of them past the end of its longest one.
    later[depth] = {
      endedMs,
      processorMs: (Math.max(...both.map(longestPauseEnd)) - endedMs) / LONGEST_PAUSE_PER_COST,
    };
  }
  return later;
}

/** When the pause after each of these scans is over, on any storage. */
export const pausesEnd = (last: LastScans): number => Math.max(...Object.values(last).map(longestPauseEnd));

const LONGEST_PAUSE_PER_COST = Math.max(...Object.values(PAUSE_PER_COST));

const longestPauseEnd = ({ endedMs, processorMs }: PastScan): number => endedMs + processorMs * LONGEST_PAUSE_PER_COST;

export interface ScanWishes {
  readonly storage: WatchedStorage;
  /** When the first hint came that no scan has looked at. */
  readonly hintedMs?: number | undefined;
  /** See `ScanMemory.isOverflowed`. */
  readonly isOverflowed?: boolean;
  /** See `Settling.dueMs`. */
  readonly settlesMs?: number | undefined;
  /** When a client asked for a scan that has not begun. */
  readonly askedMs?: number | undefined;
  /** For how many watches this service works. Default: one. */
  readonly watches?: number;
}

export interface NextScan {
  readonly atMs: number;
  readonly kind: ScanKind;
}

const KINDS: readonly ScanKind[] = ['full', 'thorough', 'quick', 'marked'];

/** Returns when the next scan is due, and of which kind. It may be overdue. */
export function nextScan(history: ScanHistory, wishes: ScanWishes, nowMs: number): NextScan {
  const { endedMs = 0, hasLooked, failures, unfinished } = history;
  const due = dueTimes(history, wishes);
  if (failures > 0) {
    const atMs = endedMs + Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
    return { atMs, kind: deepestDue(due, Math.max(atMs, nowMs)) ?? (hasLooked ? 'quick' : 'marked') };
  }
  if (unfinished !== undefined) {
    const atMs = Math.max(pauseEnd(history, unfinished, wishes, PAUSE_MS.marked), wishes.settlesMs ?? 0);
    // A costly scan continues only after minutes. Files that are whole before that are taken first. Hints wait for the scan itself.
    const takenMs = markedDue(history, { ...wishes, hintedMs: undefined });
    if (takenMs < atMs) return { atMs: takenMs, kind: 'marked' };
    return { atMs, kind: unfinished === 'full' ? 'thorough' : unfinished };
  }
  const atMs = Math.min(...due.values());
  return { atMs, kind: deepestDue(due, Math.max(atMs, nowMs)) ?? 'quick' };
}

/** How long until the next scan of the folder, if nobody asks for one and no hint comes, in milliseconds. */
export const pauseAfterScan = (
  history: ScanHistory,
  wishes: Pick<ScanWishes, 'storage' | 'watches' | 'isOverflowed'>,
  nowMs: number,
): number => Math.max(0, nextScan(history, wishes, nowMs).atMs - nowMs);

/** The deepest kind of scan that is due at `atMs`, because it does the work of the others. */
const deepestDue = (due: ReadonlyMap<ScanKind, number>, atMs: number): ScanKind | undefined =>
  KINDS.find((kind) => (due.get(kind) ?? Number.POSITIVE_INFINITY) <= atMs);

/** When the pause after the last scan of the same depth ends. */
function pauseEnd(
  { last }: ScanHistory,
  kind: ScanKind,
  { storage, watches = 1 }: Pick<ScanWishes, 'storage' | 'watches'>,
  leastMs: number,
): number {
  const before = last[depthOf(kind, storage)];
  const perCost = PAUSE_PER_COST[storage] * Math.max(1, watches / WATCHES_WITHOUT_DELAY);
  return before === undefined ? 0 : before.endedMs + Math.max(leastMs, before.processorMs * perCost);
}

/** When the pause before a scan that a client asks for ends. A change of settings asks for one too, and so does a watch that is resumed. */
function askedPauseEnd(history: ScanHistory, kind: ScanKind, wishes: Pick<ScanWishes, 'storage' | 'watches'>): number {
  const lookedMs = lastLook(history);
  const pauseMs = pauseEnd(history, kind, wishes, 0) - lookedMs;
  return lookedMs + Math.max(ASKED_PAUSE_MS[wishes.storage], pauseMs / ASKED_SHARE);
}

/** When the folder was last looked at. A deeper scan has done the work of a quick one. */
const lastLook = ({ last }: ScanHistory): number => Math.max(last.quick?.endedMs ?? 0, last.deep?.endedMs ?? 0);

function dueTimes(history: ScanHistory, wishes: ScanWishes): ReadonlyMap<ScanKind, number> {
  const { storage, askedMs, isOverflowed = false } = wishes;
  const { last, hasLooked, thoroughMs, fullMs } = history;
  const due = new Map<ScanKind, number>();
  due.set('marked', markedDue(history, wishes));
  if (!hasLooked) return due.set('full', last.deep === undefined ? 0 : askedPauseEnd(history, 'full', wishes));
  const quickMs = PAUSE_MS.quick[storage];
  const pauseOf = (kind: ScanKind, leastMs: number): number => pauseEnd(history, kind, wishes, leastMs);

  due.set('full', Math.max(pauseOf('full', quickMs), (fullMs ?? Number.NEGATIVE_INFINITY) + PAUSE_MS.full));
  if (storage !== 'bucket') {
    const soon = isOverflowed || thoroughMs === undefined;
    due.set('thorough', Math.max(pauseOf('thorough', quickMs), soon ? 0 : thoroughMs + PAUSE_MS.thorough));
  }
  const asked =
    askedMs === undefined ? Number.POSITIVE_INFINITY : Math.max(askedMs, askedPauseEnd(history, 'quick', wishes));
  due.set('quick', Math.min(Math.max(pauseOf('quick', quickMs), lastLook(history) + quickMs), asked));
  return due;
}

/** When the marked and the settling files are looked at. Infinity: there are none. */
function markedDue(history: ScanHistory, wishes: ScanWishes): number {
  const { endedMs = 0 } = history;
  const { storage, hintedMs, settlesMs } = wishes;
  const wanted = Math.min(
    hintedMs === undefined ? Number.POSITIVE_INFINITY : hintedMs + HINT_DELAY_MS,
    // Of objects, only empty ones settle, and each list looks at them.
    storage === 'bucket' ? Number.POSITIVE_INFINITY : (settlesMs ?? Number.POSITIVE_INFINITY),
  );
  return Math.max(wanted, endedMs + PAUSE_MS.marked, pauseEnd(history, 'marked', wishes, PAUSE_MS.marked));
}
