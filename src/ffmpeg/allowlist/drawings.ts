import type { FieldError } from '../../domain/problem.ts';

/**
 * SVG is a program for a library (librsvg) that opens what a file names. ffmpeg reaches it by the demuxer `svg_pipe`,
 * which is not an allowed format, but also by the extension of a file that the demuxer `image2` reads, and by the
 * decoder's name.
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
