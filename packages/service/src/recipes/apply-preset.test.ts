import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { expect, test, vi } from 'vitest';
import { RequestProbes } from './request-probes.ts';

const INFO: MediaInfo = { format: { names: ['mp4'], tags: {} }, streams: [], chapters: [] };

/** A probe that ends only with its signal. */
const endless = (signal: AbortSignal): Promise<MediaInfo> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('reads each input of a batch once', async () => {
  const probes = new RequestProbes();
  const probe = vi.fn(async () => INFO);
  expect(await Promise.all(['a', 'b', 'a'].map((path) => probes.of(path, 60, probe)))).toEqual([INFO, INFO, INFO]);
  expect(probe).toHaveBeenCalledTimes(2);
});

test('all inputs of a batch share one time', async () => {
  const probes = new RequestProbes();
  await expect(probes.of('a', 0.01, endless)).rejects.toMatchObject({ code: 'TIMEOUT' });
  const next = vi.fn(async () => INFO);
  await expect(probes.of('b', 0.01, next)).rejects.toMatchObject({ code: 'TIMEOUT', errors: [{ field: '/input' }] });
  expect(next).not.toHaveBeenCalled();
});

test('a client that hangs up ends its probe', async () => {
  const hangUp = new AbortController();
  const found = new RequestProbes(hangUp.signal).of('a', 60, endless);
  hangUp.abort(new Error('gone'));
  await expect(found).rejects.toThrow('gone');
});
