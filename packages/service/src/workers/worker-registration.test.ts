import { BuildUnavailable } from '@telecine/ffmpeg/catalogue/build.ts';
import { expect, test } from 'vitest';
import { logUnavailableOnce } from './worker-registration.ts';

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
