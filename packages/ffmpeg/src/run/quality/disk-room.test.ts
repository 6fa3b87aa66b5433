import { expect, test } from 'vitest';
import { POLICY } from '../../../../../test/fixtures/conversion.ts';
import { testFolder } from '../../../../../test/support/folders.ts';
import { hasRoomFor, wantedBytes } from './disk-room.ts';

test('a second output needs room for its forecast, not for the size of the first', () => {
  expect(wantedBytes({ bytes: 1000, videoBytes: 800, growth: 0.5 })).toBe(660);
  expect(wantedBytes({ bytes: 1000, videoBytes: 800, growth: 2 })).toBe(1980);
  expect(wantedBytes({ bytes: 1000, videoBytes: 0, growth: 2 })).toBe(2200);
});

test('the limit of the client counts', async () => {
  const dir = await testFolder('room');
  const expected = { bytes: 1000, videoBytes: 1000, growth: 2 };
  expect(await hasRoomFor({ dir, policy: { ...POLICY, scratch: 2300 } }, expected)).toBe(true);
  expect(await hasRoomFor({ dir, policy: { ...POLICY, scratch: 2100 } }, expected)).toBe(false);
});
