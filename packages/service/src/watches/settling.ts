import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FoundFile } from './ports.ts';

/**
 * How many files one watch observes at a time: about 4 MB. Above it, `observe` accepts no more, so that the pass ends; the files that have
 * become whole meanwhile make room for the others in later passes. As many files as land within some seconds never reach it.
 */
export const MOST_SETTLING = 20_000;

/** Many programs create a file some time before they write to it, so an empty file counts as whole only after ten minutes. */
export const EMPTY_SETTLE_MS = 600_000;

interface Observed {
  readonly version: string;
  /** After the first observation of this version. */
  readonly sinceMs: number;
  readonly isEmpty: boolean;
  /** The last pass that found the file. */
  readonly pass: number;
}

/**
 * Decides when files are whole: after two observations at least `settleMs` apart, and none between them with another version. All times are
 * of a monotonic clock, and none is of a file: those are by the clock of another machine, or are copied with the file.
 */
export interface Settling {
  /** Begins a pass. Returns the files that the pass must look at again. */
  startPass(nowMs: number): readonly MediaPath[];
  /**
   * Observes files that the ledger does not know in this version. Returns those that are whole; they are returned again until `remove`, so
   * that a failure to store them loses none. undefined: there is no room for these files, and nothing has changed. Then end the pass.
   */
  observe(files: readonly FoundFile[], nowMs: number): readonly FoundFile[] | undefined;
  /** Forgets files that the ledger knows now. */
  remove(paths: Iterable<MediaPath>): void;
  /** Forgets the files that the pass was to look at again and has not found. Call it only after a pass without an error. */
  endPass(): void;
  /** When a pass can find the next file whole. undefined: no file is observed. */
  dueMs(): number | undefined;
}

export function createSettling(settleMs: number, most = MOST_SETTLING): Settling {
  const observed = new Map<MediaPath, Observed>();
  let pass = 0;
  let startedMs = 0;
  const dueOf = ({ sinceMs, isEmpty }: Observed): number =>
    sinceMs + (isEmpty ? Math.max(settleMs, EMPTY_SETTLE_MS) : settleMs);
  return {
    startPass: (nowMs) => {
      pass += 1;
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
          observed.set(file.path, { version: file.version, sinceMs: nowMs, isEmpty: file.bytes === 0, pass });
        else {
          observed.set(file.path, { ...before, pass });
          // Between two calls of this function, a pass may have looked at the files in less time. So compare the start of this pass.
          if (startedMs >= dueOf(before)) whole.push(file);
        }
      }
      return whole;
    },
    remove: (paths) => {
      for (const path of paths) observed.delete(path);
    },
    endPass: () => {
      for (const [path, one] of observed) if (one.pass !== pass) observed.delete(path);
    },
    dueMs: () => {
      let first: number | undefined;
      for (const one of observed.values()) first = Math.min(first ?? Number.POSITIVE_INFINITY, dueOf(one));
      return first;
    },
  };
}
