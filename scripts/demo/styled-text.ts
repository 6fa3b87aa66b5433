import { styleText } from 'node:util';
import type { ProbedFile } from '../lib/probe.ts';

export const bold = (text: string): string => styleText('bold', text);
export const dim = (text: string): string => styleText('dim', text);
export const good = (text: string): string => styleText('green', text);
export const bad = (text: string): string => styleText('red', text);

/** Container, streams and duration in one line. */
export function describeMedia(it: ProbedFile): string {
  const streams = it.streams.map((s) =>
    s.width === undefined ? s.codec_name : `${s.codec_name} ${s.width}×${s.height}`,
  );
  // For an image, ffprobe reports the duration of one frame, which means nothing.
  const still = it.formats.includes('image2');
  const length = still || it.durationSeconds === undefined ? '' : `${it.durationSeconds.toFixed(1)} s`;
  return `${(it.formats[0] ?? '').padEnd(9)} ${streams.join(' + ').padEnd(21)} ${length.padStart(6)}`;
}
