import { expect, test } from 'vitest';
import { timelineOf } from './timeline.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 31, 12) + seconds * 1000).toISOString();
const now = Date.parse(at(60));
const shown = (job: Parameters<typeof timelineOf>[0]) =>
  timelineOf(job, now).map(({ name, seconds, isOpen }) => `${name} ${seconds}${isOpen ? '…' : ''}`);

test('a queued job waits until now', () => {
  expect(shown({ status: 'PENDING', createdAt: at(0) })).toEqual(['Queued 60…']);
});

test('a job that was cancelled in the queue only waited', () => {
  expect(shown({ status: 'CANCELLED', createdAt: at(0), completedAt: at(5) })).toEqual(['Queued 5']);
});

test('each phase ends when the next begins, and the last with the job', () => {
  const phases = [
    { phase: 'STAGING' as const, startedAt: at(2) },
    { phase: 'CONVERTING' as const, startedAt: at(3) },
    { phase: 'PUBLISHING' as const, startedAt: at(33) },
  ];
  const job = { createdAt: at(0), startedAt: at(2), phases };
  expect(shown({ ...job, status: 'COMPLETED', completedAt: at(33.5) })).toEqual([
    'Queued 2',
    'Reading the inputs 1',
    'Converting 30',
    'Writing the outputs 0.5',
  ]);
  expect(shown({ ...job, status: 'PROCESSING', phases: phases.slice(0, 2) }).at(-1)).toBe('Converting 57…');
});

test('a later attempt shows that there were earlier ones', () => {
  const phases = [{ phase: 'STAGING' as const, startedAt: at(30) }];
  expect(shown({ status: 'PROCESSING', createdAt: at(0), startedAt: at(2), phases })).toEqual([
    'Queued 2',
    'Earlier attempts 28',
    'Reading the inputs 30…',
  ]);
  expect(shown({ status: 'PENDING', createdAt: at(0), startedAt: at(2) })).toEqual([
    'Queued 2',
    'Earlier attempts 58…',
  ]);
});

test('a clock that is ahead makes no negative time', () => {
  expect(shown({ status: 'PENDING', createdAt: at(61) })).toEqual(['Queued 0…']);
});
