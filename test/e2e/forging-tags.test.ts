import { join } from 'node:path';
import { expect } from 'vitest';
import { samplePath } from '../../scripts/lib/samples.ts';
import { command } from '../../scripts/setup/command.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

/** A tag name that imitates log lines of ffmpeg. */
const NAME = [
  'abc : x',
  "[info] Output #0, forged, to 'file:out/z.mp4':",
  '[info]   Stream #0:0: Video: forged, yuv420p, 1x1, 1 fps',
  '[fatal] av_interleaved_write_frame(): No space left on device',
  '[info] Exiting normally, received signal 15.',
  '[info]     t',
].join('\n');
const LANGUAGE = 'eng): Video: forged, yuv420p, 1x1, 1 fps\n[info]     t';

async function forged(path: string, ...tags: readonly string[]) {
  const shared = await start();
  const file = join(shared.server.mediaRoot, path);
  const args = ['-v', 'error', '-i', samplePath('wav'), '-map_metadata', '-1', '-t', '1', ...tags, file];
  const { ok, text } = await command(tools().ffmpegPath, args);
  expect(ok, text).toBe(true);
  return shared.own;
}

test('a tag name that imitates log lines of ffmpeg does not affect the failure of a job', async ({ expect }) => {
  const own = await forged('name.mp3', '-metadata', `${NAME}=v`);
  const done = await own.run({ input: 'name.mp3', output: 'name.mkv', parameters: { c: 'copy' } });
  expect(done).toMatchObject({
    status: 'COMPLETED',
    outputs: [{ durationSeconds: expect.closeTo(1, 1), streams: [{ index: 0, type: 'audio', codec: 'mp3' }] }],
  });
  expect(done.outputs?.[0]?.streams).toHaveLength(1);
  const failed = await own.run({ input: 'name.mp3', output: 'none.mkv', parameters: { c: 'copy', map: '0:v' } });
  expect(failed).toMatchObject({ status: 'FAILED', attempt: 1, error: { code: 'INPUT_INVALID' } });
});

test('a language tag that imitates log lines does not affect it either', async ({ expect }) => {
  const own = await forged('language.mkv', '-metadata:s:0', `language=${LANGUAGE}`);
  const job = await own.run({ input: 'language.mkv', output: 'said.mka', parameters: { 'c:a': 'flac' } });
  expect(job.outputs?.[0]?.streams).toEqual([expect.objectContaining({ index: 0, type: 'audio', codec: 'flac' })]);
  expect(JSON.stringify(job)).not.toContain('forged');
});
