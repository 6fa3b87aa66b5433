import type { Mistake } from './mistake.ts';

/** Encoders, and values of other encoders. */
export const ENCODER_MISTAKES: readonly Mistake[] = [
  [
    { 'c:v': 'libx264', pass: '2', 'b:v': '900k', crf: '21', passlogfile: 'log/a' },
    { 'c:v': 'libx264', pass: '2', 'b:v': '900k' },
  ],
  [{ vn: '', 'c:a': 'libopus', 'b:a': '64k', 'q:a': '3' }, { vn: '', 'c:a': 'libopus', 'b:a': '64k' }, 'b.opus'],
  [{ 'c:a': 'flac', compression_level: '99' }, { 'c:a': 'flac', compression_level: '8' }, 'b.mka'],
  [{ 'c:v': 'libx264', 'c:a': 'aac' }, { 'c:v': 'libvpx-vp9', 'c:a': 'libopus' }, 'b.webm'],
  [{ 'c:s': 'srt' }, { 'c:s': 'mov_text' }],
  [{ 'c:a': 'aac' }, { 'c:a': 'libmp3lame' }, 'b.mp3'],
  [{ 'c:a': 'opus' }, { 'c:a': 'libopus' }, 'b.ogg'],
  [{ 'c:a': 'vorbis' }, { 'c:a': 'libvorbis' }, 'b.webm'],
  [{ vn: '', 'c:a': 'flac' }, { vn: '', 'c:a': 'alac' }, 'b.m4a'],
  [{ vn: '', 'c:a': 'pcm_s24le' }, { vn: '', 'c:a': 'alac' }, 'b.m4a'],
  [{ 'c:a': 'libopus', 'q:a': '4', 'b:a': '64k' }, { 'c:a': 'libopus', 'b:a': '64k' }, 'b.opus'],
  [{ 'c:a': 'wavpack' }, { 'c:a': 'alac' }],
  [{ 'c:a': 'flac' }, { 'c:a': 'alac' }, 'b.mov'],
  [{ 'c:a': 'alac' }, { 'c:a': 'pcm_s16le' }, 'b.avi'],
];
