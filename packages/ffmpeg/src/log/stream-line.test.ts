import { expect, test } from 'vitest';
import { parseStreamLine } from './stream-line.ts';

const read = (rest: string) => parseStreamLine(`  Stream #0:0${rest}`);

test('NTSC frame rates are exact, not rounded to two decimals', () => {
  expect(read(': Video: prores (apch / 0x68637061), yuv422p10le(tv), 854x480, 29.97 fps, 30k tbn')?.fps).toBe(29.97003);
  expect(read(': Video: h264, yuv420p, 854x480, 23.98 fps')?.fps).toBe(23.976024);
  expect(read(': Video: h264, yuv420p, 854x480, 29.5 fps')?.fps).toBe(29.5);
});

test('a profile is distinguished from a codec tag and a decoder name', () => {
  expect(read(': Video: hevc (Main 10) (hev1 / 0x31766568), yuv420p10le(tv), 16x16')?.profile).toBe('Main 10');
  expect(read(': Audio: dts (DTS-HD MA), 48000 Hz, 5.1(side), s32p')?.profile).toBe('DTS-HD MA');
  expect(read(': Video: prores (apch / 0x68637061), yuv422p10le, 16x16')).not.toHaveProperty('profile');
  expect(read(': Subtitle: subrip (srt)')).not.toHaveProperty('profile');
});

test('dispositions are read from the end of the line, with the names that options use', () => {
  expect(read('(deu): Subtitle: ass (ssa) (default) (hearing impaired) (forced)')).toEqual({
    ...{ index: 0, type: 'subtitle', codec: 'ass', language: 'deu' },
    disposition: ['default', 'hearing_impaired', 'forced'],
  });
});

test('text in place of a language that is not a language code is omitted', () => {
  for (const odd of ['und', '<script>', 'x', 'default language of all', '-i'])
    expect(read(`(${odd}): Audio: aac, 48000 Hz, stereo`)).not.toHaveProperty('language');
  expect(read('(pt-BR): Audio: aac, 48000 Hz, stereo')?.language).toBe('pt-BR');
});

test('what ffmpeg adds at level verbose does not hide the pixel format', () => {
  const line =
    ': Video: h264 (High), 2 reference frames (avc1 / 0x31), yuv420p(progressive, left), 160x120 (160x128), 25 fps';
  expect(read(line)).toMatchObject({ codec: 'h264', profile: 'High', pixelFormat: 'yuv420p', width: 160, fps: 25 });
});

test('a cover has no frame rate', () => {
  expect(read(': Video: mjpeg (Baseline), yuvj420p(pc), 500x500, 25 fps, 25 tbr (attached pic)')).toEqual({
    ...{ index: 0, type: 'video', codec: 'mjpeg', profile: 'Baseline', width: 500, height: 500 },
    ...{ pixelFormat: 'yuvj420p', disposition: ['attached_pic'] },
  });
});
