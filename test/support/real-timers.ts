import { afterEach, vi } from 'vitest';

const { waitFor } = vi;
// The default time limit, a second, is too short for a machine that runs other tests too.
vi.waitFor = (read, options) =>
  waitFor(read, { timeout: 15_000, ...(typeof options === 'number' ? { timeout: options } : options) });

// Files share a process: a clock that a test leaves stopped would hang the files after it.
afterEach(() => void vi.useRealTimers());
