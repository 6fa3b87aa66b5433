import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askedNotes } from './asked-notes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a scan that is asked for soon after another one is noted too, and many within the pause are noted once', () => {
  const noted: string[] = [];
  const { ask } = askedNotes((watchId) => void noted.push(watchId), 10_000);
  for (const watchId of ['a', 'a', 'b', 'a']) ask(watchId);
  expect(noted).toEqual(['a', 'b']);
  vi.advanceTimersByTime(10_000);
  expect(noted).toEqual(['a', 'b', 'a']);
  ask('a');
  vi.advanceTimersByTime(30_000);
  expect(noted).toEqual(['a', 'b', 'a', 'a']);
  ask('b');
  expect(noted).toEqual(['a', 'b', 'a', 'a', 'b']);
});

test('after the end nothing is noted', () => {
  const noted: string[] = [];
  const { ask, stop } = askedNotes((watchId) => void noted.push(watchId), 10_000);
  ask('a');
  ask('a');
  stop();
  vi.advanceTimersByTime(60_000);
  expect(noted).toEqual(['a']);
});
