import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import { type ApiClient, adminClient, login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { putClip, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { onDisk, onSqlite } from '../support/test-engines.ts';

const start = commonServer();
const test = needs('ffmpeg');
const ask = <T = ProblemView>(client: ApiClient, body: object) => client.request<T>('/api/probe', { body });

test('a probe reports the format, streams and tags of a file', async () => {
  const { server, own } = await start();
  await server.media.fill((folder) => putClip(folder, '480p', 3, 'clips/movie.mp4'));
  const { status, body } = await ask<MediaInfo>(own, { input: '/clips/movie.mp4' });
  expect(status).toBe(200);
  expect(body.format).toMatchObject({ names: expect.arrayContaining(['mp4']), sizeBytes: expect.any(Number) });
  expect(body.format).not.toHaveProperty('filename');
  expect(body.streams).toMatchObject([
    { type: 'video', codec: 'h264', width: 854, height: 480, frameRate: 24, frameRateExact: '24/1' },
    { type: 'audio', codec: 'aac', sampleRate: 48_000, channels: 6, channelLayout: '5.1' },
  ]);
  expect(JSON.stringify(body)).not.toContain(server.mediaRoot);
});

test('a probe lists the key frames near a time, and the one before them', { tags: 'long' }, async () => {
  const { server, own } = await start();
  // The clip has a key frame each half a second.
  await server.media.fill((folder) => putSmallMovie(folder, 30, 'keys/movie.mp4'));
  const keyFramesNear = 15.2;
  const { status, body } = await ask<MediaInfo>(own, { input: 'keys/movie.mp4', keyFramesNear });
  expect(status).toBe(200);
  expect(body.keyFrames).toEqual(Array.from({ length: 41 }, (_, at) => 5 + at / 2));
  expect((await ask<MediaInfo>(own, { input: 'keys/movie.mp4' })).body).not.toHaveProperty('keyFrames');
});

test('each reason why a file cannot be probed has its own status and code', async () => {
  const { server, own } = await start();
  const { media, mediaRoot: root } = server;
  await media.put('folder/file', 'x');
  await media.put('words.mp4', 'no media\n'.repeat(50));
  await media.put('empty.mp4', '');
  const cases = [
    [{ input: 'none.mp4' }, 404, 'INPUT_NOT_FOUND', ''],
    [{ input: 'words.mp4' }, 422, 'INPUT_INVALID', ''],
    [{ input: 'empty.mp4' }, 422, 'INPUT_INVALID', ''],
    [{ input: 'folder' }, 400, 'INVALID_REQUEST', 'IS_DIRECTORY'],
    [{ input: '../x' }, 400, 'INVALID_REQUEST', ''],
    [{}, 400, 'INVALID_REQUEST', 'MISSING'],
    [{ input: 'words.mp4', parameters: { i: 'x' } }, 400, 'INVALID_REQUEST', 'UNKNOWN_OPTION'],
    [{ input: 'words.mp4', more: 1 }, 400, 'INVALID_REQUEST', 'UNKNOWN_FIELD'],
  ] as const;
  for (const [body, status, code, inner] of cases) {
    const reply = await ask(own, body);
    expect(reply, JSON.stringify(body)).toMatchObject({ status, body: { code } });
    if (inner !== '') expect(reply.body.errors?.[0]?.code).toBe(inner);
    expect(JSON.stringify(reply.body)).not.toContain(root);
    expect(reply.body.detail).not.toMatch(/\bin\/0|job/);
  }
});

onDisk('S3 has no symlinks.', 'ffmpeg')('rejects a probe of a symlink that leaves the media root', async () => {
  const { server, own } = await start();
  await symlink('/etc/hostname', join(server.mediaRoot, 'out.mp4'));
  const reply = await ask(own, { input: 'out.mp4' });
  expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', errors: [{ code: 'OUTSIDE_ROOT' }] } });
  expect(JSON.stringify(reply.body)).not.toContain(server.mediaRoot);
});

test('a missing file that exists in another spelling is named', async () => {
  const { server, own } = await start();
  await server.media.put('spelling.mp4', 'no media');
  for (const input of ['Spelling.MP4', 'speling.mp4'])
    expect(await ask(own, { input })).toMatchObject({
      status: 404,
      body: { code: 'INPUT_NOT_FOUND', errors: [{ field: '/input', fix: 'Send "spelling.mp4".' }] },
    });
});

test('rejects a probe without the scope files:read', async () => {
  const { server } = await start();
  const reader = await login(server.url, await insertClient(server, 'reader', { scopes: ['jobs:read'] }));
  expect(await ask(reader, { input: 'x' })).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
});

onSqlite('On PostgreSQL it leaves probes to workers.', 'ffmpeg')(
  'a service without ffprobe reports that, and is ready',
  { tags: 'long' },
  async () => {
    const server = await startServer({ env: { FFPROBE_PATH: '/nowhere/ffprobe' } });
    const admin = await adminClient(server);
    await server.media.fill((folder) => putClip(folder, '480p', 3, 'movie.mp4'));
    const reply = await ask(admin, { input: 'movie.mp4' });
    expect(reply).toMatchObject({
      status: 501,
      body: { code: 'NOT_IMPLEMENTED', detail: expect.stringContaining('FFPROBE_PATH') },
    });
    const ready = await admin.request<{ status: string; checks: object }>('/ready');
    expect(ready.body).toMatchObject({
      status: 'ready',
      checks: { ffprobe: { message: expect.stringContaining('ffprobe') } },
    });
  },
);
