// @module-tag long
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { WatchedFileListView, WatchView } from '../../packages/contract/src/wire/watch.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { waitUntil } from '../support/wait.ts';
import { createFaultHarness } from './fault-harness.ts';

const test = needs('ffmpeg', 'linux');

/** Where the service is killed, each after a restart. */
const POINTS = ['before-watch-page', 'after-watch-mark', 'after-intent', 'after-commit', 'after-watch-source'];

test('a service that is killed at each point in turn converts each file once, and moves each source', async () => {
  const harness = await createFaultHarness();
  const names = ['a', 'b', 'c'];
  const front = await harness.start({}, { args: ['--no-worker'] });
  const body = {
    ...{ folder: 'watched/', source: { moveTo: 'done/' }, settleSeconds: 1 },
    request: { output: 'out/{name}.m4a', parameters: { 'c:a': 'aac' } },
  };
  const made = await front.api.request<WatchView>('/api/watches', { method: 'POST', body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { watchId } = made.body;
  await front.server.stop();
  for (const name of names) await putClip(harness.mediaRoot, 'wav', 1, `watched/${name}.wav`);
  for (const point of POINTS) await harness.crash(point);

  const { api } = await harness.start();
  const files = await waitUntil('all files to be converted and moved', async () => {
    const reply = await api.request<WatchedFileListView>(`/api/watches/${watchId}/files`);
    return reply.body.files.length === names.length && reply.body.files.every(({ source }) => source === 'DONE')
      ? reply.body.files
      : undefined;
  });
  expect(files.map(({ state }) => state)).toEqual(names.map(() => 'CONVERTED'));
  const { jobs } = await api.list(`?watch=${watchId}`);
  expect(jobs.map(({ input }) => input).toSorted()).toEqual(names.map((name) => `watched/${name}.wav`));
  expect((await readdir(join(harness.mediaRoot, 'out'))).toSorted()).toEqual(names.map((name) => `${name}.m4a`));
  expect((await readdir(join(harness.mediaRoot, 'done'))).toSorted()).toEqual(names.map((name) => `${name}.wav`));
  expect(await readdir(join(harness.mediaRoot, 'watched'))).toEqual([]);
  await harness.expectNoLeftovers();
});
