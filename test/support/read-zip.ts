import { crc32 } from 'node:zlib';

/** A file in a zip. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
/** The number that stands for one that is in the ZIP64 fields. */
const IN_ZIP64 = 0xffffffff;

/** Reads a zip without compression by its central directory, as unzip does. Throws if a checksum or a size is wrong. */
export function readZip(zip: Buffer): readonly ZipEntry[] {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Error('The zip has no end record.');
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  for (let i = 0; i < count; i += 1) {
    if (zip.readUInt32LE(at) !== CENTRAL) throw new Error(`Entry ${i} is not in the central directory.`);
    const [method, sum] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16)];
    const [stored, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)];
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const offset = zip.readUInt32LE(at + 42);
    if (method !== 0 || stored !== size || size === IN_ZIP64) throw new Error('The entry is compressed, or ZIP64.');
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const begin = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
    const content = zip.subarray(begin, begin + size);
    if (crc32(content) !== sum) throw new Error(`The checksum of ${name} is wrong.`);
    entries.push({ name, content });
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (noteLength ?? 0);
  }
  return entries;
}
