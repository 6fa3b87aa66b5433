import type { ConversionRequest } from '@telecine/client';
import { PREVIEW_FOLDER } from './preview-job.ts';
import { EXPIRES_AFTER_SECONDS, type Part } from './preview-request.ts';

/** A result that is compared with its source. Both begin at the same time of the source and have the same frame rate. */
export interface MeasuredResult {
  /** The request that made it, without a recipe. */
  readonly request: ConversionRequest;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: number;
}

/** How many seconds of a result are measured, from its middle. */
const SECONDS = 4;

/** The part of a result that is measured. It begins between two frames, so that rounding never chooses the frame before or after. */
export function measuredPart({ fps, frames }: Pick<MeasuredResult, 'fps' | 'frames'>): Part {
  const seconds = Math.min(SECONDS, frames / fps / 2);
  const first = Math.max(0, Math.floor((frames - seconds * fps) / 2));
  return { at: Number(((first + 0.5) / fps).toFixed(6)), seconds: Number(seconds.toFixed(3)) };
}

/** The request that decodes the part of a result into a file without loss. */
export const resultRequest = (path: string, { at, seconds }: Part, name: string): ConversionRequest => ({
  inputs: [{ input: path, parameters: { ss: String(at), t: String(seconds) } }],
  parameters: { map: '0:v:0', 'c:v': 'libx264', preset: 'ultrafast', qp: '0' },
  output: `${PREVIEW_FOLDER}/${name}.mkv`,
  expiresAfterSeconds: EXPIRES_AFTER_SECONDS,
});
