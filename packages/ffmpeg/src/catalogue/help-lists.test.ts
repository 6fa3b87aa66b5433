import { expect, test } from 'vitest';
import { RECORDED, recordedCatalogue } from '../../../../test/support/recorded-catalogue.ts';
import { parseCodecList, parseFilterList, parseFormatList } from './help-lists.ts';

test('reads the format lists of ffmpeg before and since 7.0', () => {
  const before = 'File formats:\n D. = Demuxing supported\n --\n  E mp4             MP4\n D  sdl,sdl2        SDL\n';
  expect([...parseFormatList(before)]).toEqual([
    ['mp4', { name: 'mp4', description: 'MP4' }],
    ['sdl', { name: 'sdl', description: 'SDL' }],
    ['sdl2', { name: 'sdl2', description: 'SDL' }],
  ]);
  const since = 'Muxers:\n ..d = Is a device\n ---\n  E  3gp   3GP\n DEd alsa  ALSA output\n  E  mp4   MP4\n';
  expect([...parseFormatList(since).keys()]).toEqual(['3gp', 'alsa', 'mp4']);
});

test('reads the codec of an encoder and whether it is experimental', () => {
  const text =
    'Encoders:\n V..... = Video\n ------\n V....D libx264              libx264 H.264 (codec h264)\n A..X.D opus                 Opus\n S..... mov_text             3GPP Timed Text subtitle\n';
  expect(Object.fromEntries(parseCodecList(text))).toEqual({
    libx264: { name: 'libx264', kind: 'video', codec: 'h264', description: 'libx264 H.264', experimental: false },
    opus: { name: 'opus', kind: 'audio', codec: 'opus', description: 'Opus', experimental: true },
    mov_text: {
      ...{ name: 'mov_text', kind: 'subtitle', codec: 'mov_text' },
      ...{ description: '3GPP Timed Text subtitle', experimental: false },
    },
  });
});

test('reads the filter lists of ffmpeg before and since 9.0', () => {
  const text =
    'Filters:\n  T.. = Timeline support\n  A = Audio input/output\n TSC overlay           VV->V      Overlay.\n .. acrossfade        N->A       Cross fade.\n ... color             |->V       Provide a colour.\n';
  expect(Object.fromEntries(parseFilterList(text))).toEqual({
    overlay: { name: 'overlay', inputs: 'VV', outputs: 'V', description: 'Overlay.', timeline: true },
    acrossfade: { name: 'acrossfade', inputs: 'N', outputs: 'A', description: 'Cross fade.', timeline: false },
    color: { name: 'color', inputs: '|', outputs: 'V', description: 'Provide a colour.', timeline: false },
  });
});

test.each(RECORDED)('reads all lists of ffmpeg %s', (version) => {
  const { lists } = recordedCatalogue(version);
  expect(lists.encoders.get('libx264')).toMatchObject({ kind: 'video', codec: 'h264' });
  expect(lists.encoders.get('opus')).toMatchObject({ kind: 'audio', codec: 'opus', experimental: true });
  expect(lists.decoders.get('h264')).toMatchObject({ kind: 'video', codec: 'h264' });
  expect(lists.muxers.get('mp4')?.description).toBe('MP4 (MPEG-4 Part 14)');
  expect(['mov', 'mp4', 'matroska', 'webm', 'image2'].filter((name) => !lists.demuxers.has(name))).toEqual([]);
  expect(lists.filters.get('overlay')).toMatchObject({ inputs: 'VV', outputs: 'V', timeline: true });
  expect(lists.filters.get('concat')).toMatchObject({ inputs: 'N', outputs: 'N' });
  expect(lists.bsfs.has('h264_mp4toannexb')).toBe(true);
  expect([...lists.bsfs.keys()].every((name) => /^[a-z0-9_]+$/.test(name))).toBe(true);
  expect(lists.pixelFormats).toContain('yuv420p');
  expect(lists.pixelFormats).toContain('pal8');
  expect(lists.pixelFormats).not.toContain('vaapi');
  expect([...lists.sampleFormats].sort().join(' ')).toBe('dbl dblp flt fltp s16 s16p s32 s32p s64 s64p u8 u8p');
  expect(
    ['FL', 'LFE', 'mono', 'stereo', '5.1', '5.1(side)', '7.1'].filter((name) => !lists.channelLayouts.has(name)),
  ).toEqual([]);
  expect(['Individual', 'Standard', 'NAME'].filter((name) => lists.channelLayouts.has(name))).toEqual([]);
  expect(lists.colors).toContain('tomato');
  expect(lists.colors.size).toBe(140);
});
