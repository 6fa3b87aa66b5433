import { createRequire, syncBuiltinESMExports } from 'node:module';

const promised = createRequire(import.meta.url)('node:timers/promises') as Record<
  'setTimeout' | 'setImmediate',
  unknown
>;

interface Timer {
  at: number;
  readonly run: () => void;
}

/** Work that waits for so long never ends: a timer that repeats keeps the clock going. */
const MAX_SECONDS = 1_000_000;

interface Replaced {
  /** The promised `setTimeout`. */
  readonly sleep: unknown;
  /** The promised `setImmediate`. */
  readonly nextTurn: unknown;
  readonly setInterval: typeof setInterval;
  readonly clearInterval: typeof clearInterval;
  readonly now: () => number;
}

/**
 * A clock for simulations. It stands still while code runs, and goes on to the next timer when all code waits for one. Until it is disposed,
 * it replaces `setInterval`, `performance.now` and the promised `setTimeout` and `setImmediate` of this process. It ignores signals.
 */
export class VirtualClock implements Disposable {
  /** In milliseconds. */
  #now = 0;
  readonly #timers = new Set<Timer>();
  /** The handles of `setInterval`. A timer that was cleared stays here. */
  readonly #own = new WeakSet<Timer>();
  readonly #real: Replaced = {
    sleep: promised.setTimeout,
    nextTurn: promised.setImmediate,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    now: performance.now.bind(performance),
  };

  constructor() {
    this.#replace({
      sleep: (ms: number) => this.sleep(ms),
      // Work in steps takes no time.
      nextTurn: async () => undefined,
      setInterval: ((work: () => void, ms: number) => this.#repeat(work, ms)) as unknown as typeof setInterval,
      clearInterval: ((timer: unknown) => this.#clear(timer)) as typeof clearInterval,
      now: () => this.#now,
    });
  }

  #replace({ sleep, nextTurn, setInterval, clearInterval, now }: Replaced): void {
    promised.setTimeout = sleep;
    promised.setImmediate = nextTurn;
    // Modules that have imported it see the new one.
    syncBuiltinESMExports();
    Object.assign(globalThis, { setInterval, clearInterval });
    performance.now = now;
  }

  #repeat(work: () => void, ms: number): Timer {
    const timer: Timer = {
      at: this.#now + ms,
      run: () => {
        timer.at += ms;
        this.#timers.add(timer);
        work();
      },
    };
    this.#timers.add(timer);
    this.#own.add(timer);
    return timer;
  }

  /** Clears a timer of this clock, or a real one that other code of the process set before. */
  #clear(timer: unknown): void {
    if (this.#own.has(timer as Timer)) this.#timers.delete(timer as Timer);
    else this.#real.clearInterval(timer as NodeJS.Timeout);
  }

  get seconds(): number {
    return this.#now / 1000;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((run) => void this.#timers.add({ at: this.#now + Math.max(0, ms), run }));
  }

  /** Lets time pass until the work ends. Throws if all code waits for something else than time. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    void work.then(end, end);
    for (;;) {
      // All code that waits for nothing runs before the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver) return work;
      let next: Timer | undefined;
      for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
      if (next === undefined) throw new Error('All code waits, and there is no timer.');
      if (next.at > MAX_SECONDS * 1000) throw new Error(`The work has not ended after ${MAX_SECONDS} s.`);
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
    }
  }

  [Symbol.dispose](): void {
    this.#timers.clear();
    this.#replace(this.#real);
  }
}
