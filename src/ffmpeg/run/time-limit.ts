import { LONGEST_TIMER_MS } from '../../domain/quantity.ts';

/** Calls a function once when a run has taken too long. The time in which the run waits for its turn does not count. Pauses do not overlap. */
export class TimeLimit {
  readonly #onEnd: () => void;
  #leftMs: number;
  #resumedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(seconds: number, onEnd: () => void) {
    this.#leftMs = Math.min(seconds * 1000, LONGEST_TIMER_MS);
    this.#onEnd = onEnd;
    this.#resume();
  }

  /** Waits, without counting the time. */
  async pauseFor(wait: Promise<void>): Promise<void> {
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#resumedAt));
    await wait.finally(() => this.#resume());
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #resume(): void {
    if (this.#isOver) return;
    this.#resumedAt = performance.now();
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#onEnd();
    }, this.#leftMs);
  }
}
