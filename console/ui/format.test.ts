import { expect, test } from 'vitest';
import {
  codeInWords,
  formatAge,
  formatAgo,
  formatBitRate,
  formatBytes,
  formatDuration,
  formatFullMoment,
  formatLifetime,
  formatLongTime,
  formatMoment,
  formatTimeLeft,
} from './format.ts';

test.each([
  [0, '0\u00a0B'],
  [999, '999\u00a0B'],
  [1_000, '1\u00a0kB'],
  [1_250_000, '1.3\u00a0MB'],
  [12_500_000, '13\u00a0MB'],
  [3_400_000_000, '3.4\u00a0GB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('bit rates are shown in kbit/s', () => {
  expect(formatBitRate(299_600)).toBe('300\u00a0kbit/s');
  expect(formatBitRate(1_778_400)).toMatch(/^1\D?778\u00a0kbit\/s$/);
});

test.each([
  [0, '0\u00a0s'],
  [45, '45\u00a0s'],
  [89, '1\u00a0min 29\u00a0s'],
  [7200, '2\u00a0h'],
  [12_060, '3\u00a0h 21\u00a0min'],
  [86_460, '1\u00a0d'],
  [2_592_000, '30\u00a0d'],
])('a long time of %d seconds is shown as %s', (seconds, text) => {
  expect(formatLongTime(seconds)).toBe(text);
});

test.each([
  [20, '1 minute'],
  [600, '10 minutes'],
  [3600, '1 hour'],
  [86_400, '24 hours'],
  [604_800, '7 days'],
])('a lifetime of %d seconds is written as %s', (seconds, text) => {
  expect(formatLifetime(seconds)).toBe(text);
});

test.each([
  [0, '0\u00a0s'],
  [0.0004, '1\u00a0ms'],
  [0.02, '20\u00a0ms'],
  [0.4, '0.4\u00a0s'],
  [9.96, '10\u00a0s'],
  [59.4, '59\u00a0s'],
  [59.6, '1:00'],
  [75, '1:15'],
  [3_725, '1:02:05'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test('a moment is written with the clock of the reader: without the day if it is today', () => {
  const at = new Date(2026, 10, 22, 9, 10, 46);
  expect(formatMoment(at.toISOString(), at)).toBe(at.toLocaleTimeString());
  const text = formatMoment(at.toISOString(), new Date(2026, 10, 23));
  expect(text).toContain(at.toLocaleTimeString(undefined, { timeStyle: 'short' }));
  expect(text).toContain('22');
});

test.each([
  [75, '1:15'],
  [3599, '59:59'],
  [41_325, '11\u00a0h'],
  [200_000, '2\u00a0d'],
])('%d seconds that are left are shown as %s', (seconds, text) => {
  expect(formatTimeLeft(seconds)).toBe(text);
});

const AT = new Date(2026, 10, 22, 9, 10, 46).getTime();

test.each([
  [0, 'just now'],
  [-20, 'just now'],
  [50, '1\u00a0min ago'],
  [59 * 60, '59\u00a0min ago'],
  [59 * 60 + 40, '1\u00a0h ago'],
  [5 * 3600, '5\u00a0h ago'],
  [23.8 * 3600, '1\u00a0d ago'],
  [6 * 86_400, '6\u00a0d ago'],
  [-3 * 3600, 'in 3\u00a0h'],
])('a moment %d seconds ago is shown as %s', (seconds, text) => {
  expect(formatAgo(new Date(AT).toISOString(), AT + seconds * 1000)).toBe(text);
});

test('a moment beyond a week has its date, with the year if it is another one', () => {
  const iso = new Date(AT).toISOString();
  expect(formatAgo(iso, AT + 8 * 86_400_000)).toMatch(/22/);
  expect(formatAgo(iso, AT + 8 * 86_400_000)).not.toMatch(/2026/);
  expect(formatAgo(iso, AT + 90 * 86_400_000)).toMatch(/2026/);
});

test('a full moment has its year and its time zone', () => {
  expect(formatFullMoment(new Date(AT).toISOString())).toMatch(/2026.*46.*[A-Z+]/);
});

test.each([
  [-5, 'less than 1\u00a0min'],
  [20, 'less than 1\u00a0min'],
  [250, '4\u00a0min'],
  [7_500, '2\u00a0h 5\u00a0min'],
])('what has been so for %d seconds is so for %s', (seconds, text) => {
  expect(formatAge(new Date(AT).toISOString(), AT + seconds * 1000)).toBe(text);
});

test.each([
  ['INPUT_NOT_FOUND', 'Input not found'],
  ['FFMPEG_FAILED', 'ffmpeg failed'],
  ['URL_REJECTED', 'URL rejected'],
])('the code %s in words is %s', (code, words) => {
  expect(codeInWords(code)).toBe(words);
});
