// @module-tag long
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

needs('ffmpeg')('a service removes nothing from the shared temporary folder, and leaves nothing there', async () => {
  const temporary = await testFolder('temporary');
  // Earlier versions treated a folder with such a name as their own, and removed it.
  const planted = 'telecine-tool-999999-planted';
  await mkdir(join(temporary, planted));
  const server = await startServer({ env: { TMPDIR: temporary } });
  await putClip(server.mediaRoot, '480p', 3, 'movie.mp4');
  const admin = await adminClient(server);
  expect(await admin.request('/api/probe', { method: 'POST', body: { input: 'movie.mp4' } })).toMatchObject({
    status: 200,
  });
  await server.stop();
  expect(await readdir(temporary)).toEqual([planted]);
  expect(await readdir(join(server.dataDir, 'tmp'))).toEqual([]);
});
