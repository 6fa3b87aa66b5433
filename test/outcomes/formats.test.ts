import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INPUT_FORMAT_NAMES, OTHER_FORMATS } from '../../packages/ffmpeg/src/allowlist/input-formats.ts';
import { command } from '../../scripts/setup/command.ts';
import { commonServer } from '../support/common-server.ts';
import { makeMedia } from '../support/decoded.ts';
import { dsfFile } from '../support/dsf.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

test('each demuxer of the installed ffmpeg is allowed, or is left out for a reason', async ({ expect }) => {
  const { text } = await command(tools().ffmpegPath, ['-v', 'error', '-hide_banner', '-demuxers']);
  const names =
    text
      .split('--\n')[1]
      ?.trim()
      .split('\n')
      .flatMap((line) => line.trim().split(/\s+/)[1] ?? []) ?? [];
  const known = new Set([...INPUT_FORMAT_NAMES, ...Object.values(OTHER_FORMATS).join(',').split(',')]);
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name) => !name.split(',').some((one) => known.has(one)))).toEqual([]);
});

test('DSD becomes FLAC', async ({ expect }) => {
  const { server, own } = await start();
  await writeFile(join(server.mediaRoot, 'a.dsf'), dsfFile());
  const { status, outputs } = await own.run({ input: 'a.dsf', output: 'dsd/a.flac', preset: { name: 'flac' } });
  expect(status).toBe('COMPLETED');
  expect(outputs?.[0]?.streams).toMatchObject([{ type: 'audio', codec: 'flac' }]);
});

test.for([
  ['script.txt', '-- a SBaGen script\nbase: 200+10/20\nNOW base\n', /script|not a media file/],
  ['list.mp4', '#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\na.ts\n#EXT-X-ENDLIST\n', /playlist/],
  ['parts.mp4', 'ffconcat version 1.0\nfile a.mp4\n', /playlist/],
] as const)('%s is told from media', async ([name, content, says], { expect }) => {
  const { server, own } = await start();
  await writeFile(join(server.mediaRoot, name), content);
  const { status, error } = await own.run({ input: name, output: `lists/${name}.mkv` });
  expect(status).toBe('FAILED');
  expect(error?.message).toMatch(says);
});

test.for([
  ['mp4', 'h264'],
  ['mkv', 'vp8'],
] as const)(
  'a video is copied without its sound, and encoded for an MP4 that does not hold it: %s',
  async ([extension, codec], { expect }) => {
    const { server, own } = await start();
    const input = `web-${extension}.webm`;
    await makeMedia(server.mediaRoot, ...['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=0.5', '-c:v', 'libvpx', input]);
    const { outputs } = await own.run({ input, output: `mute.${extension}`, preset: { name: 'remove-audio' } });
    expect(outputs?.[0]?.streams).toMatchObject([{ type: 'video', codec }]);
  },
);
