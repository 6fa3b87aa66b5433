import { execFileSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { open, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { expect } from 'vitest';
import { type ByteRange, rangeBytes } from '../../packages/contract/src/domain/byte-ranges.ts';
import type { ClientLimits } from '../../packages/contract/src/domain/client-limits.ts';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { maxPreviewBytes, type PreviewImage, type PreviewSpec } from '../../packages/contract/src/domain/preview.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { readWritten } from '../../packages/ffmpeg/src/preview/extract-frames.ts';
import { runPreview } from '../../packages/ffmpeg/src/preview/run-preview.ts';
import { findSandbox } from '../../packages/ffmpeg/src/sandbox/find-sandbox.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { MOVIE, POLICY, processesWith, SONG, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX, SANDBOXES } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');

/** Writes a file with ffmpeg, and returns its path. */
async function made(name: string, ...args: readonly string[]): Promise<string> {
  const file = join(await scratch(), name);
  execFileSync(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...args, file]);
  return file;
}

/** Pictures of one colour, by which a test recognises them. */
const colour = (name: string, size = '160x90', seconds = 1): string[] => [
  ...['-f', 'lavfi', '-i', `color=${name}:s=${size}:r=10:d=${seconds}`],
];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

interface Options {
  readonly sandbox?: Sandbox;
  readonly policy?: ClientLimits;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
  readonly ffmpegPath?: string;
  readonly catalogue?: Catalogue;
  /** The options that chose the part of the first file. */
  readonly part?: Parameters;
  readonly fetchBytes?: (bytes: readonly ByteRange[]) => Promise<void>;
}

function preview(
  file: string | readonly string[],
  spec: PreviewSpec,
  { sandbox = NO_SANDBOX, policy = POLICY, timeoutSeconds = 60, part, ...more }: Options = {},
): Promise<PreviewImage> {
  return runPreview({
    spec,
    files: [file].flat().map((name, index) => {
      const hostPath = realpathSync(name);
      const logical = `in/${index}${extname(hostPath)}`;
      const { dev, ino } = statSync(hostPath, { bigint: true });
      const mount = { logical, hostPath, identities: [`${dev}:${ino}`] };
      const path = hostPath.slice(1) as MediaPath;
      return { path, logical, mount, ...(index === 0 && part !== undefined && { part: { input: part } }) };
    }),
    ffmpegPath: realpathSync(tools().ffmpegPath),
    ffprobePath: realpathSync(tools().ffprobePath),
    catalogue: recordedCatalogue(),
    cores: 2,
    sandbox,
    workRoot: tmpdir(),
    policy,
    timeoutSeconds,
    signal: new AbortController().signal,
    ...more,
  });
}

/** The colour of a pixel of a picture: red, green, blue and alpha. `x` and `y`: from 0 to 1. */
async function pixel({ bytes, width, height }: PreviewImage, x: number, y: number): Promise<readonly number[]> {
  const file = join(await scratch(), 'picture');
  await writeFile(file, bytes);
  const raw = execFileSync(
    tools().ffmpegPath,
    ['-v', 'error', '-i', file, '-vf', 'format=rgba', '-f', 'rawvideo', '-'],
    { maxBuffer: 2 ** 26 },
  );
  expect(raw.length).toBe(width * height * 4);
  const at = (Math.floor(y * (height - 1)) * width + Math.floor(x * (width - 1))) * 4;
  return [...raw.subarray(at, at + 4)];
}

/** Whether two colours look the same. */
const near = (...wanted: readonly number[]) => wanted.map((value) => expect.closeTo(value, -1.4));
const RED = near(254, 0, 0, 255);
const BLUE = near(0, 0, 254, 255);
const GREY = near(128, 128, 128, 255);

for (const { kind, tags, test: testHere } of SANDBOXES)
  testHere(`makes each view (sandbox: ${kind})`, { tags }, async () => {
    const programs = [tools().ffmpegPath, tools().ffprobePath].map((path) => realpathSync(path)) as [string, string];
    const sandbox = kind === 'none' ? NO_SANDBOX : await findSandbox(kind, programs[0], [], [programs[1]]);
    const film = await made('film.mp4', '-f', 'lavfi', '-i', 'testsrc2=s=214x120:r=4:d=30', ...H264, '-g', '8');
    const frame = await preview(film, { view: 'frame', at: 12.5 }, { sandbox });
    expect(frame).toMatchObject({ format: 'jpeg', width: 214, height: 120, times: [12.5], durationSeconds: 30 });
    expect(frame.file).toEqual({ width: 214, height: 120, durationSeconds: 30 });
    const sheet = await preview(film, { view: 'sheet', columns: 3, rows: 2, width: 300 }, { sandbox });
    expect(sheet).toMatchObject({ width: 3 * 97 + 2 * 4, times: [2.5, 7.5, 12.5, 17.5, 22.5, 27.5] });
    const waveform = await preview(SONG, { view: 'waveform', width: 200 }, { sandbox });
    expect(waveform).toMatchObject({ format: 'png', width: 200, height: 50, times: [] });
    expect(waveform.file).toEqual({ durationSeconds: expect.closeTo(waveform.durationSeconds ?? 0, 0) });
    const spectrogram = await preview(SONG, { view: 'spectrogram', width: 200 }, { sandbox });
    expect(spectrogram).toMatchObject({ width: 200, height: 100, maxHz: expect.any(Number) });
  });

test('a sheet of sixteen frames has fewer than 120 KB, and so has noise that cannot be compressed', {
  tags: 'long',
}, async () => {
  const sheet = await preview(MOVIE, { view: 'sheet' });
  expect(sheet.times).toHaveLength(16);
  expect(sheet.width).toBe(1280);
  expect(sheet.bytes.length).toBeLessThan(120_000);
  const png = await preview(MOVIE, { view: 'frame', at: 20, format: 'png' });
  expect(png.bytes.length).toBeLessThan(120_000);
  expect(png.width).toBeGreaterThan(300);
  const noise = await made(
    'n.mkv',
    '-f',
    'lavfi',
    '-i',
    "nullsrc=s=1280x720:r=5:d=1,geq='random(1)*255':128:128",
    ...H264,
  );
  const noisy = await preview(noise, { view: 'frame' });
  expect(noisy.bytes.length).toBeLessThan(maxPreviewBytes(1024 * 576));
  expect(noisy.times).toHaveLength(1);
});

test('shows the frame of the time, and the last one up to the end of the sound', { tags: 'long' }, async () => {
  const film = await made(
    'a.mp4',
    ...colour('red'),
    ...colour('blue'),
    ...[
      '-f',
      'lavfi',
      '-i',
      'sine=d=3',
      '-filter_complex',
      '[0:v][1:v]concat[v]',
      '-map',
      '[v]',
      '-map',
      '2:a',
      ...H264,
    ],
  );
  expect(await pixel(await preview(film, { view: 'frame', at: 0.5 }), 0.5, 0.5)).toEqual(RED);
  expect(await pixel(await preview(film, { view: 'frame', at: 1.5 }), 0.5, 0.5)).toEqual(BLUE);
  const late = await preview(film, { view: 'frame', at: 2.8 });
  expect(late.times).toEqual([1.9]);
  expect(await pixel(late, 0.5, 0.5)).toEqual(BLUE);
  const sheet = await preview(film, { view: 'sheet', columns: 2, rows: 1 });
  expect([await pixel(sheet, 0.2, 0.5), await pixel(sheet, 0.8, 0.5)]).toEqual([RED, BLUE]);
  await expect(preview(film, { view: 'frame', at: 3.5 })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    errors: [{ field: '/at', code: 'AFTER_END', message: expect.stringMatching(/which lasts 3(?:\.0\d+)? s\.$/) }],
  });
});

test('a long film shows key frames, and others where those would repeat', { tags: 'long' }, async () => {
  // Two minutes; one key frame at the start, and one at 60 s.
  const film = await made(
    'a.mkv',
    ...['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=2:d=120', ...H264, '-g', '9999', '-sc_threshold', '0'],
    ...['-force_key_frames', '60'],
  );
  const { times } = await preview(film, { view: 'sheet', columns: 4, rows: 1 });
  expect(times).toEqual([0, 45, 60, 105]);
});

test('stands two files side by side at the same times', { tags: 'long' }, async () => {
  const [before, after] = [
    await made('a.mp4', ...colour('red', '160x90', 4), ...H264),
    await made('b.mkv', ...colour('blue', '80x80', 2), ...H264),
  ];
  const frame = await preview([before, after], { view: 'frame', at: 1 }, { part: { ss: '1.5' } });
  expect(frame).toMatchObject({ width: 160 * 2 + 4, height: 90, times: [2.5, 1], durationSeconds: 2 });
  const ofEnd = await preview([before, after], { view: 'frame', at: 1 }, { part: { sseof: '-2.5' } });
  expect(ofEnd.times).toEqual(frame.times);
  expect([await pixel(frame, 0.2, 0.5), await pixel(frame, 0.75, 0.5)]).toEqual([RED, BLUE]);
  // The smaller picture is not stretched.
  expect(await pixel(frame, 0.53, 0.5)).toEqual(GREY);
  const sheet = await preview([before, after], { view: 'sheet', columns: 1, rows: 2 });
  expect(sheet.times).toEqual([0.5, 0.5, 1.5, 1.5]);
});

/** A blue video that is black while `middle` is true. */
const darkWhile = (middle: string): Promise<string> =>
  made(
    'a.mp4',
    ...['-f', 'lavfi', '-i', 'color=blue:s=160x90:r=10:d=12'],
    ...['-vf', `drawbox=color=black:t=fill:enable='${middle}'`, ...H264],
  );

test('a frame without a time is not black if the video has another, and says its time', async () => {
  const dark = await preview(await darkWhile('between(t,5,7)'), { view: 'frame' });
  expect(await pixel(dark, 0.5, 0.5)).toEqual(BLUE);
  expect(dark.times).toEqual([expect.closeTo(0.35 * 12, 1)]);
  const bright = await preview(await darkWhile('lt(t,5)'), { view: 'frame' });
  expect(bright.times).toEqual([6]);
  // A requested time is kept, and a black video is shown as it is.
  expect((await preview(await darkWhile('between(t,5,7)'), { view: 'frame', at: 6 })).times).toEqual([6]);
  expect((await preview(await darkWhile('gte(t,0)'), { view: 'frame' })).times).toEqual([6]);
});

test('the search for a frame that is not black decodes no frame twice, and replaces no tile', async () => {
  const folder = await scratch();
  const [program, log] = [join(folder, 'ffmpeg'), join(folder, 'log')];
  await writeFile(program, `#!/bin/sh\necho "$*" >> '${log}'\nexec '${tools().ffmpegPath}' "$@"\n`, { mode: 0o755 });
  const dark = await preview(await darkWhile('gte(t,0)'), { view: 'frame' }, { ffmpegPath: program });
  expect(dark.times).toEqual([6]);
  const argv = (await readFile(log, 'utf8')).split(/\s+/);
  const seeks = argv.flatMap((word, index) => (word === '-ss' ? [Number(argv[index + 1])] : []));
  expect(seeks).toEqual([6, 4.2, 7.8, 2.4, 9.6]);
  const tiles = argv.filter((word) => /(?:^|:)out\/t\d+\.png$/.test(word));
  expect(new Set(tiles).size).toBe(seeks.length);
  expect(tiles).toHaveLength(seeks.length);
});

test('says which of two files cannot be shown', { tags: 'long' }, async () => {
  const film = await made('a.mp4', ...colour('red'), ...H264);
  const damaged = join(await scratch(), 'damaged.mp4');
  await writeFile(damaged, 'not media');
  for (const [other, code] of [
    [SONG, 'UNSUPPORTED'],
    [damaged, 'INPUT_INVALID'],
  ] as const) {
    const rejection = (field: string) => ({ code, errors: [{ field }] });
    await expect(preview([other, film], { view: 'frame' })).rejects.toMatchObject(rejection('/compare'));
    await expect(preview([film, other], { view: 'frame' })).rejects.toMatchObject(rejection('/path'));
  }
});

test('respects rotation, the shape of pixels and transparency', { tags: 'long' }, async () => {
  const wide = await made('a.mp4', ...colour('red', '160x90'), ...H264);
  // The option of ffmpeg 6 and later, and the tag that older releases turn into the same matrix.
  const turned = await made('b.mp4', '-display_rotation', '90', '-i', wide, '-c', 'copy').catch(() =>
    made('b.mp4', '-i', wide, '-c', 'copy', '-metadata:s:v', 'rotate=90'),
  );
  expect(await preview(turned, { view: 'frame' })).toMatchObject({ width: 90, height: 160 });
  const anamorphic = await made('c.mkv', ...colour('red', '160x90'), '-vf', 'setsar=2', ...H264);
  expect(await preview(anamorphic, { view: 'frame' })).toMatchObject({ width: 320, height: 90 });
  const half = [
    '-f',
    'lavfi',
    '-i',
    'color=red:s=80x80:d=1:r=1,format=rgba,pad=160:80:color=black@0',
    '-frames:v',
    '1',
  ];
  const glass = await preview(await made('d.png', ...half), { view: 'frame' });
  expect([await pixel(glass, 0.2, 0.5), await pixel(glass, 0.8, 0.5)]).toEqual([RED, GREY]);
});

test('an HDR picture is neither dark nor washed out', { tags: 'long' }, async () => {
  // Half of the signal is 92 cd/m², about as bright as white paper on an ordinary screen.
  const hdr = await made(
    'a.mkv',
    ...['-f', 'lavfi', '-i', 'color=0x808080:s=64x64:r=5:d=1,format=yuv420p10le'],
    // Since ffmpeg 7, the frames decide, and before, the options of the encoder.
    ...['-vf', 'setparams=range=tv:color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc', '-c:v', 'ffv1'],
    ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc', '-color_range', 'tv'],
  );
  const [red = 0, green = 0, blue = 0] = await pixel(await preview(hdr, { view: 'frame' }), 0.5, 0.5);
  expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(8);
  expect(red).toBeGreaterThan(150);
  expect(red).toBeLessThan(250);
});

test('a waveform of a long recording shows where it is loud, without decoding all of it', {
  tags: 'long',
}, async () => {
  // Loud in the third quarter of 22 minutes.
  const audio = "aevalsrc='if(between(t,660,990),0.8,0.05)*sin(2*PI*440*t)':s=8000:d=1320";
  const tone = await made('long.mp3', '-f', 'lavfi', '-i', audio, '-c:a', 'libmp3lame', '-b:a', '8k');
  const waveform = await preview(tone, { view: 'waveform', width: 400 });
  expect(waveform).toMatchObject({ width: 400, durationSeconds: expect.closeTo(1320, 0) });
  const isLoud = await Promise.all(
    [0.25, 0.48, 0.52, 0.73, 0.77].map(async (x) => (await pixel(waveform, x, 0.3))[3] === 255),
  );
  expect(isLoud).toEqual([false, false, true, true, false]);
});

test('a waveform is one colour on a transparent ground, or white in a JPEG', { tags: 'long' }, async () => {
  const tone = await made(
    'a.wav',
    '-f',
    'lavfi',
    '-i',
    "aevalsrc='0.5*sin(2*PI*440*t)|-0.5*sin(2*PI*440*t)':d=1:s=48000",
  );
  const waveform = await preview(tone, { view: 'waveform', width: 400 });
  // The channels have opposite phase: their sum would be silence.
  expect(await pixel(waveform, 0.5, 0.5)).toEqual([0x25, 0x63, 0xeb, 255]);
  expect((await pixel(waveform, 0.5, 0.05))[3]).toBe(0);
  const jpeg = await preview(tone, { view: 'waveform', width: 400, format: 'jpeg' });
  expect(await pixel(jpeg, 0.5, 0.05)).toEqual(near(255, 255, 255, 255));
  const webp = await preview(tone, { view: 'waveform', width: 400, format: 'webp' });
  expect(Buffer.from(webp.bytes).toString('latin1', 8, 12)).toBe('WEBP');
});

test('finds the duration of a recording that does not say it', { tags: 'long' }, async () => {
  const film = await made('a.webm', ...colour('red'), '-c:v', 'libvpx', '-deadline', 'realtime', '-live', '1');
  const { times, durationSeconds } = await preview(film, { view: 'sheet', columns: 2, rows: 1 });
  expect(durationSeconds).toBeCloseTo(1, 0);
  expect(times).toEqual([expect.closeTo(0.25, 0), expect.closeTo(0.75, 0)]);
});

test('each file that has no such view is told apart', { tags: 'long' }, async () => {
  const dir = await scratch();
  await writeFile(join(dir, 'words.mp4'), 'no media\n'.repeat(99));
  await writeFile(join(dir, 'a.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const still = await made('a.png', ...colour('red'), '-frames:v', '1');
  const mute = await made('a.mkv', ...colour('red'), ...H264);
  const cases = [
    [SONG, { view: 'frame' }, 'UNSUPPORTED', 'no video stream', 'waveform'],
    [mute, { view: 'waveform' }, 'UNSUPPORTED', 'no audio stream', 'frame'],
    [still, { view: 'sheet' }, 'UNSUPPORTED', 'only one frame', 'frame'],
    [join(dir, 'words.mp4'), { view: 'frame' }, 'INPUT_INVALID', 'words.mp4', ''],
    [join(dir, 'a.svg'), { view: 'frame' }, 'INVALID_REQUEST', 'SVG', 'PNG'],
  ] as const;
  for (const [file, spec, code, message, fix] of cases) {
    const error = await preview(file, spec).then(
      () => undefined,
      (thrown: { code: string; message: string; errors: readonly { fix?: string }[] }) => thrown,
    );
    expect([file, error?.code, error?.message]).toEqual([file, code, expect.stringContaining(message)]);
    expect(`${error?.message} ${error?.errors[0]?.fix ?? ''}`).toContain(fix);
  }
  expect(await preview(still, { view: 'frame', at: 7 })).toMatchObject({ width: 160, height: 90 });
});

test('a file is within the limits of conversions', async () => {
  const film = await made('a.mkv', ...colour('red', '640x360'), ...H264);
  await expect(preview(film, { view: 'frame' }, { policy: { ...POLICY, pixels: 100_000 } })).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('limit "pixels"'),
  });
  await expect(preview(MOVIE, { view: 'frame' }, { policy: { ...POLICY, streams: 1 } })).rejects.toMatchObject({
    message: expect.stringContaining('limit "streams"'),
  });
});

test('a preview ends when it takes too long, and when its client hangs up', async () => {
  const slow = join(await scratch(), 'ffmpeg');
  await writeFile(slow, '#!/bin/sh\nexec sleep 98764', { mode: 0o755 });
  const run = (options: Options) => preview(MOVIE, { view: 'frame' }, { ffmpegPath: slow, ...options });
  await expect(run({ timeoutSeconds: 2 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  const gone = new AbortController();
  const failed = expect(run({ signal: gone.signal })).rejects.toThrow('hung up');
  await expect.poll(() => processesWith('98764').length).toBeGreaterThan(0);
  gone.abort(new Error('hung up'));
  await failed;
  expect(processesWith('98764')).toEqual([]);
});

test('reads only regular files that ffmpeg wrote', async () => {
  const dir = await scratch();
  await writeFile(join(dir, 'secret'), 'secret');
  await symlink(join(dir, 'secret'), join(dir, 'out', 'j0.jpg'));
  expect(await readWritten(join(dir, 'out', 'j0.jpg'))).toBeUndefined();
  expect(await readWritten(join(dir, 'secret'))).toEqual(await readFile(join(dir, 'secret')));
  expect(await readWritten(join(dir, 'none'))).toBeUndefined();
});

test('a file without data, or whose data cannot be decoded, is named with what to do', { tags: 'long' }, async () => {
  const wav = await made('a.wav', '-f', 'lavfi', '-i', 'sine=d=1');
  const header = join(await scratch(), 'header.wav');
  await writeFile(header, (await readFile(wav)).subarray(0, 78));
  for (const view of ['waveform', 'sheet'] as const)
    await expect(preview(header, { view })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      errors: [{ field: '/path', message: expect.stringMatching(/header\.wav" ends after its header: it has no/) }],
    });
  const film = await made('film.mp4', ...colour('red'), ...H264);
  const damaged = join(await scratch(), 'damaged.mp4');
  const bytes = await readFile(film);
  const data = bytes.indexOf('mdat');
  await writeFile(damaged, bytes.fill(0, data + 4, data + 4 + bytes.readUInt32BE(data - 4) - 8));
  await expect(preview(damaged, { view: 'frame' })).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    errors: [
      {
        field: '/path',
        message: expect.stringMatching(
          /^No (?:image could be made|frame could be decoded) of ".*damaged\.mp4": ffmpeg cannot decode it/,
        ),
        fix: expect.arrayContaining([expect.objectContaining({ do: 'measure-errors' })]),
      },
    ],
  });
});

/** A copy of a file in which all but its ends are zeros, and what fetches more bytes into it. */
async function onlyEnds(file: string, bytes: number) {
  const whole = await readFile(file);
  const copy = join(await scratch(), basename(file));
  await writeFile(copy, Buffer.alloc(whole.length));
  const fetched: ByteRange[] = [];
  const fetchBytes = async (ranges: readonly ByteRange[]): Promise<void> => {
    await using handle = await open(copy, 'r+');
    for (const [from, to] of ranges) await handle.write(whole, from, to - from, from);
    fetched.push(...ranges);
  };
  await fetchBytes([
    [0, bytes],
    [whole.length - bytes, whole.length],
  ]);
  return { copy, fetchBytes, share: () => rangeBytes(fetched) / whole.length };
}

const NOISE = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=5:d=60,noise=alls=40:allf=t'];
const SINE = ['-f', 'lavfi', '-i', 'sine=d=60'];

test('frames anywhere in an MP4 of which only the ends are there need only the bytes around them', {
  tags: 'long',
}, async () => {
  const coding = [...H264, '-bf', '2', '-g', '10', '-crf', '30'];
  const file = await made('film.mp4', ...NOISE, ...SINE, ...coding);
  const specs: PreviewSpec[] = [
    { view: 'frame', at: 31.3 },
    { view: 'sheet', columns: 2, rows: 1 },
  ];
  for (const spec of specs) {
    const { copy, fetchBytes, share } = await onlyEnds(file, 300_000);
    const { bytes, times } = await preview(copy, spec, { fetchBytes });
    const expected = await preview(file, spec);
    expect(times, JSON.stringify(spec)).toEqual(expected.times);
    expect(Buffer.from(bytes).equals(expected.bytes), JSON.stringify(spec)).toBe(true);
    expect(share(), 'of the bytes of the file').toBeLessThan(0.5);
  }
});

test('a file whose index does not say where its frames are is not guessed at', { tags: 'long' }, async () => {
  const files = [
    await made('film.mkv', ...NOISE, ...H264),
    await made('fragments.mp4', ...NOISE, ...H264, '-g', '50', '-movflags', 'frag_keyframe+empty_moov'),
  ];
  for (const file of files)
    for (const spec of [
      { view: 'frame', at: 31.3 },
      { view: 'sheet', columns: 2, rows: 1 },
    ] as const) {
      const { copy, fetchBytes } = await onlyEnds(file, 300_000);
      await expect(preview(copy, spec, { fetchBytes }), file).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }
});
