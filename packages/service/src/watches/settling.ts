import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FoundFile } from './ports.ts';

/**
 * How many files one watch observes at a time: about 4 MB. Above it, `observe` accepts no more, so that the scan ends; the files that have
 * become whole meanwhile make room for the others in later scans. As many files as land within some seconds never reach it.
 */
export const MOST_SETTLING = 20_000;

/** Many programs create a file some time before they write to it, so an empty file counts as whole only after ten minutes. */
export const EMPTY_SETTLE_MS = 600_000;

interface Observed {
  readonly version: string;
  /** After the first observation of this version. */
  readonly sinceMs: number;
  readonly isEmpty: boolean;
  /** The last scan that found the file. */
  readonly scan: number;
}

/**
 * Decides when files are whole: after two observations at least `settleMs` apart, and none between them with another version. All times are
 * of a monotonic clock, and none is of a file: those are by the clock of another machine, or are copied with the file.
 */
export interface Settling {
  /** Begins a scan. Returns the files that the scan must look at again. */
  startScan(nowMs: number): readonly MediaPath[];
  /**
   * Observes files that the ledger does not know in this version. Returns those that are whole; they are returned again until `remove`, so
   * that a failure to store them loses none. undefined: there is no room for these files, and nothing has changed. Then end the scan.
   */
  observe(files: readonly FoundFile[], nowMs: number): readonly FoundFile[] | undefined;
  /** Forgets files that the ledger knows now. */
  remove(paths: Iterable<MediaPath>): void;
  /** Forgets the files that the scan was to look at again and has not found. Call it only after a scan without an error. */
  endScan(): void;
  /** When a scan can find the next file whole. undefined: no file is observed. */
  dueMs(): number | undefined;
}

export function createSettling(settleMs: number, most = MOST_SETTLING): Settling {
  const observed = new Map<MediaPath, Observed>();
  let scan = 0;
  let startedMs = 0;
  const dueOf = ({ sinceMs, isEmpty }: Observed): number =>
    sinceMs + (isEmpty ? Math.max(settleMs, EMPTY_SETTLE_MS) : settleMs);
  return {
    startScan: (nowMs) => {
      scan += 1;
      startedMs = nowMs;
      return [...observed.keys()];
    },
    observe: (files, nowMs) => {
      const waiting = files.filter(({ isWhole }) => !isWhole);
      const added = waiting.filter(({ path }) => !observed.has(path)).length;
      if (added > 0 && observed.size + added > most) return undefined;
      const whole = files.filter(({ isWhole }) => isWhole);
      for (const file of waiting) {
        const before = observed.get(file.path);
        if (before?.version !== file.version)
          observed.set(file.path, { version: file.version, sinceMs: nowMs, isEmpty: file.bytes === 0, scan });
        else {
          observed.set(file.path, { ...before, scan });
          // Between two calls of this function, a scan may have looked at the files in less time. So compare the start of this scan.
          if (startedMs >= dueOf(before)) whole.push(file);
        }
      }
      return whole;
    },
    remove: (paths) => {
      for (const path of paths) observed.delete(path);
    },
    endScan: () => {
      for (const [path, one] of observed) if (one.scan !== scan) observed.delete(path);
    },
    dueMs: () => {
      let first: number | undefined;
      for (const one of observed.values()) first = Math.min(first ?? Number.POSITIVE_INFINITY, dueOf(one));
      return first;
    },
  };
}
