import { expect, test } from 'vitest';
import { readClientLimits, readClientLimitsSetting } from './client-limits.ts';

test('reads sizes, times and pixels in their usual notations', () => {
  expect(
    readClientLimits([
      'input=2G',
      'duration=90',
      'time=15m',
      'cpu=2h',
      'pixels=7680x4320',
      'streams=8',
      ' memory = 1G ',
    ]),
  ).toEqual({
    input: 2 ** 31,
    duration: 90,
    time: 900,
    cpu: 7200,
    pixels: 33_177_600,
    streams: 8,
    memory: 2 ** 30,
  });
  expect(readClientLimits(['pixels=1000000'])).toEqual({ pixels: 1_000_000 });
});

test('none removes a limit, default restores it', () => {
  expect(readClientLimits(['time=none', 'pixels=default'])).toEqual({ time: null, pixels: undefined });
});

test('limits of requests and of what a client has are numbers, and a client may have no shared links', () => {
  const limits = ['pending=500', 'submissions=6000', 'webhooks=40', 'watches=none', 'shares=0', 'event-streams=3'];
  expect(readClientLimits(limits)).toEqual({
    ...{ pending: 500, submissions: 6000, webhooks: 40, watches: null, shares: 0, 'event-streams': 3 },
  });
  expect(() => readClientLimits(['pending=0'])).toThrow('pending must be a whole number from 1 to');
});

test('a missing key keeps its default', () => {
  const defaults = readClientLimitsSetting('');
  expect(defaults).toMatchObject({ pixels: 2 ** 27, duration: 172_800, threads: 64, streams: 256 });
  expect(defaults.cpu).toBeUndefined();
  expect(readClientLimitsSetting('duration=1h, threads=none')).toEqual({ ...defaults, duration: 3600, threads: null });
});

test.each([
  ['length=5', 'unknown limit "length"; allowed: input, fetch'],
  ['Duration=5', 'unknown limit "Duration"; allowed'],
  ['constructor=5', 'unknown limit "constructor"; allowed'],
  ['5', 'unknown limit "5"; allowed'],
  ['=5', 'unknown limit "=5"; allowed'],
  ['duration', 'duration must be a time such as 90, 15m or 48h'],
  ['duration=', 'duration must be a time such as 90, 15m or 48h'],
  ['memory=1 G B', 'memory must be a size'],
  ['duration=0', 'duration must be a time such as 90, 15m or 48h'],
  ['duration=2w', 'duration must be a time'],
  ['input=much', 'input must be a size'],
  ['input=0', 'input must be a size'],
  ['pixels=0x5', 'pixels must be a number of pixels'],
  ['streams=1001', 'streams must be a whole number from 1 to 1000'],
  ['processes=1', 'processes must be a whole number from 32'],
  ['memory=1M', 'memory must be 256M or more'],
])('%s: %s', (text, message) => {
  expect(() => readClientLimitsSetting(text)).toThrow(message);
});
