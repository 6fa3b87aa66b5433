// @module-tag long
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');

/**
 * Starts a service whose ffmpeg pretends that /dev/null is a device of VA-API, because no machine of the tests has one. Everything
 * else is real: the trial at the start, plans, needs, the queue, claims, and how ffmpeg is started. Without a sandbox, which does
 * not show the shell that runs the script.
 */
async function start() {
  const folder = await testFolder('device');
  const script = await readFile(new URL('../fixtures/ffmpeg-with-device.sh', import.meta.url), 'utf8');
  const { ffmpegPath, ffprobePath } = tools();
  const path = join(folder, 'ffmpeg');
  await writeFile(path, script.replace('exec REAL_FFMPEG', `exec ${ffmpegPath}`), { mode: 0o755 });
  const server = await startServer({
    env: {
      FFMPEG_PATH: path,
      FFPROBE_PATH: ffprobePath ?? '',
      TELECINE_SANDBOX: 'off',
      TELECINE_DEVICES: 'vaapi:/dev/null=1,vaapi:/dev/dri/renderD999=1',
    },
  });
  await server.media.fill((root) => putSmallMovie(root, 2, 'in.mp4'));
  return { server, admin: await adminClient(server) };
}

test('a service offers what works on its devices, gives jobs their turn there, and replaces what fails', async ({
  expect,
}) => {
  const { server, admin } = await start();
  const { body } = await admin.request<{ workers: { devices: unknown }[] }>('/api/workers');
  expect(body.workers[0]?.devices).toEqual([{ type: 'vaapi', encoders: ['h264_vaapi', 'hevc_vaapi'], sessions: 1 }]);
  expect(server.log(), 'the device that is not there').toMatch(/renderD999 does not exist/);
  const codecs = await admin.request<{ codecs: { name: string }[] }>('/api/capabilities/codecs?use=encode&q=vaapi');
  expect(codecs.body.codecs.map(({ name }) => name)).toEqual(['h264_vaapi', 'hevc_vaapi']);

  const request = (output: string, codec: string, more: object = {}) =>
    admin.accept({
      input: 'in.mp4',
      output,
      parameters: { 'c:v': codec, qp: '30', vf: 'scale=64:-2', an: '' },
      ...more,
    });
  const jobs = [
    await request('1.mp4', 'h264_vaapi'),
    await request('2.mp4', 'h264_vaapi'),
    await request('3.mp4', 'hevc_vaapi', { fallback: { 'c:v': 'libx264', preset: 'ultrafast', an: '' } }),
    await request('4.mp4', 'libx264'),
  ];
  const [first, second, third, fourth] = await Promise.all(jobs.map((jobId) => admin.wait(jobId)));
  for (const job of [first, second, third, fourth])
    expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1, outputs: [{ streams: [{ codec: 'h264' }] }] });
  const freedAt = first?.phases?.find(({ phase }) => phase === 'PUBLISHING')?.startedAt;
  expect(String(second?.startedAt) >= String(freedAt), 'one conversion at a time').toBe(true);
  expect([first?.warnings, third?.warnings]).toEqual([
    undefined,
    [
      expect.objectContaining({
        code: 'DEVICE_FALLBACK',
        message: expect.stringContaining('The hardware device failed'),
      }),
    ],
  ]);

  const refused = await admin.request('/api/conversion', {
    body: { input: 'in.mp4', output: '5.mp4', parameters: { 'c:v': 'h264_nvenc' } },
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'NEEDS_DEVICE', allowed: ['h264_vaapi', 'libx264'] }] },
  });
});
