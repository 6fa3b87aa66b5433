import { styleText } from 'node:util';
import type { Probe } from '../lib/probe.ts';

export const bold = (text: string): string => styleText('bold', text);
export const dim = (text: string): string => styleText('dim', text);
export const good = (text: string): string => styleText('green', text);
export const bad = (text: string): string => styleText('red', text);

/** `4.1 MB`, `89 kB`. */
export function bytes(count: number): string {
  return count < 1e6 ? `${Math.round(count / 1e3)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** `0:07`, `1:30`; rounded up, so that nothing claims to end before it does. */
export function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Seconds between two ISO 8601 times, as `3.4 s`. */
export const between = (from = '', to = ''): string => `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1)} s`;

/** What ffprobe said, in one line: container, streams, duration. */
export function described(it: Probe): string {
  const streams = it.streams.map((s) =>
    s.width === undefined ? s.codec_name : `${s.codec_name} ${s.width}×${s.height}`,
  );
  // A still picture has the duration of one frame, which tells nothing.
  const still = it.formats.includes('image2');
  const length = still || it.durationSeconds === undefined ? '' : `${it.durationSeconds.toFixed(1)} s`;
  return `${(it.formats[0] ?? '').padEnd(9)} ${streams.join(' + ').padEnd(21)} ${length.padStart(6)}`;
}
