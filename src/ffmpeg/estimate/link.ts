import type { MediaStream } from '../../domain/media-info.ts';

/** Moving pictures between two filters, or before an encoder. */
export interface VideoLink {
  readonly kind: 'video';
  readonly width: number;
  readonly height: number;
  /** Frames per second. */
  readonly fps: number;
  /** The length; Infinity if something else ends it. */
  readonly seconds: number;
  /** The stream of an input that they come from, without the streams that filters add to it. */
  readonly source?: MediaStream;
}

/** Sound between two filters, or before an encoder. */
export interface AudioLink {
  readonly kind: 'audio';
  readonly sampleRate: number;
  readonly channels: number;
  /** The length; Infinity if something else ends it. */
  readonly seconds: number;
}

export type Link = VideoLink | AudioLink;

/** What is thrown where an estimate would be invented. The message is a sentence for the client. */
export class NoEstimate extends Error {}

/** Throws `NoEstimate` for pictures without a size: of a damaged file, ffprobe says 0 by 0. */
export function requireSize({ width, height }: VideoLink): void {
  if (!(width > 0 && height > 0)) throw new NoEstimate('The input does not say how large its pictures are.');
}
