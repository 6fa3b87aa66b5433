import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completeCatalogue } from '../../src/ffmpeg/catalogue/complete-catalogue.ts';
import type { LiveCatalogue } from '../../src/ffmpeg/catalogue/live-catalogue.ts';
import { decodeCatalogue } from '../../src/ffmpeg/catalogue/registered-catalogue.ts';
import type { WorkerDescription } from '../../src/workers/ports.ts';
import { registerCatalogue } from '../../src/workers/register-catalogue.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { testFolder } from '../support/folders.ts';
import { learning } from '../support/learning-catalogue.ts';
import { freshCatalogue } from '../support/recorded-catalogue.ts';

const worker = (workerId: string): WorkerDescription => ({
  ...{ workerId, hostName: 'encoder-1', pid: 1, version: '0.1.0', ffmpegVersion: '7.1', buildKey: 'b' },
  ...{ catalogueKey: 'c', concurrency: 1, processors: 1, sandbox: 'none' },
});

/** A catalogue that lacks facts, and that nobody may query. */
const UNTOUCHED: Pick<LiveCatalogue, 'current' | 'ensure'> = {
  current: freshCatalogue(),
  ensure: async () => {
    throw new Error('This worker queried its ffmpeg.');
  },
};

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

test('a worker whose catalogue is complete does not wait for one that queries its own', async () => {
  const { store } = await sqlite.open();
  const { signal } = new AbortController();
  for (const workerId of ['w1', 'w2'])
    await store.workers.report(worker(workerId), { state: 'running', freeScratchBytes: 0 });
  const fresh = freshCatalogue();
  const path = join(await testFolder('help'), 'ffmpeg');
  await writeFile(path, "#!/bin/sh\necho 'AVCodecContext AVOptions:'\n", { mode: 0o755 });
  const { live } = learning({ ...fresh, build: { ...fresh.build, path } });
  const current = await completeCatalogue(live, signal);
  expect(await registerCatalogue(store, worker('w2'), { ...UNTOUCHED, current }, signal)).toBe(true);
  const stored = await decodeCatalogue((await store.catalogues.read('c')) ?? new Uint8Array());
  expect(stored?.current.components).toEqual(current.components);
});
