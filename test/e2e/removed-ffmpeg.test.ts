// @module-tag long
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const GONE = { status: 503, body: { code: 'UNAVAILABLE', detail: expect.stringContaining('was removed') } };

needs('ffmpeg')(
  'no accepted job fails because ffmpeg is removed, and all go on once it is back',
  async () => {
    const programs = await testFolder('programs');
    const [ffmpeg, ffprobe, moved] = ['ffmpeg', 'ffprobe', 'moved'].map((name) => join(programs, name)) as [
      string,
      string,
      string,
    ];
    await copyFile(tools().ffmpegPath, ffmpeg);
    await copyFile(tools().ffprobePath, ffprobe);
    const server = await startServer({
      env: { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe, TELECINE_CONCURRENCY: '1' },
    });
    const admin = await adminClient(server);
    await putSmallMovie(server.mediaRoot, 4, 'in.mp4');
    const request = (output: string) => ({
      input: 'in.mp4',
      output,
      parameters: { 'c:v': 'libx264', preset: 'veryfast', an: '' },
    });
    // Its second pass needs the program again.
    const running = await admin.accept({
      ...request('two.mp4'),
      parameters: { ...request('').parameters, 'b:v': '200k', pass: '2', preset: 'medium', vf: 'scale=1280:-2' },
    });
    const queued = await admin.accept(request('queued.mp4'));
    await admin.wait(running, ({ status }) => status === 'PROCESSING');

    await rename(ffmpeg, moved);
    expect(await admin.request('/api/conversion', { body: request('new.mp4') })).toMatchObject(GONE);
    expect(await admin.request('/api/probe', { body: { input: 'in.mp4' } })).toMatchObject(GONE);
    expect(await admin.request('/api/files/in.mp4?view=frame')).toMatchObject(GONE);
    const ready = await waitUntil('the service to be not ready', async () => {
      const reply = await admin.request<object>('/ready');
      return reply.status === 503 ? reply.body : undefined;
    });
    expect(ready).toMatchObject({
      checks: {
        ffmpeg: { status: 'failed', message: expect.stringMatching(/^The ffmpeg was removed .* Install it again\.$/) },
      },
    });
    await waitUntil('the second pass to be given back', async () =>
      (await admin.job(running)).status === 'PENDING' ? true : undefined,
    );
    expect((await admin.job(queued)).status).toBe('PENDING');

    await rename(moved, ffmpeg);
    for (const job of [running, queued]) {
      const { status, error } = await admin.wait(job);
      expect([status, error]).toEqual(['COMPLETED', undefined]);
    }
    expect((await admin.request('/ready')).status).toBe(200);
    expect(server.log()).not.toContain('"level":"error"');
  },
  120_000,
);
