import { expect, test } from 'vitest';
import { readCut } from './order-flags.ts';

test('--only and --remove name parts by their times', () => {
  expect(readCut({})).toBeUndefined();
  expect(readCut({ only: '10-20.5, 1:30-2:00,5:00-' })).toEqual({
    keep: [{ start: '10', end: '20.5' }, { start: '1:30', end: '2:00' }, { start: '5:00' }],
  });
  expect(readCut({ remove: '-3' })).toEqual({ remove: [{ end: '3' }] });
});

test('--remove names what to find, with its settings', () => {
  expect(readCut({ remove: 'silence' })).toEqual({ remove: { silence: {} } });
  expect(readCut({ remove: 'silence,noiseDb=-40,minSeconds=0.7,marginSeconds=0.1' })).toEqual({
    remove: { silence: { noiseDb: -40, minSeconds: 0.7 }, marginSeconds: 0.1 },
  });
});

test.each([
  [{ only: '1-2', remove: '3-4' }, 'Leave out one'],
  [{ only: '10' }, '--only 10-20'],
  [{ only: '-' }, '--only 10-20'],
  [{ remove: 'silence,loud' }, '--remove silence,noiseDb=-40'],
])('rejects %j with what to write', (flags, fix) => {
  expect(() => readCut(flags)).toThrow(expect.objectContaining({ fix: expect.stringContaining(fix) }));
});
