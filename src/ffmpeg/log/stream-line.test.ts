import { expect, test } from 'vitest';
import { parseStreamLine } from './stream-line.ts';

const read = (rest: string) => parseStreamLine(`  Stream #0:0${rest}`);

test('the rates of NTSC are what they are, not what two decimals leave of them', () => {
  expect(read(': Video: prores (apch / 0x68637061), yuv422p10le(tv), 854x480, 29.97 fps, 30k tbn')?.fps).toBe(29.97003);
  expect(read(': Video: h264, yuv420p, 854x480, 23.98 fps')?.fps).toBe(23.976024);
  expect(read(': Video: h264, yuv420p, 854x480, 29.5 fps')?.fps).toBe(29.5);
});

test('a profile is told from a tag and from the name of a decoder', () => {
  expect(read(': Video: hevc (Main 10) (hev1 / 0x31766568), yuv420p10le(tv), 16x16')?.profile).toBe('Main 10');
  expect(read(': Audio: dts (DTS-HD MA), 48000 Hz, 5.1(side), s32p')?.profile).toBe('DTS-HD MA');
  expect(read(': Video: prores (apch / 0x68637061), yuv422p10le, 16x16')).not.toHaveProperty('profile');
  expect(read(': Subtitle: subrip (srt)')).not.toHaveProperty('profile');
});

test('what is set of a stream is read from the end, in the words of the options', () => {
  expect(read('(deu): Subtitle: ass (ssa) (default) (hearing impaired) (forced)')).toEqual({
    ...{ index: 0, type: 'subtitle', codec: 'ass', language: 'deu' },
    disposition: ['default', 'hearing_impaired', 'forced'],
  });
});

test('what stands in the place of a language and is none is left out', () => {
  for (const odd of ['und', '<script>', 'x', 'default language of all', '-i'])
    expect(read(`(${odd}): Audio: aac, 48000 Hz, stereo`)).not.toHaveProperty('language');
  expect(read('(pt-BR): Audio: aac, 48000 Hz, stereo')?.language).toBe('pt-BR');
});

test('a cover has no rate', () => {
  expect(read(': Video: mjpeg (Baseline), yuvj420p(pc), 500x500, 25 fps, 25 tbr (attached pic)')).toEqual({
    ...{ index: 0, type: 'video', codec: 'mjpeg', profile: 'Baseline', width: 500, height: 500 },
    ...{ pixelFormat: 'yuvj420p', disposition: ['attached_pic'] },
  });
});
