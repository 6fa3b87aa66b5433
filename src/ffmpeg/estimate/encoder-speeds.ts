/** How much work an encoder has. Measured as docs/decisions says on estimates, in seconds of one core of 2.5 GHz or so. */
export interface EncoderSpeed {
  /** Processor seconds for a megapixel without a preset. */
  readonly usual: number;
  /** The option with the preset. */
  readonly byOption?: string;
  readonly presets?: Readonly<Record<string, number>>;
}

const X264 = {
  ultrafast: 0.011,
  superfast: 0.014,
  veryfast: 0.017,
  faster: 0.026,
  fast: 0.03,
  medium: 0.036,
  slow: 0.052,
  slower: 0.07,
  veryslow: 0.13,
} as const;

const X265 = {
  ultrafast: 0.028,
  superfast: 0.034,
  veryfast: 0.05,
  faster: 0.05,
  fast: 0.058,
  medium: 0.062,
  slow: 0.15,
  slower: 0.5,
} as const;

export const ENCODER_SPEEDS: Readonly<Record<string, EncoderSpeed>> = {
  libx264: { usual: X264.medium, byOption: 'preset', presets: X264 },
  libx265: { usual: X265.medium, byOption: 'preset', presets: X265 },
  'libvpx-vp9': { usual: 0.17, byOption: 'cpu-used', presets: { '1': 0.17, '2': 0.15, '4': 0.1 } },
  libsvtav1: {
    usual: 0.05,
    byOption: 'preset',
    presets: { '6': 0.17, '8': 0.09, '9': 0.06, '10': 0.05, '12': 0.033, '13': 0.03 },
  },
  mpeg4: { usual: 0.012 },
  mpeg2video: { usual: 0.012 },
  mjpeg: { usual: 0.014 },
  prores_ks: { usual: 0.085 },
  ffv1: { usual: 0.026 },
  png: { usual: 0.09 },
  gif: { usual: 0.1 },
  rawvideo: { usual: 0.001 },
};

/** Processor seconds of a megapixel that is decoded, by the codec of the source. */
export const DECODE_SECONDS: Readonly<Record<string, number>> = {
  h264: 0.008,
  hevc: 0.006,
  vp9: 0.006,
  vp8: 0.006,
  av1: 0.007,
  mpeg4: 0.004,
  mpeg2video: 0.004,
  prores: 0.02,
  mjpeg: 0.008,
};
