import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

/** A timer that waits longer never fires: it is a time limit, or polls. No poll may have a shorter interval. */
const LONGEST_MS = 500;

interface VirtualTimer {
  readonly dueMs: number;
  readonly fire: () => void;
}

const realSetTimeout = setTimeout;
const realClearTimeout = clearTimeout;
/** A wait of real time, for the counter itself. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => realSetTimeout(resolve, ms));

/** Far enough away that a real timer never fires. */
const NEVER_MS = 2 ** 31 - 1;

let passedMs = 0;

/** Moves the clocks without firing timers: caches expire, as between two requests of a client that sends few. */
export const passTime = (ms: number): void => {
  passedMs += ms;
};

const timers = new Map<NodeJS.Timeout, VirtualTimer>();
let elapsedMs = 0;

/**
 * Stops the clocks of this process, and all its timers with them. So no cache expires and nothing polls while a request
 * is counted, however busy the machine is. What waits a short time on purpose, such as a buffer that collects, goes on
 * when `fireNext` is called.
 */
export function stopClock(): void {
  stopDates();
  const nowMs = performance.now();
  performance.now = () => nowMs + passedMs;
  const set = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout => {
    const timer = realSetTimeout(() => {}, NEVER_MS);
    const fire = AsyncLocalStorage.bind((): void => run(...args));
    const start = (): void => void (ms <= LONGEST_MS && timers.set(timer, { dueMs: elapsedMs + ms, fire }));
    start();
    timer.refresh = () => {
      start();
      return timer;
    };
    return timer;
  };
  const clear = (timer?: NodeJS.Timeout | string | number | null): void => {
    if (typeof timer === 'object' && timer !== null) timers.delete(timer);
    realClearTimeout(timer ?? undefined);
  };
  const sleep = <T>(ms?: number, value?: T, { signal }: { readonly signal?: AbortSignal } = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        clear(timer);
        reject(new DOMException('The operation was aborted', 'AbortError'));
      };
      const timer = set(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value as T);
      }, ms);
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  const stopped = {
    setTimeout: Object.assign(set, { [promisify.custom]: sleep }),
    clearTimeout: clear,
    setInterval: () => realSetTimeout(() => {}, NEVER_MS),
    clearInterval: clear,
  };
  Object.assign(globalThis, stopped);
  Object.assign(process.getBuiltinModule('node:timers'), stopped);
  Object.assign(process.getBuiltinModule('node:timers/promises'), { setTimeout: sleep });
  syncBuiltinESMExports();
}

/** Fires the timer that is due first, and returns whether there was one. */
export function fireNext(): boolean {
  const [first] = [...timers].toSorted(([, a], [, b]) => a.dueMs - b.dueMs);
  if (first === undefined) return false;
  const [timer, { dueMs, fire }] = first;
  timers.delete(timer);
  realClearTimeout(timer);
  elapsedMs = Math.max(elapsedMs, dueMs);
  fire();
  return true;
}

function stopDates(): void {
  const nowMs = Date.now();
  Date.now = () => nowMs + passedMs;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [Date.now()] : args, newTarget),
  });
}
