import { expect, test } from 'vitest';
import { readConnectionLimits } from '../../config/connection-limits.ts';
import { connectionLimits } from './connection-limits.ts';

const limitsOf = (text: string, openFiles: number) => {
  const { all, withoutToken, withoutTokenPerAddress } = connectionLimits(readConnectionLimits(text), () => openFiles);
  return [all, withoutToken, withoutTokenPerAddress];
};

test('connections use at most half of the files that the process may open', () => {
  expect(limitsOf('', 1_048_576)).toEqual([4096, 1024, 256]);
  expect(limitsOf('', Number.POSITIVE_INFINITY)).toEqual([4096, 1024, 256]);
  expect(limitsOf('', 1024)).toEqual([512, 128, 64]);
  expect(limitsOf('', 20)).toEqual([64, 16, 8]);
});

test('the operator can set each limit, but one address never takes all connections without a token', () => {
  expect(limitsOf('all=20000,without-token=8000,without-token-per-address=1000', 1024)).toEqual([20_000, 8000, 1000]);
  expect(limitsOf('without-token=100,without-token-per-address=100', 1_048_576)).toEqual([4096, 100, 50]);
});
