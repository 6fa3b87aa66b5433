import { seededChoices } from '../faults/soak/seeded-choices.ts';

/** 16-bit samples of one channel. */
const [RATE, BYTES_PER_SAMPLE] = [8000, 2] as const;

/** The length of the header that `soundOf` writes. */
const HEADER_BYTES = 44;

/**
 * A WAV file with noise. Another seed makes another sound, so that a conversion to `pcm_s16le` shows from which file it comes, and whether that
 * was whole: ffmpeg reads a file that is cut off as a shorter sound.
 */
export function soundOf(seed: number, seconds = 0.25): Buffer {
  const chance = seededChoices(seed);
  const samples = Buffer.alloc(Math.round(seconds * RATE) * BYTES_PER_SAMPLE);
  for (let at = 0; at < samples.length; at += BYTES_PER_SAMPLE)
    samples.writeInt16LE(Math.floor(chance.between(-20_000, 20_000)), at);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

function samplesOf(wav: Buffer): Buffer {
  for (let at = 12; at + 8 <= wav.length; ) {
    const size = wav.readUInt32LE(at + 4);
    if (wav.toString('latin1', at, at + 4) === 'data') return wav.subarray(at + 8, at + 8 + size);
    at += 8 + size + (size % 2);
  }
  throw new Error('The WAV file has no samples.');
}

/** Whether two WAV files have the same samples. */
export const soundSame = (one: Buffer, other: Buffer): boolean => samplesOf(one).equals(samplesOf(other));
