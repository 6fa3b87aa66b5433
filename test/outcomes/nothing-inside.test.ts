import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

let media: Promise<void> | undefined;

async function ready() {
  const { server, own } = await start();
  media ??= makeMedia(server.mediaRoot);
  await media;
  return own;
}

const ASS = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;

async function make(...args: readonly string[]): Promise<void> {
  const made = await command(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...args]);
  if (!made.ok) throw new Error(made.text);
}

async function makeMedia(root: string): Promise<void> {
  const at = (name: string): string => join(root, name);
  await writeFile(at('empty.vtt'), 'WEBVTT\n\nNOTE Nothing is said.\n');
  await writeFile(at('empty.ass'), ASS);
  await writeFile(at('one.srt'), '1\n00:00:00,000 --> 00:00:00,500\nHi\n');
  await make('-f', 'lavfi', '-i', 'color=red:s=64x64', '-frames:v', '1', at('cover.png'));
  await make('-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'aac', at('sound.m4a'));
  // The audio begins a second after the video.
  const late = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=3', '-itsoffset', '1', '-i', at('sound.m4a')];
  await make(...late, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'copy', at('late.mkv'));
  // An MP4 whose video has a codec that no ffmpeg knows.
  await make(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x90:r=10:d=1',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    at('known.mp4'),
  );
}

test.for([
  ['empty.vtt', 'ass'],
  ['empty.vtt', 'srt'],
  ['empty.vtt', 'mkv'],
  ['empty.ass', 'vtt'],
  ['empty.ass', 'ass'],
] as const)('subtitles without a cue are no result: %s to .%s', async ([input, extension], { expect }) => {
  const own = await ready();
  const { status, error } = await own.run({ input, output: `cues/${input}.${extension}` });
  expect(status).toBe('FAILED');
  expect(error?.message).toBe('Nothing was written: the subtitles have no cue that ffmpeg can read.');
});

test.for(['ass', 'vtt', 'srt', 'mkv'])('a single short cue is a result: .%s', async (extension, { expect }) => {
  const own = await ready();
  expect((await own.run({ input: 'one.srt', output: `cue/one.${extension}` })).status).toBe('COMPLETED');
});

test('a cover without audio is not an audio file', async ({ expect }) => {
  const own = await ready();
  const { status, error } = await own.run({
    inputs: ['cover.png', { input: 'sound.m4a', parameters: { ss: '5' } }],
    output: 'cover/a.mp3',
    parameters: { map: ['0:v', '1:a'], 'c:v': 'copy', 'disposition:v': 'attached_pic' },
  });
  expect(status).toBe('FAILED');
  expect(error?.message).toMatch(/^"ss" starts at 5 s, but "sound\.m4a" ends/);
});

test('the length of an audio file is its own, and not the time of its last sample in the source', async ({
  expect,
}) => {
  const own = await ready();
  const { outputs } = await own.run({ input: 'late.mkv', output: 'late/a.mp3', parameters: { vn: '' } });
  expect(outputs?.[0]?.durationSeconds).toBeCloseTo(1.05, 1);
});

test('the length of a GIF has the delay of its last frame', async ({ expect }) => {
  const own = await ready();
  const parameters = { vf: 'fps=2', final_delay: '150' };
  const { outputs } = await own.run({ input: 'known.mp4', output: 'delay/a.gif', parameters });
  expect(outputs?.[0]?.durationSeconds).toBeCloseTo(2, 0);
});

test('a copied codec that ffmpeg does not know is told', async ({ expect }) => {
  const { server, own } = await start();
  await ready();
  const file = await readFile(join(server.mediaRoot, 'known.mp4'));
  file.write('vvx1', file.indexOf('avc1', file.indexOf('stsd')), 'latin1');
  await writeFile(join(server.mediaRoot, 'unknown.mp4'), file);
  const { status, warnings } = await own.run({
    input: 'unknown.mp4',
    output: 'codec/a.mkv',
    parameters: { c: 'copy' },
  });
  expect(status).toBe('COMPLETED');
  expect(warnings).toContainEqual(
    expect.objectContaining({
      code: 'UNPLAYABLE_CODEC',
      message: expect.stringContaining('does not know the codec of the video'),
    }),
  );
});

test('a file without any stream is not called intact', async ({ expect }) => {
  const { server, own } = await start();
  await writeFile(join(server.mediaRoot, 'tags.txt'), ';FFMETADATA1\ntitle=x\n');
  const { status, body } = await own.request<{ jobId: string }>('/api/analyze', {
    body: { input: 'tags.txt', measure: ['errors'] },
  });
  expect(status).toBe(202);
  const job = await own.wait(body.jobId);
  expect(JSON.stringify(job)).not.toContain('intact');
});
