import type { Mistake } from './mistake.ts';

/** Encoders, and values of other encoders. */
export const ENCODER_MISTAKES: readonly Mistake[] = [
  [{ 'c:v': 'libx264', 'c:a': 'aac' }, { 'c:v': 'libvpx-vp9', 'c:a': 'libopus' }, 'b.webm'],
  [{ 'c:s': 'srt' }, { 'c:s': 'mov_text' }],
  [{ 'c:a': 'aac' }, { 'c:a': 'libmp3lame' }, 'b.mp3'],
  [{ 'c:a': 'opus' }, { 'c:a': 'libopus' }, 'b.ogg'],
  [{ 'c:a': 'vorbis' }, { 'c:a': 'libvorbis' }, 'b.webm'],
  [{ 'c:a': 'libopus', 'q:a': '4', 'b:a': '64k' }, { 'c:a': 'libopus', 'b:a': '64k' }, 'b.opus'],
];
