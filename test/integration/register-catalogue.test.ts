import { expect, test } from 'vitest';
import type { LiveCatalogue } from '../../src/ffmpeg/catalogue/live-catalogue.ts';
import type { WorkerDescription } from '../../src/workers/ports.ts';
import { registerCatalogue } from '../../src/workers/register-catalogue.ts';
import { sqlite } from '../contracts/sqlite.ts';

const worker = (workerId: string): WorkerDescription => ({
  ...{ workerId, hostName: 'encoder-1', pid: 1, version: '0.1.0', ffmpegVersion: '7.1', buildKey: 'b' },
  ...{ catalogueKey: 'c', concurrency: 1, processors: 1, sandbox: 'none' },
});

/** A catalogue that nobody may query. */
const UNTOUCHED = {
  get current(): never {
    throw new Error('This worker queried its ffmpeg.');
  },
} as unknown as LiveCatalogue;

test('of several workers with one build, only the first queries it, and the next one if the first stops', async () => {
  const { store } = await sqlite.open();
  const { signal } = new AbortController();
  const register = (workerId: string) => registerCatalogue(store, worker(workerId), UNTOUCHED, signal);
  const report = (workerId: string, state: 'running' | 'stopped' = 'running') =>
    store.workers.report(worker(workerId), { state, freeScratchBytes: 0 });
  await report('w1');
  await report('w2');
  expect(await register('w2')).toBe(false);
  await expect(register('w1')).rejects.toThrow('This worker queried its ffmpeg.');
  await report('w1', 'stopped');
  await expect(register('w2')).rejects.toThrow('This worker queried its ffmpeg.');
  await store.catalogues.add('c', Uint8Array.from([1]));
  expect(await register('w2')).toBe(true);
});
