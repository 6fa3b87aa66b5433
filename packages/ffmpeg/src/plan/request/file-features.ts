import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
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
  /** Images that may be animated. */
  frames: wordSet('gif apng png webp avif'),
} as const;

export type FileFeature = keyof typeof FEATURES;

export const canHave = (feature: FileFeature, path: MediaPath): boolean => FEATURES[feature].has(extension(path));
