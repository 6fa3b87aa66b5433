import type { FieldError } from '../../domain/problem.ts';

/**
 * ffmpeg renders SVG files with librsvg, which opens other files that an SVG file names. The demuxer for SVG,
 * `svg_pipe`, is not allowed. But ffmpeg also renders SVG if the demuxer `image2` reads a file with one of these
 * extensions, or if a request names the decoder.
 */
const EXTENSIONS: ReadonlySet<string> = new Set(['svg', 'svgz']);
const DECODERS: ReadonlySet<string> = new Set(['librsvg', 'svg']);

const FIX = 'Convert the drawing to PNG first, and send that.';

/** The error for an input with the extension of a drawing, in small letters; undefined for other extensions. */
export const drawingError = (fileExtension: string): Omit<FieldError, 'field'> | undefined =>
  EXTENSIONS.has(fileExtension)
    ? { code: 'UNSUPPORTED_FORMAT', message: `SVG drawings (".${fileExtension}") are not supported.`, fix: FIX }
    : undefined;

/** The error for a decoder of drawings; undefined for other decoders. */
export const drawingDecoderError = (name: string): Omit<FieldError, 'field'> | undefined =>
  DECODERS.has(name)
    ? {
        code: 'OPTION_NOT_ALLOWED',
        message: `The decoder "${name}" reads SVG drawings, which are not supported.`,
        fix: FIX,
      }
    : undefined;
