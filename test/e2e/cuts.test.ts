import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { commonServer } from '../support/common-server.ts';
import { makeOnce } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

const run = promisify(execFile);
const start = commonServer();
const startWithLittleMemory = sharedServer({ env: { TELECINE_CLIENT_LIMITS: 'memory=1500M' } });
const test = needs('ffmpeg').concurrent;
let filled: Promise<unknown> | undefined;
let filledWithFilm: Promise<unknown> | undefined;
let made: string;

beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'telecine-cuts-'));
});
afterAll(() => rm(made, { recursive: true }));

const ffmpeg = (args: readonly string[], cwd: string) =>
  run(tools().ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args], { cwd });

/** Each picture has its number as its luminance, so that a test knows which ones are in a file. */
const NUMBERED = "geq=lum='16+mod(N\\,200)':cb=128:cr=128,format=yuv420p";
/** Eight scenes of 3 s, each of one luminance: 0, 100, 20, 120, … */
const SCENES = "geq=lum='16+mod(trunc(T/3)\\,2)*100+trunc(T/6)*20':cb=128:cr=128,format=yuv420p";
/** 12 s with pauses from 2 to 4 s and from 7 to 9.5 s. */
const TALK = "sine=f=440:r=48000:d=12,volume='if(between(t\\,2\\,4)+between(t\\,7\\,9.5)\\,0\\,1)':eval=frame";
const QUIET_START = ['-f', 'lavfi', '-i', "anoisesrc=d=30:r=48000,volume='if(lt(t,10),0,1)':eval=frame"];
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-bf', '0'];

const makeFilm = (folder: string) =>
  ffmpeg(
    [
      ...['-f', 'lavfi', '-i', `color=s=64x48:r=25:d=12,${NUMBERED}`, '-f', 'lavfi', '-i', TALK],
      ...[...X264, '-qp', '0', '-c:a', 'aac', '-b:a', '128k', 'film.mp4'],
    ],
    folder,
  );

/** Puts "film.mp4", unless it is there. */
const putFilm = async (root: string) =>
  cp(await makeOnce('cut-film', makeFilm), root, { recursive: true, force: false });

async function putAll(root: string): Promise<void> {
  await putFilm(root);
  const vary = ['-vf', "select='not(between(mod(n\\,20)\\,3\\,9))'", '-fps_mode', 'vfr'];
  await Promise.all([
    ffmpeg(['-i', 'film.mp4', ...vary, ...X264, '-qp', '0', '-c:a', 'copy', 'varying.mkv'], root),
    ffmpeg(['-i', 'film.mp4', '-c', 'copy', '-output_ts_offset', '30', 'late.ts'], root),
    ffmpeg(['-i', 'film.mp4', '-vn', '-c:a', 'libmp3lame', 'talk.mp3'], root),
    // A quiet start, so that ffprobe estimates a length that is wrong.
    ffmpeg([...QUIET_START, '-c:a', 'libmp3lame', '-q:a', '0', '-write_xing', '0', 'quiet.mp3'], root),
    ffmpeg([...QUIET_START, '-c:a', 'aac', '-b:a', '192k', 'quiet.aac'], root),
    ffmpeg(['-i', 'film.mp4', '-c:v', 'libvpx', '-c:a', 'libvorbis', '-live', '1', 'live.webm'], root),
    ffmpeg(
      ['-t', '4', '-i', 'film.mp4', '-i', 'film.mp4', '-map', '0:v', '-map', '1:a', '-c', 'copy', 'long-sound.mp4'],
      root,
    ),
    ffmpeg(
      [
        ...['-t', '8', '-i', 'film.mp4', '-t', '7.5', '-i', 'film.mp4', '-map', '0:v', '-map', '1:a'],
        ...['-c:v', 'copy', '-c:a', 'aac', 'short-sound.mp4'],
      ],
      root,
    ),
    ffmpeg(['-f', 'lavfi', '-i', 'color=s=64x48:r=25:d=3', '-c:v', 'libx264', 'mute.mp4'], root),
    ffmpeg(
      [
        ...['-f', 'lavfi', '-i', `color=s=64x48:r=25:d=24,${SCENES}`, '-f', 'lavfi', '-i', 'sine=d=23'],
        ...X264,
        'scenes.mp4',
      ],
      root,
    ),
  ]);
}

/** Puts the inputs: the film alone, which is enough for most tests, or all of them. */
async function ready(inputs: 'film' | 'all' = 'all') {
  const shared = await start();
  filledWithFilm ??= shared.server.media.fill(putFilm);
  await filledWithFilm;
  if (inputs === 'all') {
    filled ??= shared.server.media.fill(putAll);
    await filled;
  }
  return shared;
}

const LOSSLESS = { 'c:v': 'ffv1', 'c:a': 'pcm_s16le' };

/** The numbers of the pictures of a file, and how many samples of sound it has. */
async function content(file: string) {
  const pictures = run(
    tools().ffmpegPath,
    ['-v', 'error', '-i', file, '-map', '0:v?', '-vf', 'crop=2:2', '-pix_fmt', 'yuv420p', '-f', 'rawvideo', '-'],
    { encoding: 'buffer' },
  ).catch(() => ({ stdout: Buffer.alloc(0) }));
  const sound = run(tools().ffmpegPath, ['-v', 'error', '-i', file, '-map', '0:a', '-ac', '1', '-f', 's16le', '-'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  return {
    numbers: [...(await pictures).stdout].filter((_, at) => at % 6 === 0).map((one) => one - 16),
    samples: (await sound).stdout.length / 2,
    levels: new Int16Array(new Uint8Array((await sound).stdout).buffer),
  };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => (from + index) % 200);
async function converted(request: ConversionRequest) {
  const { server, own } = await ready(request.input === 'film.mp4' ? 'film' : 'all');
  const job = await own.run(request);
  return { job, read: async () => content(await server.media.local(String(request.output))) };
}

const NUMBERED_FILMS = [
  ['a film', 'film.mp4', 'one'],
  ['a file that does not begin at 0', 'late.ts', 'two'],
] as const;

test.for(sampled(NUMBERED_FILMS, 2))(
  'keeps exactly the asked frames of %s, with the sound of the same time',
  async ([, input, name], { expect }) => {
    const cut = { keep: [{ start: 1, end: 2.2 }, { start: '0:05', end: '5.04' }, { start: 11 }] };
    const { job, read } = await converted({ input, cut, output: `cut/${name}.mkv`, parameters: LOSSLESS });
    expect(job.error).toBeUndefined();
    expect(job.warnings).toBeUndefined();
    const { numbers, samples } = await read();
    const meant = [...range(25, 55), ...range(125, 126), ...range(275, 300)];
    // In MPEG-TS, the sound begins half a frame before the picture.
    const most = input === 'film.mp4' ? 0 : 1;
    for (const [index, number] of meant.entries())
      expect(Math.abs((numbers[index] ?? Number.NaN) - number)).toBeLessThanOrEqual(most);
    // The last frame may be shown once more.
    expect(numbers.length - meant.length).toBeLessThanOrEqual(1);
    expect(Math.abs(samples - numbers.length * 1920)).toBeLessThanOrEqual(1920);
  },
);

test('keeps the times of a film whose frame rate varies', { tags: 'long' }, async ({ expect }) => {
  const cut = { remove: [{ start: 2, end: 4 }] };
  const output = 'cut/varying.mkv';
  const { job, read } = await converted({ input: 'varying.mkv', cut, output, parameters: LOSSLESS });
  expect(job.error).toBeUndefined();
  const { numbers, samples } = await read();
  expect(samples / 48_000).toBeCloseTo(numbers.length / 25, 1);
  expect(numbers.length).toBeGreaterThanOrEqual(248);
  // The first picture after the cut is that of 4 s.
  expect([99, 100]).toContain(numbers[50]);
});

test('removes the silence of a film with its picture', { tags: 'long' }, async ({ expect }) => {
  const cut = { remove: { silence: { noiseDb: -50, minSeconds: 1 }, marginSeconds: 0.2 } };
  const { job, read } = await converted({ input: 'film.mp4', cut, output: 'cut/talk.mkv', parameters: LOSSLESS });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  const { numbers, samples } = await read();
  expect(samples).toBe(numbers.length * 1920);
  // 12 s without 1.6 and 2.1 s.
  expect(Math.abs(numbers.length - 8.3 * 25)).toBeLessThanOrEqual(2);
  expect(numbers[60] ?? 0).toBeGreaterThan(90);
});

test('removes the silence at the end of a film whose sound ends first', { tags: 'long' }, async ({ expect }) => {
  const cut = { remove: { silence: { noiseDb: -50, minSeconds: 0.8 } } };
  const input = 'short-sound.mp4';
  const { job, read } = await converted({ input, cut, output: 'cut/short-sound.mkv', parameters: LOSSLESS });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  // The sound has 0.5 s of silence at its end, 7.5 s, and the picture lasts until 8 s. The pause from 2 to 4 s is removed too.
  expect(Math.abs((await read()).numbers.length - 5 * 25)).toBeLessThanOrEqual(3);
});

test('removes the silence of a sound', { tags: 'long' }, async ({ expect }) => {
  const cut = { remove: { silence: { noiseDb: -50, minSeconds: 1 } } };
  const { job, read } = await converted({ input: 'talk.mp3', cut, output: 'cut/talk.wav' });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  expect((await read()).samples / 48_000).toBeCloseTo(7.5, 1);
});

/** The scenes of a film by the luminance of their pictures, in order. Pictures of crossfades have others. */
const scenesIn = (numbers: readonly number[]): readonly number[] => {
  const near = numbers.map((one) => Math.round(one / 10));
  return near.filter((one, at) => one === near[at + 12] && (at === 0 || one !== near[at - 1]));
};

test('makes a teaser of scenes that are spread over the film, each once', { tags: 'long' }, async ({ expect }) => {
  const teaser = async (output: string, own: object) =>
    converted({ input: 'scenes.mp4', output, preset: { name: 'teaser', arguments: { ...own } } });
  const some = await teaser('cut/teaser.mp4', { scenes: 4 });
  expect(some.job.error).toBeUndefined();
  expect(some.job.warnings).toBeUndefined();
  const { numbers } = await some.read();
  // Four times 2 s, and three crossfades of 0.5 s.
  expect(Math.abs(numbers.length - 162)).toBeLessThanOrEqual(2);
  expect(scenesIn(numbers)).toEqual([0, 2, 4, 6]);
  const all = await teaser('cut/all.mp4', { scenes: 12, crossfade: 0 });
  expect(all.job.warnings).toMatchObject([{ code: 'FEW_SCENES', fix: expect.stringContaining('"seconds"') }]);
  expect(scenesIn((await all.read()).numbers)).toEqual([0, 10, 2, 12, 4, 14, 6, 16]);
});

test('says that nothing was found, and fails if nothing would be left', { tags: 'long' }, async ({ expect }) => {
  const { own } = await ready();
  const cut = { remove: { silence: { minSeconds: 20 } } };
  const nothing = await own.run({ input: 'talk.mp3', cut, output: 'cut/nothing.wav' });
  expect(nothing.error).toBeUndefined();
  expect(nothing.warnings).toMatchObject([{ field: '/cut/remove', code: 'NOTHING_REMOVED' }]);
  const preset = { name: 'video-remove-silence', arguments: { pause: 9 } };
  const ofRecipe = await own.run({ input: 'film.mp4', preset, output: 'cut/recipe.mp4' });
  expect(ofRecipe.warnings).toMatchObject([
    { code: 'NOTHING_REMOVED', fix: 'Send a shorter "pause", or a higher "threshold".' },
  ]);
  const all = await own.run({ input: 'mute.mp4', cut: { remove: { black: {} } }, output: 'cut/black.mkv' });
  expect(all.error).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('nothing to write') });
});

test.for(['quiet.mp3', 'quiet.aac'])(
  'keeps all of %s, whose length is only estimated',
  { tags: 'long' },
  async (input, { expect }) => {
    const cut = { keep: [{ start: 2 }] };
    const one = await converted({ input, cut, output: `cut/${input}.wav` });
    expect(one.job.error).toBeUndefined();
    expect((await one.read()).samples / 48_000).toBeCloseTo(28, 0);
    const inputs = [input, { input, crossfade: '1' }];
    const two = await converted({ inputs, join: 'encode', output: `cut/${input}-twice.wav` });
    expect(two.job.error).toBeUndefined();
    expect((await two.read()).samples / 48_000).toBeCloseTo(59, 0);
  },
);

test('fails for a crossfade of a recording that does not tell its length', { tags: 'long' }, async ({ expect }) => {
  const { own } = await ready();
  const fading = {
    inputs: ['live.webm', { input: 'film.mp4', crossfade: '1' }],
    join: 'encode',
    output: 'cut/no.mkv',
  } as const;
  // With inputs on a disk, the request is rejected; elsewhere, the job fails.
  const answer = await own.run(fading).then(({ error }) => error, String);
  expect(JSON.stringify(answer)).toContain('is unknown, but a crossfade needs it: ');
  const cut = { keep: [{ end: 1 }, { start: 2 }] };
  const { job, read } = await converted({ input: 'live.webm', cut, output: 'cut/live.mkv', parameters: LOSSLESS });
  expect(job.error).toBeUndefined();
  expect((await read()).numbers.length).toBe(275);
});

test('copies parts from key frames, and says where they begin', { tags: 'long' }, async ({ expect }) => {
  const cut = {
    keep: [
      { start: 1.5, end: 3 },
      { start: 6, end: 8 },
    ],
  };
  const { job, read } = await converted({ input: 'film.mp4', cut, output: 'cut/copy.mkv', parameters: { c: 'copy' } });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toMatchObject([
    { code: 'EARLIER_START', message: 'Copies begin at a key frame, so parts begin at 1 s instead of 1.5 s.' },
  ]);
  expect((await read()).numbers).toEqual([...range(25, 75), ...range(150, 200)]);
});

test('fades parts into each other, with as much sound as picture', { tags: 'long' }, async ({ expect }) => {
  const cut = { keep: [{ end: 3 }, { start: 5, end: 8 }, { start: 9 }], crossfade: 0.4 };
  const { job, read } = await converted({ input: 'film.mp4', cut, output: 'cut/fade.mkv', parameters: LOSSLESS });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  const { numbers, samples } = await read();
  expect(numbers.length).toBe(225 - 20);
  // The picture of 2.6 s becomes that of 5 s in ten steps, beside those that follow each.
  for (const [step, number] of numbers.slice(65, 75).entries())
    expect(Math.abs(number - (65 + step + 60 * (step / 10))), `step ${step}`).toBeLessThan(4);
  expect(samples).toBe(numbers.length * 1920);
});

test('fades in a film with little memory, whatever the length of its parts', { tags: 'long' }, async ({ expect }) => {
  const { server, admin } = await startWithLittleMemory();
  const film = ['-f', 'lavfi', '-i', 'color=s=1280x720:r=25:d=60', ...X264, 'large.mp4'];
  await server.media.fill((root) => ffmpeg(film, root));
  const cut = { keep: [{ end: 5 }, { start: 10 }], crossfade: 0.4 };
  const job = await admin.run({ input: 'large.mp4', output: 'faded.mp4', cut, parameters: { preset: 'ultrafast' } });
  expect(job).toMatchObject({ status: 'COMPLETED' });
  expect(job.outputs?.[0]?.durationSeconds).toBe(54.6);
});

test('holds the last picture of a film whose sound goes on', { tags: 'long' }, async ({ expect }) => {
  const cut = { keep: [{ start: 3, end: 5 }, { start: 10 }] };
  const output = 'cut/held.mkv';
  const { job, read } = await converted({ input: 'long-sound.mp4', cut, output, parameters: LOSSLESS });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  const { numbers, samples } = await read();
  expect(numbers.length).toBe(100);
  expect(numbers.slice(0, 25)).toEqual(range(75, 100));
  expect(new Set(numbers.slice(25))).toEqual(new Set([99]));
  expect(samples).toBe(numbers.length * 1920);
});

test('fades around a part that is too short for it, with as much sound as picture', { tags: 'long' }, async ({
  expect,
}) => {
  const cut = { keep: [{ end: 2 }, { start: 3, end: 3.04 }, { start: 5, end: 6 }, { start: 7 }], crossfade: 0.8 };
  const { job, read } = await converted({ input: 'film.mp4', cut, output: 'cut/short.mkv', parameters: LOSSLESS });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toMatchObject([{ code: 'SHORTER_CROSSFADE' }]);
  const { numbers, samples } = await read();
  // The crossfade between the last two takes half of a part of 25 frames.
  expect(numbers.length).toBe(50 + 1 + 25 + 125 - 12);
  expect(samples).toBe(numbers.length * 1920);
});

test('reads only what the parts of a long film need, and cuts it at the same frames', { tags: 'long' }, async ({
  expect,
}) => {
  const { server } = await ready();
  const film = `color=s=64x48:r=25:d=60,${NUMBERED}`;
  const sound = "aevalsrc='floor(t*25)/2000':s=48000:d=60";
  // Open groups of pictures begin with pictures that need the group before.
  const groups = ['-x264-params', 'open-gop=1:keyint=50:bframes=3:b-adapt=0'];
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', ...groups, '-c:a', 'pcm_s16le'];
  await server.media.fill((root) =>
    ffmpeg(['-f', 'lavfi', '-i', film, '-f', 'lavfi', '-i', sound, ...encoding, 'hour.mkv'], root),
  );
  const keep = [
    { start: 30.2, end: 31 },
    { start: 33, end: 34 },
  ];
  const { job, read } = await converted({
    input: 'hour.mkv',
    cut: { keep },
    output: 'cut/hour.mkv',
    parameters: LOSSLESS,
  });
  expect(job.error).toBeUndefined();
  expect(job.warnings).toBeUndefined();
  const { numbers, samples, levels } = await read();
  const meant = [...range(755, 775), ...range(825, 850)];
  expect(numbers).toEqual(meant);
  expect(samples).toBe(meant.length * 1920);
  // In the middle of each picture, the sound has the number of the picture.
  const middles = meant.map((_, at) => Math.round(((levels[at * 1920 + 960] ?? 0) / 32_768) * 2000));
  expect(middles).toEqual(
    [...Array(20).keys()].map((at) => 755 + at).concat([...Array(25).keys()].map((at) => 825 + at)),
  );
});

test('cuts a film into a thousand parts', { tags: 'long' }, async ({ expect }) => {
  const keep = Array.from({ length: 290 }, (_, index) => ({
    start: (index + 5) / 25,
    end: (index + 5.5) / 25 + 0.02,
  })).filter((_, index) => index % 2 === 0);
  const { job, read } = await converted({
    input: 'film.mp4',
    cut: { keep },
    output: 'cut/many.mkv',
    parameters: LOSSLESS,
  });
  expect(job.error).toBeUndefined();
  const { numbers, samples } = await read();
  expect(numbers.length).toBe(145);
  expect(samples).toBe(numbers.length * 1920);
});
