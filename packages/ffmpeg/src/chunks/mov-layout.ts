import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';

/** Reads bytes of a file: fewer at its end. */
export type ReadBytes = (position: number, length: number) => Promise<Uint8Array>;

/** More boxes are at the top of a file only if it has fragments. */
const MAX_BOXES = 64;

/** The length of the head of a box with a size of 64 bits. */
const HEAD_BYTES = 16;

/**
 * Finds the bytes of an MP4 or MOV file that have its packets. What is around them is the index and other headers. undefined: the
 * file has fragments, or is damaged.
 */
export async function movPackets(read: ReadBytes, fileBytes: number): Promise<ByteRange | undefined> {
  let packets: ByteRange | undefined;
  let hasIndex = false;
  let position = 0;
  for (let count = 0; position < fileBytes && count < MAX_BOXES; count++) {
    const box = readBoxHead(await read(position, HEAD_BYTES), fileBytes - position);
    if (box === undefined || box.type === 'moof') return undefined;
    if (box.type === 'moov') hasIndex = true;
    if (box.type === 'mdat') {
      if (packets !== undefined) return undefined;
      packets = [position + box.headBytes, position + box.bytes];
    }
    position += box.bytes;
  }
  return position === fileBytes && hasIndex ? packets : undefined;
}

/**
 * Reads the head of a box. undefined: it is damaged.
 *
 * @param left The bytes from the start of the box to the end of the file.
 */
export function readBoxHead(head: Uint8Array, left: number) {
  if (head.length < 8) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const short = view.getUint32(0);
  if (short === 1 && head.length < HEAD_BYTES) return undefined;
  const headBytes = short === 1 ? HEAD_BYTES : 8;
  // The size 0 means that the box ends with the file.
  const bytes = short === 0 ? left : short === 1 ? Number(view.getBigUint64(8)) : short;
  if (bytes < headBytes) return undefined;
  return { type: String.fromCharCode(...head.subarray(4, 8)), headBytes, bytes };
}
