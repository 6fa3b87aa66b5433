import { expect, test } from 'vitest';
import { statusCount, tallyOf } from './status-counts.ts';

test('a status has the number of its jobs, and none if there are none', () => {
  const tally = tallyOf([{ status: 'FAILED' }, { status: 'COMPLETED' }, { status: 'COMPLETED' }]);
  expect(statusCount(tally.get('COMPLETED'), { isComplete: true })?.text).toBe('2');
  expect(statusCount(tally.get('FAILED'), { isComplete: true })?.text).toBe('1');
  expect(statusCount(tally.get('PENDING'), { isComplete: true })).toBeUndefined();
});

test('a number says if older jobs were not read, and does not grow without end', () => {
  expect(statusCount(1, { isComplete: false })).toEqual({
    text: '1+',
    title: 'At least 1 job: older ones are not read yet',
  });
  expect(statusCount(undefined, { isComplete: false })).toBeUndefined();
  expect(statusCount(120, { isComplete: true })).toEqual({ text: '99+', title: '120 jobs' });
});
