/**
 * The scale of a quality option and its usual values, for advice about a number beyond the scale. What a search for a quality tries is in
 * `quality/search-scales.ts`.
 */
export interface UsualQuality {
  readonly min: number;
  readonly max: number;
  /** Names for `min` and `max`. Default: `the best quality` and `the worst`. */
  readonly ends?: readonly [atMin: string, atMax: string];
  /** Usual values: `18 to 28`. */
  readonly usual: string;
  /** The value to send: the default of the encoder, or the value that its documentation recommends. */
  readonly send: string;
}

const UPWARDS = ['the worst quality', 'the best'] as const;
const EFFORT = ['the fastest', 'the smallest file'] as const;

const scale = (min: number, max: number, usual: string, send: string, ends?: UsualQuality['ends']): UsualQuality => ({
  min,
  max,
  usual,
  send,
  ...(ends !== undefined && { ends }),
});

export const X264_QUALITY = scale(0, 51, '18 to 28', '23');
/** Of video with 8 bits. With 10 bits, it ends at 81. */
export const X264_QP = scale(0, 69, '18 to 28', '23');
export const X265_QUALITY = scale(0, 51, '20 to 32', '28');
export const AV1_QUALITY = scale(0, 63, '20 to 40', '30');
export const SVTAV1_QUALITY = scale(0, 63, '20 to 45', '35');
const VP8_QUALITY = scale(4, 63, '4 to 20', '10');
const VP9_QUALITY = scale(0, 63, '15 to 35', '31');
/** The quantizer scale of MPEG-4, MPEG-2, JPEG and related codecs. */
export const MPEG_QUANTIZER = scale(2, 31, '2 to 6', '3');

/** The scales by encoder and option (without stream specifier). The numbers are from ffmpeg's wiki and the help of each encoder. */
const USUAL_QUALITIES: Readonly<Record<string, Readonly<Record<string, UsualQuality>>>> = {
  libx264: { crf: X264_QUALITY, crf_max: X264_QUALITY, qp: X264_QP },
  libx264rgb: { crf: X264_QUALITY, crf_max: X264_QUALITY, qp: X264_QP },
  libx265: { crf: X265_QUALITY, qp: X265_QUALITY },
  libvpx: { crf: VP8_QUALITY },
  'libvpx-vp9': { crf: VP9_QUALITY },
  'libaom-av1': { crf: AV1_QUALITY },
  libsvtav1: { crf: SVTAV1_QUALITY, qp: SVTAV1_QUALITY },
  librav1e: { qp: scale(0, 255, '60 to 120', '80') },
  libwebp: { quality: scale(0, 100, '70 to 90', '75', UPWARDS) },
  libwebp_anim: { quality: scale(0, 100, '70 to 90', '75', UPWARDS) },
  libjxl: { distance: scale(0, 15, '0.5 to 3', '1'), effort: scale(1, 9, '3 to 9', '7', EFFORT) },
  libspeex: { cbr_quality: scale(0, 10, '5 to 10', '8', UPWARDS) },
  libmp3lame: { q: scale(0, 9, '0 to 5', '2') },
  flac: { compression_level: scale(0, 12, '5 to 8', '8', EFFORT) },
};

export const usualQuality = (encoder: string, option: string): UsualQuality | undefined =>
  USUAL_QUALITIES[encoder]?.[option];

/** A scale in words: `0 is the best quality, 51 the worst, and 18 to 28 are usual`. */
export const scaleText = ({
  min,
  max,
  usual,
  ends: [atMin, atMax] = ['the best quality', 'the worst'],
}: UsualQuality) => `${min} is ${atMin}, ${max} ${atMax}, and ${usual} are usual`;
