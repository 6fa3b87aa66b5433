import { type EstimatedRange, rangeAround, type SizeBasis } from '../../domain/estimate.ts';
import { readNumber } from '../values/number.ts';
import { type CommandOptions, ofStream } from './command.ts';
import { bitRateOf } from './input-streams.ts';
import { NoEstimate } from './link.ts';
import type { OutputStream } from './output-streams.ts';

/** Bits of a second of a stream, and how they were found. */
export interface StreamRate {
  readonly bitsPerSecond: EstimatedRange;
  readonly basis: SizeBasis;
}

/** Bits per second of stereo that encoders write without an option: defaults of ffmpeg 5.1 to 8, for two channels. */
const DEFAULT_RATES: Readonly<Record<string, number>> = {
  aac: 128_000,
  libfdk_aac: 128_000,
  libmp3lame: 128_000,
  libopus: 96_000,
  opus: 96_000,
  libvorbis: 112_000,
  mp2: 384_000,
  eac3: 192_000,
  ac3: 192_000,
};

/** Encoders whose default grows with the channels. The others have one for all layouts. */
const PER_CHANNEL: ReadonlySet<string> = new Set(['aac', 'libfdk_aac', 'libopus', 'libvorbis', 'ac3', 'eac3']);

/** Bits per second of stereo by `q:a` of LAME, from its manual (-V). */
const LAME_VBR = [245, 225, 190, 175, 165, 130, 115, 100, 85, 65].map((kilobits) => kilobits * 1000);
/** The same of libvorbis for -q 0 to 10, from the manual of oggenc. */
const VORBIS_VBR = [64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 500].map((kilobits) => kilobits * 1000);

const BITS: Readonly<Record<string, number>> = {
  pcm_u8: 8,
  pcm_s8: 8,
  pcm_mulaw: 8,
  pcm_alaw: 8,
  adpcm_ima_wav: 4,
  adpcm_ms: 4,
};

/** How many times larger or smaller than its bit rate sound of variable rate is: of ten files, about eight are between. */
const VARIABLE = 1.5;
const CONSTANT = 1.04;
/** Lossless sound has between a quarter and three quarters of its samples. */
const LOSSLESS = { flac: 0.48, alac: 0.5, tta: 0.49, wavpack: 0.49 } as const;

/** Estimates the rate of a stream of sound. Throws `NoEstimate` for encoders without a row. */
export function audioRate(stream: OutputStream & { readonly kind: 'audio' }, options: CommandOptions): StreamRate {
  const { encoder, sampleRate, channels, index, from } = stream;
  if (encoder === 'copy') {
    const rate = from && bitRateOf(from.stream, from.input.media);
    if (rate === undefined) throw new NoEstimate('The input does not say the bit rate of a sound that is copied.');
    return { bitsPerSecond: rangeAround(rate, CONSTANT), basis: 'copy' };
  }
  const samples = sampleRate * channels;
  const pcm = BITS[encoder] ?? Number(/^pcm_[suf](\d+)/.exec(encoder)?.[1]);
  if (pcm > 0) return { bitsPerSecond: rangeAround(samples * pcm, 1.01), basis: 'format' };
  const lossless = LOSSLESS[encoder as keyof typeof LOSSLESS];
  if (lossless !== undefined) {
    const bits = samples * (from?.stream.sampleFormat?.startsWith('s32') === true ? 24 : 16);
    return { bitsPerSecond: rangeAround(bits * lossless, 1.6), basis: 'model' };
  }
  const rate = readNumber(ofStream(options, 'b', 'a', index) ?? '');
  if (rate !== undefined && rate > 0) {
    const isVariable = encoder === 'libopus' || encoder === 'libvorbis';
    return { bitsPerSecond: rangeAround(rate, isVariable ? VARIABLE : 1.08), basis: 'bitRate' };
  }
  const quality = Number(ofStream(options, 'q', 'a', index) ?? Number.NaN);
  const scale = encoder === 'libmp3lame' ? LAME_VBR : encoder === 'libvorbis' ? VORBIS_VBR : undefined;
  const byQuality = Number.isNaN(quality) ? undefined : scale?.[Math.round(quality)];
  const share = channels / 2;
  if (byQuality !== undefined)
    return { bitsPerSecond: rangeAround(byQuality * Math.min(1, share), VARIABLE), basis: 'model' };
  const usual = DEFAULT_RATES[encoder];
  if (usual === undefined || !Number.isNaN(quality))
    throw new NoEstimate(`The sizes of sound from the encoder "${encoder}" are not estimated.`);
  const isVariable = encoder === 'libopus' || encoder === 'libvorbis';
  const likely = PER_CHANNEL.has(encoder) ? usual * (channels === 1 ? 0.55 : share) : usual;
  return { bitsPerSecond: rangeAround(likely, isVariable ? VARIABLE : 1.1), basis: 'bitRate' };
}
