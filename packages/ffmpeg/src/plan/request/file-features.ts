import { wordSet } from '../../allowlist/words.ts';

/** The extensions of files that can have what most files do not have. A probe says whether a file has it. */
const FEATURES = {
  /** Videos whose pixels are often RGB, such as captures and renderings. */
  rgb: wordSet('apng avi gif mkv mov nut png'),
  /** Images whose pixels are always RGB or grey. */
  onlyRgb: wordSet('png apng gif bmp tga qoi ppm pgm pam pcx'),
  transparency: wordSet('png apng gif webp avif tga tif tiff ico dds mov mkv webm'),
  hdr: wordSet('mp4 m4v mov mkv webm ts m2ts mts mxf nut hevc h265 265 avif'),
  /** Further videos that are often in HD and have no tag of a matrix. */
  untagged: wordSet('avi asf flv mpeg mpg ogv vob wmv'),
  /** Audio whose samples are often floating point numbers. */
  float: wordSet('wav w64 rf64 caf aif aiff au'),
  /** Streams without an index; see `isWithoutIndex`. */
  noIndex: wordSet('ts m2ts mts m2t mpg mpeg vob'),
  /** Video streams without a container. They have no times, so a seek loses all frames. */
  noTimes: wordSet(
    '264 h264 h26l avc 265 h265 hevc 266 h266 vvc m1v m2v mpv mjpg mjpeg h261 h263 vc1 drc cavs obu dnxhd dnxhr',
  ),
  /** Images that may be animated. */
  frames: wordSet('gif apng png webp avif'),
} as const;

/** `extension`: in lower case, without the dot. */
export const canHave = (feature: keyof typeof FEATURES, extension: string): boolean => FEATURES[feature].has(extension);
