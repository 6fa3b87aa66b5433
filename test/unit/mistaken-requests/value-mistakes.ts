import type { Mistake } from './mistake.ts';

/** Values of single options: rates, sizes, times, maps and tags. */
export const VALUE_MISTAKES: readonly Mistake[] = [
  [{ 'b:v': '2500' }, { 'b:v': '2500k' }],
  [{ 'b:a': '128' }, { 'b:a': '128k' }],
  [{ 'b:v': '4' }, { 'b:v': '4M' }],
  [{ 'b:v': '2m' }, { 'b:v': '2M' }],
  [{ 'b:a': '128m' }, { 'b:a': '128k' }],
  [{ 'b:v': '5000000M' }, { 'b:v': '5000000' }],
  [{ 'b:v': '5000M' }, { 'b:v': '5000k' }],
  [
    { 'c:v': 'libx265', 'b:v': '2000000k' },
    { 'c:v': 'libx265', 'b:v': '2000000' },
  ],
  [{ 'b:a': '128M' }, { 'b:a': '128k' }],
  [{ 'b:a': '128000k' }, { 'b:a': '128000' }],
  // A "B" is a factor of 8, also where the unit is bytes already.
  [{ 'b:v': '2MB' }, { 'b:v': '2M' }],
  [{ 'b:a': '128kB' }, { 'b:a': '128k' }],
  [
    { maxrate: '2MB', bufsize: '4MB' },
    { maxrate: '2M', bufsize: '4M' },
  ],
  [{ hls_segment_size: '2MB' }, { hls_segment_size: '2M' }, 'b.m3u8'],
  [
    { maxrate: '2500', bufsize: '5000' },
    { maxrate: '2500k', bufsize: '5000k' },
  ],
  [{ 'q:v': '90', 'frames:v': '1' }, { 'q:v': '3', 'frames:v': '1' }, 'b.jpg'],
  [{ 'metadata:s:a:0': 'lang=german' }, { 'metadata:s:a:0': 'language=ger' }],
  [{ 'metadata:s:a:0': 'language=en' }, { 'metadata:s:a:0': 'language=eng' }],
  [{ ar: '48' }, { ar: '48000' }],
  [{ ar: '48' }, { ar: '48000' }, 'b.wav'],
  [{ g: '2s' }, { force_key_frames: 'expr:gte(t,n_forced*2)' }],
  [{ pix_fmt: 'I420' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: '420p' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: 'yv12' }, { pix_fmt: 'yuv420p' }],
  [{ pix_fmt: '10bit' }, { pix_fmt: 'yuv420p10le' }],
  [{ s: 'HD' }, { s: 'hd720' }],
  [{ s: 'Full HD' }, { s: 'hd1080' }],
  [{ hls_segment_type: 'ts' }, { hls_segment_type: 'mpegts' }, 'b.m3u8'],
  [{ hls_segment_time: '6' }, { hls_time: '6' }, 'b.m3u8'],
  [{ color_range: 'limited' }, { color_range: 'tv' }],
  [{ sample_fmt: '16bit' }, { sample_fmt: 's16' }, 'b.wav'],
];
