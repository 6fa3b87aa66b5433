import { expect, test } from 'vitest';
import { readNumber, readPlainNumber, readRatio } from './number.ts';

test.each<[string, number]>([
  ['23', 23],
  ['-1', -1],
  ['+5', 5],
  ['.5', 0.5],
  ['5.', 5],
  ['1e6', 1e6],
  ['1.5E-3', 0.0015],
  ['0x1F', 31],
  ['128k', 128_000],
  ['128K', 128_000],
  ['1.5M', 1.5e6],
  ['2G', 2e9],
  ['1Ki', 1024],
  ['20m', 0.02],
  ['44.1k', 44_100],
  ['-6dB', 10 ** (-6 / 20)],
  ['20dB', 10],
])('reads %s as the plain number %d', (text, value) => {
  expect(readPlainNumber(text)).toBeCloseTo(value, 9);
  expect(readNumber(text)).toBeCloseTo(value, 9);
});

test.each<[string, number]>([
  ['30000/1001', 30000 / 1001],
  ['1 M', 1e6],
  ['2*1024*1024', 2_097_152],
  ['1+2*3-4', 3],
  ['8/2/2', 2],
  ['2*-3', -6],
  ['1e3+1', 1001],
  ['32*QP2LAMBDA', 3776],
  ['-PI', -Math.PI],
])('computes %s as %d', (text, value) => {
  expect(readPlainNumber(text)).toBeUndefined();
  expect(readNumber(text)).toBeCloseTo(value, 9);
});

test.each([
  '',
  ' ',
  '-',
  'k',
  'abc',
  '1x',
  '29,97',
  '128kbps',
  '1MB',
  '1MiB',
  '700B',
  '1..2',
  '16:9',
  '1:0',
  '1/0',
  '(1)',
  'while(1,1)',
  'max(1,2)',
  '1;2',
  '2^3',
  '1+',
  '1**2',
  'nan',
  'inf',
  `${'1+'.repeat(20)}1`,
])('%j is not a number', (text) => {
  expect(readNumber(text)).toBeUndefined();
});

test('reads constants, alone and in a sum', () => {
  const constants = (name: string): number | undefined => ({ vsad: 8, dct: 3 })[name];
  expect(readNumber('vsad', constants)).toBe(8);
  expect(readNumber('vsad+2*dct', constants)).toBe(14);
  expect(readNumber('vsad+sad', constants)).toBeUndefined();
});

test('reads a ratio from a number or from two numbers with a colon', () => {
  expect(readRatio('16:9')).toBeCloseTo(16 / 9, 9);
  expect(readRatio('1.5')).toBe(1.5);
  expect(readRatio('1:0')).toBeUndefined();
  expect(readRatio('16:9:1')).toBeUndefined();
});

test('rejects a number that is longer than any option needs', () => {
  const digits = '1'.repeat(65);
  expect(readPlainNumber(digits.slice(1))).toBeGreaterThan(1e62);
  for (const text of [digits, `${digits}M`, `2*${digits}`]) expect(readNumber(text)).toBeUndefined();
  expect(readRatio(`${digits}:${digits}`)).toBeUndefined();
});
