import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StallWatch } from './stall.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  { outputs: 1, seconds: 60 },
  { outputs: 6, seconds: 360 },
])(
  'a run with $outputs outputs stalls after $seconds s: each frame is encoded for all of them',
  async ({ outputs, seconds }) => {
    const stalled = vi.fn<(seconds: number) => void>();
    const watch = new StallWatch(60, stalled);
    watch.watch(() => undefined, outputs);
    await vi.advanceTimersByTimeAsync((seconds - 1) * 1000);
    expect(stalled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(16_000);
    expect(stalled).toHaveBeenCalledWith(seconds);
    watch.stop();
  },
);
