import { isPlannedName } from '@telecine/contract/domain/planned-names.ts';
import { expect, test } from 'vitest';
import { namesOfOutput } from './output-names.ts';

/** Of the names, those that the order allows. */
const allowed = (
  { path, ...order }: { readonly path: string } & Parameters<typeof namesOfOutput>[1],
  ...names: readonly string[]
): readonly string[] => names.filter((name) => isPlannedName(namesOfOutput(path, order), name));

test('a format with one file allows only the output', () => {
  const names = [
    'out.mp4',
    'Makefile',
    'out0.ts',
    'out.sh',
    'out.mp4.sh',
    'OUT.mp4',
    'init.mp4',
    'master.m3u8',
    'a/out.mp4',
  ];
  expect(allowed({ path: 'out.mp4', parameters: {} }, ...names)).toEqual(['out.mp4']);
});

test('a pattern allows its numbers and dates, and no other folder', () => {
  const names = ['f001.png', 'f12.png', 'f.png', 'fx.png', 'sub/f001.png', 'f001.sh', 'f%03d.png'];
  expect(allowed({ path: 'f%03d.png', parameters: {} }, ...names)).toEqual(['f001.png', 'f12.png']);
  const dated = { path: '%Y-%m-%d_%H.ts', format: 'segment', parameters: { strftime: '1', segment_list: 'all.csv' } };
  expect(allowed(dated, '2026-01-31_12.ts', 'all.csv', 'run.sh', '../a.ts')).toEqual(['2026-01-31_12.ts', 'all.csv']);
});

test('HLS allows the names that ffmpeg gives by default, after the output', () => {
  const hls = [
    'i.m3u8',
    'i0.ts',
    'i12.m4s',
    'i0.vtt',
    'i_vtt.m3u8',
    'init.mp4',
    'init_0.mp4',
    'master.m3u8',
    'i_720p.m3u8',
    'i_720p3.m4s',
  ];
  const others = ['i.ts', 'i.vtt', 'index.ts', 'Makefile', 'package.json', 'i0.js', 'sub/i0.ts'];
  expect(allowed({ path: 'i.m3u8', parameters: {} }, ...hls, ...others)).toEqual(hls);
  expect(allowed({ path: 'i.m3u8', parameters: { hls_flags: 'single_file' } }, 'i.ts', 'i.js')).toEqual(['i.ts']);
});

test('an option that names files allows them, in the folder of the output or of its playlists', () => {
  const parameters = { hls_segment_filename: 'v%v/seg_%03d.ts', master_pl_name: 'all.m3u8', var_stream_map: 'v:0 v:1' };
  const names = [
    'v0/i.m3u8',
    'v1/seg_000.ts',
    'all.m3u8',
    'v1/i_vtt.m3u8',
    'v2/seg_000.ts',
    'vx/seg_000.ts',
    'v0/seg_x.ts',
  ];
  expect(allowed({ path: 'v%v/i.m3u8', parameters }, ...names)).toEqual(names.slice(0, 4));
});

test('DASH allows the names that ffmpeg gives by default, and those of its options', () => {
  const dash = ['film.mpd', 'init-stream0.m4s', 'chunk-stream1-00002.webm', 'film-stream0.mp4', 'media_0.m3u8'];
  expect(allowed({ path: 'film.mpd', parameters: {} }, ...dash, 'chunk-stream1.sh', 'film.js')).toEqual(dash);
  const parameters = { media_seg_name: 'part$RepresentationID$-$Number%05d$.$ext$' };
  expect(allowed({ path: 'film.mpd', parameters }, 'part0-00001.m4s', 'part0-00001.sh')).toEqual(['part0-00001.m4s']);
});
