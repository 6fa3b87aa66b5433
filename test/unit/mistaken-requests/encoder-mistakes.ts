import type { Mistake } from './mistake.ts';

/** Encoders, and values of other encoders. */
export const ENCODER_MISTAKES: readonly Mistake[] = [
  // Two passes are for a bit rate.
  [{ vn: '', 'c:a': 'libopus', 'b:a': '64k', 'q:a': '3' }, { vn: '', 'c:a': 'libopus', 'b:a': '64k' }, 'b.opus'],
  [
    { 'c:v': 'libx264', 'profile:v': 'high', pix_fmt: 'yuv422p' },
    { 'c:v': 'libx264', 'profile:v': 'high422', pix_fmt: 'yuv422p' },
  ],
  [
    { 'c:v': 'libx264', 'profile:v': 'high', pix_fmt: 'yuv420p10le' },
    { 'c:v': 'libx264', 'profile:v': 'high10', pix_fmt: 'yuv420p10le' },
  ],
  [
    { 'c:v': 'libx264', 'profile:v': 'baseline', pix_fmt: 'yuv444p' },
    { 'c:v': 'libx264', 'profile:v': 'baseline', pix_fmt: 'yuv420p' },
  ],
  [
    { 'c:v': 'libx265', 'profile:v': 'main', pix_fmt: 'yuv420p10le' },
    { 'c:v': 'libx265', 'profile:v': 'main10', pix_fmt: 'yuv420p10le' },
  ],
  [
    { 'c:v': 'libx265', 'profile:v': 'main10', pix_fmt: 'yuv422p10le' },
    { 'c:v': 'libx265', 'profile:v': 'main422-10', pix_fmt: 'yuv422p10le' },
  ],
  [
    { pix_fmt: 'yuva420p', 'c:v': 'libx264' },
    { pix_fmt: 'yuv420p', 'c:v': 'libx264' },
  ],
  [
    { pix_fmt: 'yuv420p10le', 'c:v': 'mpeg4' },
    { pix_fmt: 'yuv420p', 'c:v': 'mpeg4' },
  ],
  [{ 'c:v': 'libx265', tune: 'film' }, { 'c:v': 'libx265' }],
  [
    { 'c:v': 'libx265', tune: 'grain,zerolatency' },
    { 'c:v': 'libx265', tune: 'grain' },
  ],
  [{ 'c:v': 'libx264', tune: 'hq' }, { 'c:v': 'libx264' }],
  [
    { 'c:v': 'libx264', tune: 'ull' },
    { 'c:v': 'libx264', tune: 'zerolatency' },
  ],
  [
    { 'c:v': 'libx264', preset: 'p4' },
    { 'c:v': 'libx264', preset: 'medium' },
  ],
  [
    { 'c:v': 'libx265', preset: 'P7' },
    { 'c:v': 'libx265', preset: 'veryslow' },
  ],
  [
    { 'c:v': 'libx264', preset: '12' },
    { 'c:v': 'libx264', preset: 'superfast' },
  ],
  [
    { 'c:v': 'libx264', preset: '8' },
    { 'c:v': 'libx264', preset: 'veryslow' },
  ],
  [
    { 'c:v': 'libx264', preset: 'slow,film' },
    { 'c:v': 'libx264', preset: 'slow', tune: 'film' },
  ],
  [
    { 'c:v': 'libsvtav1', preset: 'medium' },
    { 'c:v': 'libsvtav1', preset: '7' },
  ],
  [
    { 'c:v': 'libsvtav1', preset: 'p5' },
    { 'c:v': 'libsvtav1', preset: '5' },
  ],
  [{ 'c:v': 'libsvtav1', tune: 'film' }, { 'c:v': 'libsvtav1' }],
  [{ 'c:v': 'libvpx-vp9', preset: 'good' }, { 'c:v': 'libvpx-vp9', 'cpu-used': '2' }, 'b.webm'],
  [{ 'c:v': 'libvpx-vp9', deadline: 'slow' }, { 'c:v': 'libvpx-vp9', deadline: 'good' }, 'b.webm'],
  [{ 'c:v': 'libvpx-vp9', tune: 'film' }, { 'c:v': 'libvpx-vp9', 'tune-content': 'film' }, 'b.webm'],
  [
    { 'c:v': 'libaom-av1', preset: 'veryslow' },
    { 'c:v': 'libaom-av1', 'cpu-used': '1' },
  ],
  [
    { 'c:v': 'libx264', cq: '23' },
    { 'c:v': 'libx264', crf: '23' },
  ],
  [{ 'c:v': 'libx264', 'rc:v': 'vbr' }, { 'c:v': 'libx264' }],
  [
    { 'c:v': 'mpeg4', crf: '23' },
    { 'c:v': 'mpeg4', 'q:v': '4' },
  ],
  [{ 'c:v': 'prores_ks', crf: '20' }, { 'c:v': 'prores_ks', 'profile:v': 'hq' }, 'b.mov'],
  [{ 'c:v': 'prores_ks', 'profile:v': '422hq' }, { 'c:v': 'prores_ks', 'profile:v': 'hq' }, 'b.mov'],
  [
    { 'c:v': 'libx265', 'profile:v': 'high' },
    { 'c:v': 'libx265', 'profile:v': 'main' },
  ],
  [{ 'c:a': 'aac', 'profile:a': 'he' }, { 'c:a': 'aac' }],
  [{ 'c:a': 'libfdk_aac', vbr: '4' }, { 'c:a': 'aac', 'b:a': '128k' }, 'b.m4a'],
  [{ 'c:a': 'libfdk_aac', vbr: '4', 'b:a': '96k' }, { 'c:a': 'aac', 'b:a': '96k' }, 'b.m4a'],
  [{ 'c:a': 'libopus', application: 'music' }, { 'c:a': 'libopus', application: 'audio' }, 'b.mkv'],
  [{ 'c:a': 'libopus', vbr: 'yes' }, { 'c:a': 'libopus', vbr: 'on' }, 'b.mkv'],
  [{ 'c:v': 'libx264', 'c:a': 'aac' }, { 'c:v': 'libvpx-vp9', 'c:a': 'libopus' }, 'b.webm'],
  [{ 'c:s': 'srt' }, { 'c:s': 'mov_text' }],
  [{ 'c:a': 'aac' }, { 'c:a': 'libmp3lame' }, 'b.mp3'],
  [{ 'c:a': 'opus' }, { 'c:a': 'libopus' }, 'b.ogg'],
  [{ 'c:a': 'vorbis' }, { 'c:a': 'libvorbis' }, 'b.webm'],
  [{ preset: 'best' }, { preset: 'veryslow' }],
  // Lossless sound stays lossless.
  [{ vn: '', 'c:a': 'flac' }, { vn: '', 'c:a': 'alac' }, 'b.m4a'],
  [{ vn: '', 'c:a': 'pcm_s24le' }, { vn: '', 'c:a': 'alac' }, 'b.m4a'],
  [{ 'c:a': 'libopus', 'q:a': '4', 'b:a': '64k' }, { 'c:a': 'libopus', 'b:a': '64k' }, 'b.opus'],
  [{ 'c:a': 'wavpack' }, { 'c:a': 'alac' }],
  [{ 'c:a': 'flac' }, { 'c:a': 'alac' }, 'b.mov'],
  [{ 'c:a': 'alac' }, { 'c:a': 'pcm_s16le' }, 'b.avi'],
];
