import type { MediaInfo } from '@telecine/client';
import { formatDuration } from '../ui/format.ts';

/** The length and the number of chapters of a file: `1:02:05, 12 chapters`. What is unknown is left out. */
export function lengthText({ format: { durationSeconds }, chapters }: MediaInfo): string {
  const count = chapters.length > 0 && `${chapters.length} ${chapters.length === 1 ? 'chapter' : 'chapters'}`;
  return [durationSeconds !== undefined && formatDuration(durationSeconds), count].filter(Boolean).join(', ');
}
