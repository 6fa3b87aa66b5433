import type { FrameSize } from '@telecine/contract/domain/sampling.ts';
import type { Try } from './curve.ts';

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

/** The tries of each frame size, in the order of the tries. */
export const bySize = (tries: readonly Try[]) =>
  [...Map.groupBy(tries, ({ size }) => size && sizeName(size)).values()].flatMap((ofSize) => {
    const size = ofSize[0]?.size;
    return size === undefined ? [] : [{ size, ofSize }];
  });

export const kilobits = (bitsPerSecond: number): number => Math.round(bitsPerSecond / 1000);
