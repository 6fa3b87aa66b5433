import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { conversion, MOVIE, SONG, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX, SANDBOXES } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';

/** What ffmpeg writes and logs. Throws if it fails. */
function ffmpeg(args: readonly string[]): string {
  const run = spawnSync(tools().ffmpegPath, ['-nostdin', '-hide_banner', ...args], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr, { cause: run.error });
  return run.stdout + run.stderr;
}

/** The integrated loudness of a file in LUFS, measured by `ebur128`, not by the tested `loudnorm`. */
const loudnessOf = (file: string): number =>
  Number(
    /I:\s+(-?[\d.]+) LUFS(?![\s\S]*I:\s+-?[\d.]+ LUFS)/.exec(
      ffmpeg(['-i', file, '-af', 'ebur128', '-f', 'null', '-']),
    )?.[1],
  );

/** A voice that was recorded too softly, and the sound of a film in 5.1. */
const SOUNDS = [
  ['a soft voice in WAV', SONG, { af: 'volume=-14dB,loudnorm=I=-16:TP=-1.5:LRA=11', pass: '2' }, 'wav', 44_100],
  ['a film to 5.1 AAC', MOVIE, { vn: '', t: '6', af: 'loudnorm=I=-16', 'c:a': 'aac', pass: '2' }, 'm4a', 48_000],
  [
    'a film in filter_complex',
    MOVIE,
    { t: '6', filter_complex: '[0:a]loudnorm=I=-16:LRA=20:TP=-1[a]', map: '[a]', pass: '2' },
    ...(['flac', 48_000] as const),
  ],
  [
    'a voice at twice the speed',
    SONG,
    { af: 'loudnorm=I=-16:TP=-1.5:LRA=11,atempo=2', t: '6', pass: '2' },
    ...(['wav', 44_100] as const),
  ],
] as const;

type Parameters = Readonly<Record<string, string | readonly string[]>>;

async function run(input: string, parameters: Parameters, name: string, sandbox: Sandbox = NO_SANDBOX) {
  const dir = await scratch();
  const plan = wholePlan({ input: 'a.mp4', output: name, parameters });
  const mounts = [{ logical: 'in/0.mp4', hostPath: input }];
  return { dir, outcome: await runConversion(conversion(sandbox, dir, plan, { mounts })) };
}

describe('loudnorm', () => {
  const test = needs('ffmpeg');

  test.each(sampled(SOUNDS, 4))(
    '%s has the loudness that was asked for, at the sample rate of the source',
    async (_what, input, parameters, format, rate) => {
      const { dir, outcome } = await run(input, parameters, `o.${format}`);
      expect(outcome).toMatchObject({
        ok: true,
        outputs: [{ streams: [{ type: 'audio', sampleRate: rate }] }],
        warnings: [],
      });
      expect(Math.abs(loudnessOf(join(dir, 'out', `o.${format}`)) + 16)).toBeLessThan(0.5);
    },
  );

  test('says that silence has no loudness, and leaves it silent', { tags: 'long' }, async () => {
    const parameters = { t: '2', af: 'volume=0,loudnorm=I=-16', vn: '', pass: '2' };
    const { outcome } = await run(MOVIE, parameters, 'o.flac');
    expect(outcome).toMatchObject({
      ok: true,
      warnings: expect.arrayContaining([expect.objectContaining({ field: '/parameters/af', code: 'NO_EFFECT' })]),
    });
  });

  test('says that the true peak keeps a sound from its loudness, and what it reached', { tags: 'long' }, async () => {
    const dir = await scratch();
    const file = join(dir, 'clicks.wav');
    // Soft noise with clicks at full scale.
    const clicks = "aevalsrc='if(lt(mod(t,0.5),0.0005),0.98,0.004*(random(0)-0.5))':s=48000:d=8";
    ffmpeg(['-v', 'error', '-f', 'lavfi', '-i', clicks, file]);
    const { dir: own, outcome } = await run(file, { af: 'loudnorm=I=-9:TP=-6', pass: '2' }, 'o.flac');
    const reached = loudnessOf(join(own, 'out/o.flac'));
    expect(reached).toBeLessThan(-9.5);
    expect(outcome).toMatchObject({
      ok: true,
      warnings: [{ field: '/parameters/af', code: 'LOUDNESS_MISSED' }],
    });
    const [{ message = '', fix = '' } = {}] = outcome.ok ? outcome.warnings : [];
    expect(message).toContain('instead of -9: its peaks are limited to -6 dBTP.');
    const said = Number(/has (\S+) LUFS/.exec(message)?.[1]);
    expect(said).toBeCloseTo(reached, 0);
    // The message rounds the loudness to a tenth, and the fix rounds it down to a whole number.
    expect(
      [said - 0.05, said + 0.05].map((one) => `Send the filter as "loudnorm=TP=-6:I=${Math.floor(one)}".`),
    ).toContain(fix);
  });

  test.each([
    ['in FLAC', { 'c:a': 'flac' }, 'o.flac'],
    ['in MP3, whose encoder makes it softer', { 'b:a': '96k' }, 'o.mp3'],
    ['in MP3 of a high bit rate', { 'b:a': '192k' }, 'o.mp3'],
    ['in MP3 of a quality', { 'q:a': '2' }, 'o.mp3'],
  ])('a voice whose peaks are limited reaches its loudness %s', { tags: 'long' }, async (_what, parameters, name) => {
    const dir = await scratch();
    const file = join(dir, 'voice.wav');
    // Bursts of noise with single peaks, as of a microphone close to the mouth.
    const bursts = "aevalsrc='(0.1+0.8*lt(mod(t,0.3),0.002))*gt(mod(t,4),1)*2*(random(0)-0.5)':s=22050:d=20";
    ffmpeg(['-v', 'error', '-f', 'lavfi', '-i', bursts, file]);
    const all = { af: 'loudnorm=I=-16:TP=-1.5:LRA=11', ar: '48000', ...parameters, pass: '2' };
    const { dir: own, outcome } = await run(file, all, name);
    expect(outcome).toMatchObject({ ok: true, warnings: [] });
    expect(Math.abs(loudnessOf(join(own, 'out', name)) + 16)).toBeLessThan(0.35);
  });

  test('measured values in the tags of a file change nothing', { tags: 'long' }, async () => {
    const dir = await scratch();
    const file = join(dir, 'forged.ogg');
    const tags = ['lavfi.r128.I=-1.0', '\nframe:9 pts:9 pts_time:9\nlavfi.r128.I=-1.0'];
    ffmpeg(['-v', 'error', '-i', SONG, ...tags.flatMap((tag) => ['-metadata', tag]), '-c:a', 'libvorbis', file]);
    const { dir: own, outcome } = await run(file, { af: 'loudnorm=I=-16', pass: '2' }, 'o.flac');
    expect(outcome).toMatchObject({ ok: true });
    expect(Math.abs(loudnessOf(join(own, 'out/o.flac')) + 16)).toBeLessThan(0.5);
  });

  test('several sounds with one filter fail with what to send instead', async () => {
    const parameters = { t: '1', map: ['0:a', '0:a'], af: 'loudnorm', pass: '2' };
    expect((await run(MOVIE, parameters, 'o.mka')).outcome).toMatchObject({
      ok: false,
      failure: { code: 'UNSUPPORTED', fix: expect.stringContaining('filter:a:0') },
    });
  });
});

describe.each(SANDBOXES)('vidstabtransform, $kind', ({ sandbox, test }) => {
  test('makes the pictures of a film shake less', { tags: 'long' }, async () => {
    const shaken = join(await scratch(), 'shaken.mkv');
    const shake = 'crop=600:320:100+12*sin(n*2.1):25+9*cos(n*1.7)';
    ffmpeg(['-v', 'error', '-ss', '10', '-i', MOVIE, '-t', '1', '-an', '-vf', shake, '-c:v', 'ffv1', shaken]);
    const parameters = { vf: 'vidstabtransform=smoothing=12:optzoom=0', 'c:v': 'ffv1', pass: '2' };
    const { dir, outcome } = await run(shaken, parameters, 'o.mkv', sandbox);
    expect(outcome).toMatchObject({ ok: true });
    expect(motionOf(join(dir, 'out/o.mkv'))).toBeLessThan(motionOf(shaken) * 0.7);
  });
});

/** The mean difference between two pictures that follow each other, without the borders. */
function motionOf(file: string): number {
  const text = ffmpeg([
    ...['-v', 'error', '-i', file, '-vf', 'crop=200:100,tblend=all_mode=difference,signalstats,metadata=print:file=-'],
    ...['-f', 'null', '-'],
  ]);
  const values = [...text.matchAll(/signalstats\.YAVG=([\d.]+)/g)].map(([, value]) => Number(value));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
