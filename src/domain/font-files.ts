import { extension, type MediaPath } from './media-path.ts';

/**
 * The folder of the fonts among the inputs, as an argv names it. They have one of their own, because `fontsdir` of the
 * filters `subtitles` and `ass` names a folder, of which libass reads every file.
 */
export const FONTS_FOLDER = 'in/fonts';

const FONTS: ReadonlySet<string> = new Set(['ttf', 'otf', 'ttc', 'otc', 'pfb', 'woff', 'woff2']);

/** Whether a path is that of a font, by its extension. */
export const isFontFile = (path: MediaPath): boolean => FONTS.has(extension(path).toLowerCase());
