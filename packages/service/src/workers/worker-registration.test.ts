import { BuildUnavailable } from '@telecine/ffmpeg/catalogue/build.ts';
import { expect, test } from 'vitest';
import { logUnavailableOnce, speedsOfEarlier } from './worker-registration.ts';

test('logs once why a worker cannot register its ffmpeg, and every other error', () => {
  const lines: unknown[][] = [];
  const others: unknown[] = [];
  const onError = logUnavailableOnce({ warn: (...line: unknown[]) => void lines.push(line) }, (one) =>
    others.push(one),
  );
  const fault = new BuildUnavailable({ version: '7.1' }, { what: 'does not answer' }, 10);
  const other = new Error('disk full');
  for (const error of [fault, fault, other, other]) onError(error);
  expect(lines).toEqual([[{ reason: fault.message }, 'catalogue not registered: ffmpeg cannot be queried']]);
  expect(others).toEqual([other, other]);
});

test('takes over the speeds of the last process on this machine, and of no other', () => {
  const own = { hostName: 'encoder-1', version: '0.1.0', buildKey: 'b1', processors: 4 };
  const speeds = [{ kind: 'copy' as const, jobs: 4, ratio: 2, spread: 0.1 }];
  const earlier = { ...own, speeds, lastSeenAt: '2026-01-31T12:00:00.000Z' };
  const older = { ...earlier, speeds: [{ kind: 'audio' as const, jobs: 9, ratio: 1, spread: 0 }] };
  expect(speedsOfEarlier(own, [earlier, { ...older, lastSeenAt: '2026-01-31T11:00:00.000Z' }])).toBe(speeds);
  for (const change of [{ hostName: 'encoder-2' }, { version: '0.2.0' }, { buildKey: 'b2' }, { processors: 8 }])
    expect(speedsOfEarlier(own, [{ ...earlier, ...change }])).toEqual([]);
});
