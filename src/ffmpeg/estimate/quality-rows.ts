/** How large an encoder makes pictures by its quality. Measured as docs/decisions says on estimates. */
export interface QualityRow {
  /** Its options for the quality, the strongest first. */
  readonly options: readonly string[];
  /** The quality without an option. Absent if the encoder then aims at a bit rate. */
  readonly usual?: number;
  /** The quality of `bitsPerPixel`. */
  readonly at: number;
  /** For a film of 640x360 at 24 frames a second, of which the source says that it is neither simple nor hard. */
  readonly bitsPerPixel: number;
  /** What a step of the quality, or with `isRatio` twice the quality, adds, in powers of two. */
  readonly perStep: number;
  readonly isRatio?: true;
  /** What presets add, in powers of two. */
  readonly presets?: Readonly<Record<string, number>>;
}

export const QUALITY_ROWS: Readonly<Record<string, QualityRow>> = {
  libx264: {
    options: ['crf'],
    usual: 23,
    at: 23,
    bitsPerPixel: 0.07,
    perStep: -0.196,
    presets: {
      ultrafast: 1.5,
      superfast: 0.7,
      veryfast: -0.22,
      faster: -0.03,
      fast: 0.03,
      slow: -0.04,
      slower: -0.02,
      veryslow: -0.14,
    },
  },
  libx265: {
    options: ['crf'],
    usual: 28,
    at: 28,
    bitsPerPixel: 0.0335,
    perStep: -0.13,
    presets: { ultrafast: -0.24, superfast: -0.1, veryfast: -0.07, faster: -0.04, slow: 0.13, slower: 0.2 },
  },
  'libvpx-vp9': { options: ['crf'], usual: 32, at: 31, bitsPerPixel: 0.071, perStep: -0.1 },
  libsvtav1: {
    options: ['crf'],
    at: 35,
    bitsPerPixel: 0.048,
    perStep: -0.085,
    presets: { '6': -0.15, '7': -0.12, '8': -0.09, '12': 0.04 },
  },
  mpeg4: { options: ['q'], at: 5, bitsPerPixel: 0.135, perStep: -0.83, isRatio: true },
  mpeg2video: { options: ['q'], at: 5, bitsPerPixel: 0.165, perStep: -0.86, isRatio: true },
};

/** How large pictures are that are encoded one by one. */
export interface PictureRow {
  readonly bitsPerPixel: number;
  /** The value of `q` that `bitsPerPixel` is for, and what twice that adds, in powers of two. */
  readonly at?: number;
  readonly perDoubling?: number;
}

export const PICTURE_ROWS: Readonly<Record<string, PictureRow>> = {
  mjpeg: { bitsPerPixel: 0.6, at: 5, perDoubling: -0.65 },
  png: { bitsPerPixel: 11 },
  gif: { bitsPerPixel: 1.2 },
};
