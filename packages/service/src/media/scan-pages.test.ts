import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { PAGE_FILES } from '../watches/ports.ts';
import { ScanClock, ScanPages } from './scan-pages.ts';

afterEach(() => void vi.useRealTimers());

const file = { path: 'in/a.mov' as MediaPath, bytes: 1, version: 'v', isWhole: true };

test('a page is reported when it is full, and the few files of a slow scan after two seconds', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const pages = new ScanPages(new ScanClock(NEVER));
  const add = (count: number): void => {
    for (let i = 0; i < count; i += 1) pages.add(file, () => {});
  };
  add(PAGE_FILES - 1);
  expect(pages.isFull).toBe(false);
  add(1);
  expect(pages.isFull).toBe(true);
  expect([...pages.flush()].map((page) => page.length)).toEqual([PAGE_FILES]);
  vi.advanceTimersByTime(10_000);
  expect(pages.isFull).toBe(false);
  add(1);
  vi.advanceTimersByTime(1999);
  expect(pages.isFull).toBe(false);
  vi.advanceTimersByTime(1);
  expect(pages.isFull).toBe(true);
});
