import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';
import { outcomesOf } from '../support/outcomes.ts';
import { seenFrames } from '../support/seen-frames.ts';

const test = needs('ffmpeg');

const ready = outcomesOf('seen-previews', async (folder) => {
  for (const [page, colour] of ['red', 'green', 'blue'].entries())
    await makeMedia(folder, '-f', 'lavfi', '-i', `color=${colour}:s=90x160`, '-frames:v', '1', `${page}.png`);
  const list = [2, 6, 4].map((seconds, page) => `file ${page}.png\nduration ${seconds}\n`).join('');
  await writeFile(join(folder, 'pages.txt'), list);
  const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const tone = ['-f', 'lavfi', '-i', 'sine=d=12', '-c:a', 'aac'];
  await makeMedia(folder, '-f', 'concat', '-i', 'pages.txt', ...tone, '-fps_mode', 'vfr', ...encoded, 'pages.mkv');
  await makeMedia(folder, '-i', '1.png', '-vf', 'scale=64:64', 'icon.ico');
  await makeMedia(folder, '-f', 'lavfi', '-i', 'color=green:s=96x64:d=1', '-c:v', 'mpeg2video', 'raw.m2v');
  const hlg = ['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67'];
  const deep = ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p10le', ...hlg];
  await makeMedia(folder, '-f', 'lavfi', '-i', 'testsrc=s=90x160:d=0.5', ...deep, 'phone.mp4');
});

async function preview(path: string, query: string) {
  const { own, server } = await ready();
  const reply = await fetch(`${server.url}/api/files/${path}?${query}`, {
    headers: { authorization: `Bearer ${own.token}` },
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  if (reply.status !== 200) throw new Error(`${path}?${query} → ${reply.status}: ${bytes.toString()}`);
  const file = join(server.mediaRoot, `preview-${path}.${query.replaceAll(/\W/g, '-')}.png`);
  await writeFile(file, bytes);
  return { times: reply.headers.get('frame-times'), picture: await seenFrames(file) };
}

test('a preview shows the frame that is on screen at its time', async () => {
  const { times, picture } = await preview('pages.mkv', 'view=frame&at=5&format=png');
  expect(picture.at(0)).toBe('0 128 0');
  expect(Number(times)).toBeLessThan(2.1);
  expect((await preview('pages.mkv', 'view=frame&at=11&format=png')).picture.at(0)).toBe('0 0 255');
});

test.for(['icon.ico', 'raw.m2v'])('%s, in which ffmpeg finds no frame by time, has a preview', async (path) => {
  expect((await preview(path, 'view=frame&format=png')).picture.at(0)).toBe('0 128 0');
});

test.for(['view=frame&width=45', 'view=sheet&columns=2&rows=1'])(
  'an upright HDR video has the preview %s',
  async (query) => {
    expect((await preview('phone.mp4', `${query}&format=png`)).picture.times).toHaveLength(1);
  },
);
