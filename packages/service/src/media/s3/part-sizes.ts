const MIB = 2 ** 20;

/**
 * The minimum size of the parts of an upload by a client. S3 requires 5 MiB. Each upload has up to three parts in
 * memory, one that arrives and two that are sent. Clients run many uploads at the same time, so these parts are smaller
 * than those of outputs. Do not change this size: resumable uploads that are open during an upgrade continue at its
 * multiples.
 */
const MIN_UPLOAD_PART_BYTES = 8 * MIB;

/** S3 allows 10,000 parts. 1,000 of them are left for a file that is larger than declared. */
const MAX_UPLOAD_PARTS = 9000;

/**
 * The size of the parts of an upload of unknown size, from the part number `GROWTH_FROM` on. Such a file can have up to
 * 440 GB.
 */
const LARGE_PART_BYTES = 64 * MIB;
const GROWTH_FROM = 4000;

/**
 * Returns the size of a part of an upload by a client, in bytes. `index`: the number of the part, from 0. `sizeBytes`:
 * the size of the file. undefined: the size is unknown.
 */
export function uploadPartBytes(index: number, sizeBytes: number | undefined): number {
  if (sizeBytes === undefined) return index < GROWTH_FROM ? MIN_UPLOAD_PART_BYTES : LARGE_PART_BYTES;
  return Math.max(MIN_UPLOAD_PART_BYTES, Math.ceil(sizeBytes / MAX_UPLOAD_PARTS));
}

/**
 * The minimum size of the parts of an output. Few jobs run at the same time, and each limits its parts in memory. With
 * 16 MiB, an output takes as much processor time as a single `PutObject`. With 8 MiB, it takes a seventh more.
 */
export const MIN_PART_BYTES = 16 * MIB;

/**
 * S3 allows 10,000 parts, but one list returns only 1000. With this limit, another process that completes the upload
 * needs only one list.
 */
const MAX_OUTPUT_PARTS = 1000;

/** Returns the size of the parts of an output, in bytes. `sizeBytes`: the size of the file. */
export const outputPartBytes = (sizeBytes: number): number =>
  Math.max(MIN_PART_BYTES, Math.ceil(sizeBytes / MAX_OUTPUT_PARTS));
