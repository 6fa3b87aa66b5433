import type { PreviewSpec } from '../../../domain/preview.ts';
import { gridOf } from './layout.ts';

/** How far apart the frames of a sheet are before key frames are close enough, in seconds. */
const KEY_FRAME_SPACING = 12;

/** The times to look for, and whether the key frame before each is near enough. */
export interface WantedTimes {
  readonly times: readonly number[];
  readonly nearKeyFrames: boolean;
}

/** Returns the times of a preview of `files` files. `duration`: of the shorter one; undefined for a still picture. */
export function timesOf(spec: PreviewSpec, duration: number | undefined, files: number): WantedTimes {
  if (duration === undefined) return { times: [0], nearKeyFrames: false };
  if (spec.view !== 'sheet') return { times: [spec.at ?? duration / 2], nearKeyFrames: false };
  const { columns, rows } = gridOf(spec, files);
  const count = columns * rows;
  const spacing = duration / count;
  const times = Array.from({ length: count }, (_, i) => rounded((i + 0.5) * spacing));
  // Frames of two files are compared only at the same times.
  return { times, nearKeyFrames: files === 1 && spacing >= KEY_FRAME_SPACING };
}

/** Milliseconds are enough for any frame. */
export const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
