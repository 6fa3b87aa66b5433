/** The generator polynomial of the checksum of Ogg (RFC 3533). */
const POLYNOMIAL = 0x04c11db7;

/** The checksum of a page whose own field is 0. */
function checksum(page: Buffer): number {
  let sum = 0;
  for (const byte of page) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) sum = sum < 0 ? (sum << 1) ^ POLYNOMIAL : sum << 1;
  }
  return sum >>> 0;
}

/**
 * Fills the pages of the Vorbis sound of an Ogg file with empty packets, as a broken writer did: decoders reject them, and
 * demuxers count them as time.
 */
export function withEmptyPackets(file: Buffer): Buffer {
  const pages: Buffer[] = [];
  const sounds = new Set<number>();
  for (let at = 0; at < file.length; ) {
    const count = file.readUInt8(at + 26);
    const lacing = file.subarray(at + 27, at + 27 + count);
    const data = file.subarray(at + 27 + count, at + 27 + count + lacing.reduce((sum, size) => sum + size, 0));
    const [serial, number] = [file.readUInt32LE(at + 14), file.readUInt32LE(at + 18)];
    if (data.subarray(1, 7).toString('latin1') === 'vorbis') sounds.add(serial);
    // The first pages are headers.
    const added = sounds.has(serial) && number > 1 && (file.readUInt8(at + 5) & 1) === 0 ? 255 - count : 0;
    const head = Buffer.from(file.subarray(at, at + 27));
    head.writeUInt8(count + added, 26);
    head.writeUInt32LE(0, 22);
    const page = Buffer.concat([head, Buffer.alloc(added), lacing, data]);
    page.writeUInt32LE(checksum(page), 22);
    pages.push(page);
    at += 27 + count + data.length;
  }
  return Buffer.concat(pages);
}
