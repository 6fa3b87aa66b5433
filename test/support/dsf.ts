/** A DSF file, which no ffmpeg writes: DSD of silence, one channel of 4096 bytes. */
export function dsfFile(): Buffer {
  const data = Buffer.alloc(4096, 0x69);
  const file = Buffer.alloc(92 + data.length);
  file.write('DSD ', 0);
  file.writeBigUInt64LE(28n, 4);
  file.writeBigUInt64LE(BigInt(file.length), 12);
  file.write('fmt ', 28);
  file.writeBigUInt64LE(52n, 32);
  for (const [at, value] of [
    [40, 1],
    [44, 0],
    [48, 1],
    [52, 1],
    [56, 2_822_400],
    [60, 1],
    [72, 4096],
  ] as const)
    file.writeUInt32LE(value, at);
  file.writeBigUInt64LE(BigInt(data.length * 8), 64);
  file.write('data', 80);
  file.writeBigUInt64LE(BigInt(12 + data.length), 84);
  data.copy(file, 92);
  return file;
}
