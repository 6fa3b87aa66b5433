/** S3 allows parts from 5 MiB on, and 10,000 parts. Larger parts need fewer requests and more memory. */
const MIN_PART_BYTES = 8 * 2 ** 20;

/** Less than 10,000, so that a file that is larger than declared still fits. */
const MAX_PARTS = 9000;

/** Parts of a file of unknown size from `GROWTH_FROM` on: all parts together then allow 440 GB. */
const LARGE_PART_BYTES = 64 * 2 ** 20;
const GROWTH_FROM = 4000;

/** The size of the part with the index `index`. `sizeBytes`: the size of the file, if known. */
export function partSize(index: number, sizeBytes: number | undefined): number {
  if (sizeBytes === undefined) return index < GROWTH_FROM ? MIN_PART_BYTES : LARGE_PART_BYTES;
  return Math.max(MIN_PART_BYTES, Math.ceil(sizeBytes / MAX_PARTS));
}
