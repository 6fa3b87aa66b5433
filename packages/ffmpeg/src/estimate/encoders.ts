/** What is assumed of an encoder before jobs have shown it, for a core of about 2.5 GHz and usual videos. */
interface EncoderRow {
  /** Processor seconds for one megapixel with the default preset. */
  readonly seconds: number;
  /** The default of `preset` or `cpu-used`. */
  readonly preset?: string;
  /** The option of the quality, and the value at which a video of 640x360 at 24 frames per second has `bits` for a pixel. */
  readonly quality?: string;
  readonly at?: number;
  readonly bits?: number;
  /** By how many powers of two the size changes with one step of the quality or, of `q`, when it doubles. */
  readonly step?: number;
  /** true: it encodes at `at` if no option sets a quality or a bit rate. */
  readonly isUsual?: true;
}

export const ENCODERS: Readonly<Record<string, EncoderRow>> = {
  libx264: { seconds: 0.036, preset: 'medium', quality: 'crf', at: 23, bits: 0.07, step: -0.196, isUsual: true },
  libx265: { seconds: 0.062, preset: 'medium', quality: 'crf', at: 28, bits: 0.034, step: -0.13, isUsual: true },
  'libvpx-vp9': { seconds: 0.17, preset: '1', quality: 'crf', at: 32, bits: 0.066, step: -0.1, isUsual: true },
  libsvtav1: { seconds: 0.05, preset: '10', quality: 'crf', at: 35, bits: 0.048, step: -0.085 },
  mpeg4: { seconds: 0.006, quality: 'q', at: 5, bits: 0.135, step: -0.83 },
  mpeg2video: { seconds: 0.012, quality: 'q', at: 5, bits: 0.165, step: -0.86 },
  mjpeg: { seconds: 0.014, quality: 'q', at: 5, bits: 0.6, step: -0.65, isUsual: true },
  png: { seconds: 0.09, bits: 11, isUsual: true },
  gif: { seconds: 0.012, bits: 1.2, isUsual: true },
  prores_ks: { seconds: 0.085, quality: 'profile', bits: 2.9, isUsual: true },
  ffv1: { seconds: 0.026, bits: 7, isUsual: true },
  rawvideo: { seconds: 0.001, bits: 12, isUsual: true },
};

/** The default bit rates of audio encoders for two channels, in bit/s. */
export const AUDIO_RATES: Readonly<Record<string, number>> = {
  ...{ aac: 128_000, libfdk_aac: 128_000, libmp3lame: 128_000, libopus: 96_000, opus: 96_000, libvorbis: 112_000 },
  ...{ mp2: 384_000, eac3: 192_000, ac3: 192_000 },
};
