import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AnalysisSpec, Measurements } from '../../packages/contract/src/domain/analysis.ts';
import { runAnalysis } from '../../packages/ffmpeg/src/analysis/run-analysis.ts';
import { planAnalysis } from '../../packages/ffmpeg/src/plan/analysis/plan-analysis.ts';
import { conversion, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { mediaRoot } from '../support/media-root.ts';
import { needs } from '../support/needs.ts';
import { MEDIA_ROOT } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');

/** Writes a file with ffmpeg, and returns its path. */
async function made(...args: readonly string[]): Promise<string> {
  const file = join(await scratch(), 'made.mkv');
  execFileSync(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...args, file]);
  return file;
}

async function run(analysis: AnalysisSpec, input: string, reference?: string) {
  const spec = { ...analysis, ...(reference !== undefined && { reference: 'r.mkv' }) };
  const planned = planAnalysis({ input: 'a.mkv', analysis: spec }, [recordedCatalogue()], {
    scope: mediaRoot(MEDIA_ROOT),
  });
  if (!planned.ok || planned.plan.analysis === undefined) throw new Error(JSON.stringify(planned));
  const plan = { ...planned.plan, analysis: planned.plan.analysis };
  const mounts = [input, reference ?? []].flat().map((hostPath, index) => ({ logical: `in/${index}.mkv`, hostPath }));
  return runAnalysis({ ...conversion(NO_SANDBOX, await scratch(), plan, { mounts }), plan });
}

async function analysed(...args: Parameters<typeof run>) {
  const outcome = await run(...args);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome;
}

const measured = async (...args: Parameters<typeof analysed>): Promise<Measurements> =>
  (await analysed(...args)).measurements;

test('finds what was put into a film: silence, black, a freeze, cuts, borders, repeated pictures', async () => {
  // Moving pictures with borders of 20 lines; black from 2 s to 4 s; still from 6 s on; silent from 3 s to 5 s.
  const black = "drawbox=enable='between(t,2,3.95)':t=fill:c=black:x=0:y=0:w=160:h=120";
  const film = await made(
    ...[
      '-f',
      'lavfi',
      '-i',
      `testsrc2=s=160x80:r=10:d=6,pad=160:120:0:20,${black},tpad=stop_mode=clone:stop_duration=3`,
    ],
    ...[
      '-f',
      'lavfi',
      '-i',
      "sine=440:d=9,volume=0:enable='between(t,3,5)'",
      '-c:v',
      'ffv1',
      '-g',
      '30',
      '-c:a',
      'flac',
    ],
  );
  const short = { minSeconds: 1 };
  const found = await measured(
    {
      measure: [
        'silence',
        'black',
        'freeze',
        'scenes',
        'crop',
        'duplicates',
        'interlacing',
        'loudness',
        'volume',
        'keyframes',
      ],
      settings: { silence: short, black: short, freeze: short },
    },
    film,
  );
  const near = (start: number, end: number) => ({ start: expect.closeTo(start, 0), end: expect.closeTo(end, 0) });
  expect(found.silence).toMatchObject({ count: 1, intervals: [near(3, 5)] });
  expect(found.black).toMatchObject({ count: 1, intervals: [{ start: 2, end: 4 }] });
  expect(found.freeze).toMatchObject({ count: 2, intervals: [{ start: 2, end: 4 }, near(6, 9)] });
  expect(found.scenes?.changes.map(({ at }) => at)).toEqual([2, 4]);
  expect(found.crop).toMatchObject({ filter: 'crop=160:80:0:20' });
  // 19 black pictures after the first one, and 30 still ones.
  expect(found.duplicates).toMatchObject({ frames: 90, duplicates: 49 });
  expect(found.volume).toMatchObject({ peakDb: expect.closeTo(-18, 0) });
  expect(found.loudness).toMatchObject({
    truePeakDbtp: expect.closeTo(-18, 0),
    integratedLufs: expect.closeTo(-22, 0),
  });
  expect(found.keyframes).toMatchObject({ count: 3, at: [0, 3, 6] });
});

test('tells interlaced pictures from progressive ones', { tags: 'long' }, async () => {
  const moving = 'testsrc2=s=320x240:r=50:d=1,rotate=t';
  const args = ['-f', 'lavfi', '-i'];
  const interlaced = await made(...args, `${moving},tinterlace=interleave_top`, '-c:v', 'ffv1');
  const progressive = await made(...args, `${moving},gblur=sigma=2`, '-c:v', 'ffv1');
  expect((await measured({ measure: ['interlacing'] }, interlaced)).interlacing?.verdict).toBe('top field first');
  expect((await measured({ measure: ['interlacing'] }, progressive)).interlacing?.verdict).toBe('progressive');
});

test('the bit rate over time follows the packets, from "ss" for "t" seconds', async () => {
  const sound = await made('-f', 'lavfi', '-i', 'anoisesrc=d=6:r=48000', '-c:a', 'pcm_s16le');
  const { bitrate } = await measured({ measure: ['bitrate'], ss: '1', t: '4' }, sound);
  expect(bitrate?.values).toHaveLength(4);
  for (const rate of [bitrate?.mean, ...(bitrate?.values ?? [])]) {
    expect(rate).toBeGreaterThan(750_000);
    expect(rate).toBeLessThan(790_000);
  }
});

test('key frames are as far apart as they are, also before the last end of the sound', async () => {
  const film = await made(
    ...['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=25:d=4', '-f', 'lavfi', '-i', 'sine=440:d=7'],
    ...['-c:v', 'libx264', '-g', '25', '-sc_threshold', '0', '-bf', '2', '-c:a', 'flac'],
  );
  const { keyframes, bitrate } = await measured({ measure: ['keyframes', 'bitrate'] }, film);
  expect(keyframes).toEqual({ count: 4, meanSpacing: 1, maxSpacing: 1, at: [0, 1, 2, 3] });
  expect(bitrate?.values).toHaveLength(7);
  expect(bitrate?.values.at(-1)).toBeGreaterThan(0);
});

test('a file that lacks what is measured fails in the words of the request', { tags: 'long' }, async () => {
  const mute = await made('-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=1', '-c:v', 'ffv1');
  const sound = await made('-f', 'lavfi', '-i', 'sine=440:d=1', '-c:a', 'flac');
  const cases: readonly [measure: AnalysisSpec['measure'], file: string, message: string, fix: string][] = [
    [['loudness'], mute, '"loudness" measures audio, and "a.mkv" has no audio.', 'Send a file with audio.'],
    [
      ['loudness', 'black', 'volume'],
      mute,
      '"loudness" and "volume" measure audio, and "a.mkv" has no audio.',
      'Leave "loudness" and "volume" out, or send a file with audio.',
    ],
    [['crop'], sound, '"crop" measures video, and "a.mkv" has no video.', 'Send a file with video.'],
    [
      ['keyframes', 'bitrate'],
      sound,
      '"keyframes" measures video, and "a.mkv" has no video.',
      'Leave "keyframes" out, or send a file with video.',
    ],
  ];
  for (const [measure, file, message, fix] of cases)
    expect(await run({ measure }, file)).toMatchObject({
      ok: false,
      failure: { code: 'INPUT_INVALID', message, fix },
    });
  expect(await run({ measure: ['ssim'] }, mute, sound)).toMatchObject({
    failure: { message: '"ssim" measures video, and one of the files has no video.' },
  });
  const cover = ['-map', '0', '-map', '1', '-c:a', 'libmp3lame', '-c:v', 'mjpeg', '-frames:v', '1', '-f', 'mp3'];
  const song = await made('-i', sound, '-i', mute, ...cover, '-disposition:v', 'attached_pic');
  for (const one of ['keyframes', 'crop'] as const)
    expect(await run({ measure: [one] }, song), one).toMatchObject({
      failure: { message: expect.stringContaining(`"${one}" measures video, and "a.mkv" has no video`) },
    });
  const small = await made('-f', 'lavfi', '-i', 'testsrc2=s=80x60:r=10:d=1', '-c:v', 'ffv1');
  expect(await run({ measure: ['ssim', 'psnr'] }, mute, small)).toMatchObject({
    failure: {
      code: 'INPUT_INVALID',
      message: 'Videos that are compared need the same frame size.',
      fix: expect.stringMatching(/^Convert one of them to the size of the other first/),
    },
  });
  expect(await run({ measure: ['bitrate'], ss: '5' }, sound)).toMatchObject({
    failure: { message: 'Nothing was measured: "ss" starts at 5 s, but "a.mkv" ends at 1 s.' },
  });
});

test('compares a file with its original, also one that is shorter', { tags: 'long' }, async () => {
  const original = await made('-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=2', '-c:v', 'ffv1');
  const worse = await made('-i', original, '-t', '1', '-c:v', 'libx264', '-crf', '35');
  const equal = await measured({ measure: ['psnr', 'ssim'] }, original, original);
  expect(equal).toEqual({ psnr: null, ssim: { mean: 1, min: 1, minAt: 0 } });
  const compared = await measured({ measure: ['psnr', 'ssim'] }, worse, original);
  // What ffmpeg itself reports of these files.
  const args = [
    '-nostdin',
    '-hide_banner',
    '-i',
    worse,
    '-i',
    original,
    '-lavfi',
    'psnr=shortest=1',
    '-f',
    'null',
    '-',
  ];
  const report = execFileSync('sh', ['-c', 'exec "$@" 2>&1', '-', tools().ffmpegPath, ...args], { encoding: 'utf8' });
  expect(compared.psnr?.mean).toBeCloseTo(Number(/PSNR .*average:([\d.]+)/.exec(report)?.[1]), 1);
  expect(compared.ssim?.mean).toBeLessThan(1);
});

test('compares the same frames of a part of MPEG-TS, in which a seek finds only the next key frame', async () => {
  const film = await made(...'-f lavfi -i testsrc2=s=160x120:r=10:d=4 -c:v mpeg2video -g 25 -f mpegts'.split(' '));
  const copy = await made('-i', film, '-c', 'copy', '-f', 'mp4');
  const { ssim } = await measured({ measure: ['ssim'], ss: '1', t: '2' }, film, copy);
  expect(ssim).toEqual({ mean: 1, min: 1, minAt: 1 });
});

test('compares the same frames of a part if one of the videos begins after its audio', async () => {
  const film = await made(...'-f lavfi -i testsrc2=s=160x120:r=10:d=4 -c:v ffv1'.split(' '));
  const tone = '-f lavfi -i sine=d=5 -map 0:v -map 1:a -c:v copy -c:a flac'.split(' ');
  const late = await made('-itsoffset', '0.537', '-i', film, ...tone);
  const part = { measure: ['ssim', 'psnr'], ss: '2', t: '1' } as const;
  const equal = { psnr: null, ssim: { mean: 1, min: 1, minAt: 2 } };
  expect(await measured(part, film, late)).toEqual(equal);
  expect(await measured(part, late, film)).toMatchObject({ psnr: null, ssim: { mean: 1, min: 1 } });
  expect(await measured({ ...part, ss: '0.2' }, late, film)).toMatchObject({ ssim: { mean: 1 } });
});

test('results in the tags of a file change nothing', async () => {
  const tags = ['lavfi.black_start=0', 'x\nframe:0 pts:0 pts_time:0\nlavfi.black_start=0\n=1', 'lavfi.r128.I=-1'];
  const film = await made(
    ...[
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=160x120:r=10:d=1',
      '-f',
      'lavfi',
      '-i',
      'sine=d=1',
      '-c:v',
      'ffv1',
      '-c:a',
      'libvorbis',
    ],
    ...tags.flatMap((tag) => ['-metadata', tag, '-metadata:s', tag]),
  );
  const { black, loudness } = await measured({ measure: ['black', 'loudness'] }, film);
  expect(black).toEqual({ count: 0, totalSeconds: 0, intervals: [] });
  expect(loudness?.integratedLufs).toBeLessThan(-15);
});

test('says that a file is cut off, however it is measured, and nothing of one whose sound is shorter', {
  tags: 'long',
}, async () => {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=4', '-f', 'lavfi', '-i', 'sine=d=4'];
  const mp4 = ['-c:v', 'libx264', '-c:a', 'aac', '-movflags', '+faststart', '-f', 'mp4'];
  const whole = await made(...source, ...mp4);
  const cut = join(await scratch(), 'cut.mp4');
  const bytes = await readFile(whole);
  await writeFile(cut, bytes.subarray(0, bytes.length / 2));
  const shortSound = await made(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x120:r=10:d=4',
    '-f',
    'lavfi',
    '-i',
    'sine=d=1',
    ...mp4,
  );
  for (const measure of [['loudness'], ['black'], ['keyframes']] as const) {
    const { warnings } = await analysed({ measure }, cut);
    expect(warnings).toMatchObject([
      { field: '/input', code: 'SHORT_INPUT', message: expect.stringMatching(/^The data of "a\.mkv" ends at [12]/) },
    ]);
    expect((await analysed({ measure }, shortSound)).warnings).toEqual([]);
  }
  expect((await analysed({ measure: ['ssim'] }, cut, whole)).warnings).toMatchObject([{ code: 'SHORT_INPUT' }]);
  // ffmpeg 7 reads ahead, so it may meet damage behind the part.
  const { warnings } = await analysed({ measure: ['black'], t: '1' }, cut);
  expect(warnings.map(({ code }) => code)).not.toContain('SHORT_INPUT');
});

test('names a file that cannot be read', async () => {
  const page = join(await scratch(), 'page.mp4');
  await writeFile(page, '<!DOCTYPE html><html><title>Not found</title></html>');
  for (const measure of [['errors'], ['loudness'], ['bitrate']] as const)
    expect(await run({ measure }, page)).toMatchObject({
      failure: { code: 'INPUT_INVALID', message: expect.stringContaining(`input "a.mkv"`) },
    });
});

test('says that a file is damaged', { tags: 'long' }, async () => {
  const noisy = ['-c:a', 'aac', '-bsf:a', 'noise=amount=300'];
  const { warnings } = await analysed(
    { measure: ['loudness'] },
    await made('-f', 'lavfi', '-i', 'sine=d=4:sample_rate=48000', ...noisy),
  );
  expect(warnings).toMatchObject([
    { code: 'DECODE_ERRORS', message: expect.stringContaining('what was measured may be wrong') },
  ]);
});

/** The whole film, and the same with its middle overwritten by zeros. */
async function damagedFilm(...format: readonly string[]): Promise<{ whole: string; damaged: string }> {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10:d=10', '-f', 'lavfi', '-i', 'anoisesrc=d=10:r=48000'];
  const whole = await made(...source, '-c:v', 'libx264', '-g', '10', '-c:a', 'aac', ...format);
  const damaged = join(await scratch(), 'damaged.mp4');
  const bytes = await readFile(whole);
  await writeFile(damaged, bytes.fill(0, Math.floor(bytes.length * 0.5), Math.floor(bytes.length * 0.6)));
  return { whole, damaged };
}

test('finds where a film is damaged, and nothing in a whole one', { tags: 'long' }, async () => {
  const { whole, damaged } = await damagedFilm('-f', 'mp4');
  const { errors } = await measured({ measure: ['errors', 'loudness'] }, damaged);
  expect(errors).toMatchObject({
    verdict: 'damaged',
    message: expect.stringMatching(
      /^The data is damaged\. The video is lost or damaged .*The audio is lost or damaged /,
    ),
    video: { intervals: expect.arrayContaining([expect.objectContaining({ start: expect.closeTo(5, 0) })]) },
    audio: { intervals: expect.arrayContaining([expect.objectContaining({ start: expect.closeTo(5, 0) })]) },
  });
  expect(errors?.count).toBeGreaterThan(2);
  const none = { count: 0, totalSeconds: 0, intervals: [] };
  expect((await measured({ measure: ['errors'] }, whole)).errors).toMatchObject({
    ...{ verdict: 'intact', count: 0, video: none, audio: none },
  });
  // The part before the damage is whole.
  expect((await measured({ measure: ['errors'], t: '4' }, damaged)).errors).toMatchObject({ video: none, audio: none });
});

test('finds damage in the packets of a transport stream, a file that is cut off, and a header without sound', {
  tags: 'long',
}, async () => {
  const { damaged } = await damagedFilm('-f', 'mpegts');
  expect((await measured({ measure: ['errors'] }, damaged)).errors).toMatchObject({ verdict: 'damaged' });
  const { whole } = await damagedFilm();
  const cut = join(await scratch(), 'cut.mkv');
  await writeFile(cut, (await readFile(whole)).subarray(0, 60_000));
  expect((await measured({ measure: ['errors'] }, cut)).errors).toMatchObject({
    verdict: 'cut off',
    message: expect.stringContaining('although the header says 10'),
  });
  const header = join(await scratch(), 'header.wav');
  await writeFile(header, (await readFile(await made('-f', 'lavfi', '-i', 'sine=d=1', '-f', 'wav'))).subarray(0, 78));
  expect((await measured({ measure: ['errors'] }, header)).errors).toMatchObject({
    verdict: 'empty',
    message: 'The file has a header, but no audio that can be decoded.',
  });
});

test('names a file that cannot be measured as the client does', { tags: 'long' }, async () => {
  const page = join(await scratch(), 'page.mp4');
  await writeFile(page, '<!doctype html><html><body>Not found</body></html>');
  for (const measure of [['errors'], ['bitrate']] as const)
    expect(await run({ measure }, page)).toMatchObject({
      failure: { message: expect.stringMatching(/ input "a\.mkv"/) },
    });
});
