import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { type FoundFile, PAGE_FILES, type ScanCost } from '../watches/ports.ts';

/** How long a scan works before other work of the event loop has its turn. */
const SLICE_MS = 4;

/** A slice with fewer steps than this per millisecond waits for a disk. */
const FAST_STEPS = 4;

/** The most processor time of a call in the thread pool, and of a step between such calls. */
const CALL_MS = 0.15;
const STEP_MS = 0.003;

/** The processor time of this thread, in milliseconds. Node before 23.9 does not tell it; then the time of the clock is more. */
const threadMs = (): number => {
  if (!('threadCpuUsage' in process)) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const processMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Divides a scan into slices, and adds up its processor time. */
export class ScanClock {
  readonly signal: AbortSignal;
  /** Whether the scan works in this thread only. Otherwise, its slices contain waits for the thread pool. */
  isMeasured = false;
  /** Whether the last slice has waited for a disk. */
  isSlow = false;
  steps = 0;
  calls = 0;
  /** When the slice began. undefined: other code works or waits. */
  #slice: { readonly startedMs: number; readonly threadMs: number; readonly steps: number } | undefined;
  #spentMs = 0;
  readonly #processMs = processMs();

  constructor(signal: AbortSignal) {
    this.signal = signal;
    this.resume();
  }

  /** Counts a step of some microseconds, and the calls in it. Sometimes waits for the next turn of the event loop. Throws the reason of an abort. */
  step(calls = 0): Promise<void> | undefined {
    this.steps += 1;
    this.calls += calls;
    return performance.now() - (this.#slice?.startedMs ?? 0) >= SLICE_MS ? this.#nextSlice() : undefined;
  }

  async #nextSlice(): Promise<void> {
    this.isSlow = this.steps - (this.#slice?.steps ?? 0) < SLICE_MS * FAST_STEPS;
    this.pause();
    await nextTurn(this.signal);
    this.resume();
  }

  /** Adds processor time that the slices do not contain. */
  add(ms: number): void {
    this.#spentMs += ms;
  }

  /** Ends a slice, because other code works or waits. */
  pause(): void {
    if (this.#slice !== undefined) this.#spentMs += threadMs() - this.#slice.threadMs;
    this.#slice = undefined;
  }

  resume(): void {
    this.#slice = { startedMs: performance.now(), threadMs: threadMs(), steps: this.steps };
  }

  /** Ends the last slice, and returns what the scan has cost. */
  end(): ScanCost {
    this.pause();
    // What the process has used meanwhile contains the work of others, so it is only a bound.
    const estimatedMs = Math.min(processMs() - this.#processMs, this.calls * CALL_MS + this.steps * STEP_MS);
    return { processorMs: this.isMeasured ? this.#spentMs : estimatedMs, reads: this.steps };
  }
}

/** A page is reported after this time also if it is not full, because a reader may give up a slow scan. In milliseconds. */
const PAGE_MS = 2000;

/** Collects files into pages. What a scan remembers of a file is stored when its page was reported. */
export class ScanPages {
  #files: FoundFile[] = [];
  #reported: (() => void)[] = [];
  /** When the first file of the page was added. */
  #begunMs = 0;
  readonly #clock: ScanClock;

  constructor(clock: ScanClock) {
    this.#clock = clock;
  }

  add(file: FoundFile, reported: () => void): void {
    if (this.#files.length === 0) this.#begunMs = performance.now();
    this.#files.push(file);
    this.#reported.push(reported);
  }

  /** Calls `reported` when all files that were added so far are reported. */
  after(reported: () => void): void {
    this.#reported.push(reported);
  }

  get isFull(): boolean {
    if (this.#files.length === 0) return false;
    return this.#files.length >= PAGE_FILES || performance.now() - this.#begunMs >= PAGE_MS;
  }

  /** Yields the files that were added. The code after `yield` does not run if the caller breaks off. */
  *flush(): Generator<readonly FoundFile[], void> {
    if (this.#files.length > 0) {
      const page = this.#files;
      this.#files = [];
      this.#clock.pause();
      yield page;
      this.#clock.resume();
    }
    const reported = this.#reported;
    this.#reported = [];
    for (const call of reported) call();
  }
}
