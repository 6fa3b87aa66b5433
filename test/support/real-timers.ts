import { afterEach, vi } from 'vitest';

// Files share a process: a clock that a test leaves stopped would hang the files after it.
afterEach(() => void vi.useRealTimers());
