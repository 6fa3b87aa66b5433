import type { FrameSize } from '@telecine/contract/domain/sampling.ts';

/** A share of a size, with even sides. */
export function evenSize({ width, height }: FrameSize, share: number): FrameSize {
  const even = (side: number): number => Math.max(2, 2 * Math.floor((side * share) / 2 + 1e-9));
  return { width: even(width), height: even(height) };
}

/** Sizes of the shape of a source whose shorter side has a least length, and the first `least` of them in any case. */
export const sizesOf = (source: FrameSize, shares: readonly number[], leastSide: number, least = 1) =>
  shares
    .map((share) => evenSize(source, share))
    .filter(({ width, height }, index) => index < least || Math.min(width, height) >= leastSide);

export const sizeName = ({ width, height }: FrameSize): string => `${width}x${height}`;

export const kilobits = (bitsPerSecond: number): number => Math.round(bitsPerSecond / 1000);
