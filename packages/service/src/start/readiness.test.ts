import { expect, test } from 'vitest';
import { logReadiness } from './readiness.ts';

test('logs when the service stops being ready and when it is ready again, once each, and neither start nor drain', async () => {
  const lines: unknown[][] = [];
  const write = (...line: unknown[]): void => void lines.push(line);
  await using closers = new AsyncDisposableStack();
  let disk = false;
  let queue = true;
  const checks = async () => ({ disk: disk ? { ok: true } : { ok: false, message: 'full' }, queue: { ok: queue } });
  const started = Promise.withResolvers<void>();
  const ready = logReadiness(closers, checks, started.promise, { info: write, warn: write });
  await ready();
  expect(lines).toEqual([]);
  started.resolve();
  await started.promise;
  for (const each of [false, false, true, true]) {
    disk = each;
    await ready();
  }
  expect(lines).toEqual([[{ failed: { disk: 'full' } }, 'not ready'], ['ready again']]);
  queue = false;
  expect(await ready()).toEqual({ disk: { ok: true }, queue: { ok: false } });
  expect(lines).toHaveLength(2);
});
