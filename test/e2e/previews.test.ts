// @module-tag long
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import type { OutputLinksView } from '../../packages/contract/src/wire/files.ts';
import { type ApiClient, login } from '../support/api-client.ts';
import { cliUsers } from '../support/cli-user.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, callTool, mcpClient, resultOf } from '../support/mcp-client.ts';
import { putSample, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const createUser = cliUsers(start);
const test = needs('ffmpeg');

/** The reply to a request for a picture. */
async function get(client: Pick<ApiClient, 'token'>, url: string, headers: Readonly<Record<string, string>> = {}) {
  const reply = await fetch(url, { headers: { authorization: `Bearer ${client.token}`, ...headers } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, headers: reply.headers, bytes, type: reply.headers.get('content-type') };
}

test('a file and an output of a job have previews, which are made once and are not sent again', async () => {
  const { server, own } = await start();
  await server.media.fill((folder) => putSmallMovie(folder, 3, 'seen.mp4'));
  const cached = () => readdir(join(server.dataDir, 'previews')).catch(() => []);
  const before = await cached();
  const url = `${server.url}/api/files/seen.mp4`;
  const frame = await get(own, `${url}?view=frame&at=1&width=160`);
  expect(frame).toMatchObject({ status: 200, type: expect.stringMatching(/^image\/(?:jpeg|png)$/) });
  expect(frame.headers.get('cache-control')).toBe('private, no-cache');
  expect(frame.headers.get('content-disposition')).toMatch(/^inline; filename="?seen\.mp4\.(?:jpg|png)"?$/);
  const facts = ({ headers }: typeof frame) => [headers.get('media-duration'), headers.get('media-size')];
  expect(frame.headers.get('frame-times')).toMatch(/^1(?:\.0\d*)?$/);
  expect(facts(frame)).toEqual([expect.stringMatching(/^(?:2\.9|3)/), expect.stringMatching(/^\d+x\d+$/)]);
  const etag = frame.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/".+"$/);
  expect(await get(own, `${url}?view=frame&at=1&width=160`, { 'if-none-match': etag })).toMatchObject({
    status: 304,
  });
  const kept = await get(own, `${url}?view=frame&at=1&width=160`);
  expect(kept).toMatchObject({ bytes: frame.bytes });
  expect(facts(kept)).toEqual(facts(frame));
  expect(await cached()).toHaveLength(before.length + 1);
  const waveform = await get(own, `${url}?view=waveform&format=webp&width=100`);
  expect([waveform.type, waveform.headers.get('frame-times')]).toEqual(['image/webp', null]);
  const sheet = await get(own, `${url}?view=sheet&columns=2&rows=2&width=200`);
  expect(sheet.headers.get('etag')).not.toBe(etag);
  expect(sheet.headers.get('frame-times')).toMatch(/^[\d.]+(?:, [\d.]+){3}$/);

  const parameters = { vf: 'hflip', 'c:v': 'libx264', preset: 'ultrafast', ss: '1' };
  const { jobId } = await own.run({ input: 'seen.mp4', output: 'seen/out.mp4', parameters });
  const output = `${server.url}/api/conversion/${jobId}/output`;
  expect(await get(own, `${output}?view=frame`)).toMatchObject({ status: 200 });
  expect(await get(own, `${output}?view=frame&compare=seen.mp4`)).toMatchObject({ status: 200 });
  const links = await own.request<OutputLinksView>(`/api/conversion/${jobId}/links`);
  const link = new URL(links.body.links[0]?.url ?? '', server.url).href;
  expect((await fetch(`${link}?view=frame&width=64`)).headers.get('content-type')).toMatch(/^image\//);
  // It would open another file of the client.
  expect((await fetch(`${link}?view=frame&compare=seen.mp4`)).status).toBe(400);

  // A new content has a new picture.
  await server.media.fill((folder) => putSmallMovie(folder, 2, 'seen.mp4'));
  const again = await get(own, `${url}?view=frame&at=1&width=160`, { 'if-none-match': etag });
  expect(again).toMatchObject({ status: 200 });
  expect(again.headers.get('etag')).not.toBe(etag);
});

test('results of HLS and DASH are shown as a player plays them, also by a link, and nothing else is opened', async () => {
  const { server, own } = await start();
  await server.media.fill((folder) => putSmallMovie(folder, 3, 'streamed.mp4'));
  const h264 = { 'c:v': 'libx264', preset: 'ultrafast', g: '12' };
  const hls = { ...h264, hls_time: '1', hls_segment_type: 'fmp4', hls_playlist_type: 'vod' };
  const [{ jobId }, dash] = await Promise.all([
    own.run({ input: 'streamed.mp4', output: 'stream/hls/a.m3u8', parameters: hls }),
    own.run({ input: 'streamed.mp4', output: 'stream/dash/a.mpd', parameters: { ...h264, seg_duration: '1' } }),
  ]);
  const client = await mcpClient(server.url, own.token);
  const sheet = await client.callTool({ name: 'render_preview', arguments: { jobId } });
  expect(resultOf(sheet)).toMatchObject({
    pictures: [{ text: expect.stringMatching(/^16 frames in reading order, at \(s\): .* of (?:2\.9|3)\d* s/) }],
  });
  const links = await own.request<OutputLinksView>(`/api/conversion/${jobId}/links`);
  const link = new URL(links.body.links[0]?.url ?? '', server.url).href;
  expect(link).toMatch(/a\.m3u8$/);
  for (const url of [
    `${link}?view=frame&at=2.5&width=64`,
    `${server.url}/api/conversion/${dash.jobId}/output?view=sheet&columns=2&rows=2&width=200`,
    `${server.url}/api/conversion/${dash.jobId}/output?view=waveform&width=100`,
    `${server.url}/api/conversion/${jobId}/output?view=frame&compare=streamed.mp4&width=200`,
    `${server.url}/api/files/stream/hls/a.m3u8?view=frame&width=64`,
  ])
    expect(await get(own, url), url).toMatchObject({ status: 200, type: expect.stringMatching(/^image\//) });

  // A playlist of a client names what it likes. Only files that the client may read are opened, and none by ffmpeg.
  const list = (name: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${name}\n`;
  for (const [name, message] of [
    ['file:///etc/hostname', 'only files of the media root are read'],
    ['http://127.0.0.1:9/a.ts', 'only files of the media root are read'],
    ['../../../../../etc/hostname', 'which is missing'],
    ['words.m3u8', 'is not a media file: it is a playlist'],
    ['drawing.svg', 'SVG drawings (".svg") are not supported'],
  ] as const) {
    await server.media.put('words.m3u8', list('a.ts'));
    await server.media.put('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await server.media.put('list.m3u8', list(name));
    const reply = await own.request('/api/files/list.m3u8?view=frame');
    expect(reply, name).toMatchObject({
      status: expect.toSatisfy((status: number) => status === 422 || status === 400),
      body: { detail: expect.stringContaining(message) },
    });
  }
  const probed = await callRejectedTool(client, 'probe_media', { input: 'stream/hls/a.m3u8' });
  expect(probed).toMatchObject({ fix: expect.stringContaining('Only a preview accepts a playlist') });
});

test('a wrong request for a preview says what to send instead', async () => {
  const { server, own } = await start();
  await server.media.fill((folder) => putSmallMovie(folder, 2, 'short.mp4'));
  await server.media.fill((folder) => putSample(folder, 'mp3', 'song.mp3'));
  await server.media.put('words.mp4', 'no media\n'.repeat(50));
  const cases = [
    ['short.mp4?view=frame&at=9', 400, 'INVALID_REQUEST', 'AFTER_END'],
    ['short.mp4?at=1', 400, 'INVALID_REQUEST', 'NO_EFFECT'],
    ['short.mp4?view=frame&rows=2', 400, 'INVALID_REQUEST', 'NO_EFFECT'],
    ['short.mp4?view=film', 400, 'INVALID_REQUEST', ''],
    ['short.mp4?view=frame&at=1;drawtext', 400, 'INVALID_REQUEST', ''],
    ['song.mp3?view=sheet', 422, 'UNSUPPORTED', 'UNSUPPORTED'],
    ['words.mp4?view=frame', 422, 'INPUT_INVALID', 'INPUT_INVALID'],
    ['none.mp4?view=frame', 404, 'FILE_NOT_FOUND', ''],
  ] as const;
  for (const [path, status, code, inner] of cases) {
    const reply = await own.request(`/api/files/${path}`);
    expect(reply, path).toMatchObject({ status, body: { code } });
    if (inner !== '') expect(reply.body.errors?.[0]?.code).toBe(inner);
    expect(JSON.stringify(reply.body)).not.toContain(server.mediaRoot);
  }
});

test('a model looks at a file, at a result and at both, and reads what it sees', async () => {
  const { server } = await start();
  const credentials = await insertClient(server, 'eyes', {
    root: 'eyes',
    scopes: ['jobs:read', 'jobs:write', 'files:read'],
  });
  const eyes = await login(server.url, credentials);
  await server.media.fill(async (folder) => {
    await mkdir(join(folder, 'eyes'), { recursive: true });
    await putSmallMovie(folder, 3, 'eyes/film.mp4');
  });
  const client = await mcpClient(server.url, eyes.token);
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast', ss: '1' };
  const { jobId } = await callTool<{ jobId: string }>(client, 'convert_media', {
    ...{ input: 'film.mp4', output: 'out.mp4', parameters },
  });
  const done = await callTool<{ next: string }>(client, 'wait_for_job', { jobId });
  expect(done.next).toContain('Look at it with render_preview.');
  const look = async (args: Record<string, unknown>): Promise<CallToolResult> => {
    const result = await client.callTool({ name: 'render_preview', arguments: args });
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
    return result;
  };
  const sheet = await look({ jobId });
  expect(sheet.content).toMatchObject([
    { type: 'text' },
    { type: 'image', mimeType: expect.stringMatching(/^image\//) },
  ]);
  expect(resultOf(sheet)).toEqual({
    pictures: [
      { text: expect.stringMatching(/^16 frames in reading order, at \(s\): [\d., ]+ of 2(?:\.\d+)? s\. \d+x\d+/) },
    ],
  });
  const frames = await look({ input: 'film.mp4', view: 'frame', at: [0, 1.5] });
  expect(frames.content.map(({ type }) => type)).toEqual(['text', 'text', 'image', 'text', 'image']);
  const both = await look({ jobId, view: 'compare', at: [0.5] });
  expect(resultOf(both)).toEqual({
    pictures: [{ text: expect.stringMatching(/^Left: the source, right: the result, at \(s\): 1\.5 \| 0\.5/) }],
  });
  const missing = await callRejectedTool(client, 'render_preview', { input: 'fil.mp4' });
  expect(missing).toMatchObject({ field: '/input', fix: expect.stringContaining('film.mp4') });
  const noOriginal = { view: 'compare', input: 'film.mp4', original: 'fil.mp4' };
  expect(await callRejectedTool(client, 'render_preview', noOriginal)).toMatchObject({
    ...{ code: 'INPUT_NOT_FOUND', field: '/original', fix: expect.stringContaining('film.mp4') },
  });
  const late = await callRejectedTool(client, 'render_preview', { input: 'film.mp4', view: 'frame', at: [9] });
  expect(late).toMatchObject({ code: 'AFTER_END', field: '/at' });
});

test('the command line saves a preview of local files, and removes their uploads', async () => {
  const { run, cwd, api, server, settings } = await createUser();
  const done = await run(
    'preview',
    'in.mp4',
    '--sheet',
    '1x2',
    '--compare',
    'in.mp4',
    '--width',
    '300',
    '-o',
    'both.png',
  );
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^both\.png {2}\d/) });
  expect((await readFile(join(cwd, 'both.png'))).toString('latin1', 1, 4)).toBe('PNG');
  expect(await api.request('/api/files?prefix=cli/')).toMatchObject({ status: 200, body: { files: [] } });
  const again = await run('preview', 'in.mp4', '-o', 'both.png');
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('-y') });
  const late = await run('preview', 'in.mp4', '--at', '99');
  expect(late).toMatchObject({ code: 2, stderr: expect.stringMatching(/after the end of "in\.mp4"/) });
  const client = createClient(server.url, {
    clientId: settings.TELECINE_CLIENT_ID,
    clientSecret: settings.TELECINE_CLIENT_SECRET,
  });
  await client.upload(new Blob([await readFile(join(cwd, 'in.mp4'))]), 'kept.mp4');
  const picture = await client.preview('kept.mp4', { view: 'sheet', columns: 2, rows: 1, format: 'webp' });
  expect([picture.type, picture.size > 1000]).toEqual(['image/webp', true]);
});
