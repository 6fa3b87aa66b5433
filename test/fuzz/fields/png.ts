import { crc32 } from 'node:zlib';
import type { Field } from './field.ts';

interface PngChunk {
  readonly kind: string;
  readonly at: number;
  readonly size: number;
}

function pngChunks(bytes: Buffer): readonly PngChunk[] {
  const found: PngChunk[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    found.push({ kind: bytes.toString('latin1', at + 4, at + 8), at, size });
    at += 12 + size;
  }
  return found;
}

/** The sizes of chunks, and the numbers in IHDR, acTL and fcTL. */
export const png = (bytes: Buffer): readonly Field[] =>
  pngChunks(bytes).flatMap(({ kind, at }): readonly Field[] => [
    { name: `size of ${kind}`, at, length: 4 },
    ...(kind === 'IHDR'
      ? [
          { name: 'width', at: at + 8, length: 4 },
          { name: 'height', at: at + 12, length: 4 },
          { name: 'depth', at: at + 16, length: 1 },
          { name: 'colour type', at: at + 17, length: 1 },
          { name: 'interlace', at: at + 20, length: 1 },
        ]
      : []),
    ...(kind === 'acTL' || kind === 'fcTL'
      ? [8, 12].map((o) => ({ name: `number in ${kind}`, at: at + o, length: 4 }))
      : []),
  ]);

/** Corrects the checksums, so that a decoder reads the changed numbers. */
export function repairPng(bytes: Buffer): void {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return;
  for (const { at, size } of pngChunks(bytes))
    if (at + 12 + size <= bytes.length)
      bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, at + 8 + size)), at + 8 + size);
}
