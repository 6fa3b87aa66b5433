import type { Mistake } from './mistake.ts';

/** Values of single options: rates, sizes, times, maps and tags. */
export const VALUE_MISTAKES: readonly Mistake[] = [
  [{ 'q:v': '90', 'frames:v': '1' }, { 'q:v': '3', 'frames:v': '1' }, 'b.jpg'],
  [{ pix_fmt: 'I420' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: '420p' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: 'yv12' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: '10bit' }, { pix_fmt: 'yuv420p10le' }],
  [{ s: 'HD' }, { s: 'hd720' }],
  [{ s: 'Full HD' }, { s: 'hd1080' }],
  [{ hls_segment_type: 'ts' }, { hls_segment_type: 'mpegts' }, 'b.m3u8'],
  [{ color_range: 'limited' }, { color_range: 'tv' }],
  [{ sample_fmt: '16bit' }, { sample_fmt: 's16' }, 'b.wav'],
];
