/** Lets a loop sleep until a time, or until it is woken. A call of `wake` while the loop works is not lost. */
export interface Alarm {
  wake(): void;
  /** Resolves after `ms`, at `wake`, or when `signal` is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createAlarm(): Alarm {
  let isRung = false;
  let ring: (() => void) | undefined;
  return {
    wake: () => {
      isRung = true;
      ring?.();
    },
    async wait(ms, signal) {
      if (!isRung && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        ring = resolve;
        const timer = setTimeout(resolve, Math.max(0, ms));
        signal.addEventListener('abort', ring, { once: true });
        await promise;
        clearTimeout(timer);
        signal.removeEventListener('abort', ring);
        ring = undefined;
      }
      isRung = false;
    },
  };
}
