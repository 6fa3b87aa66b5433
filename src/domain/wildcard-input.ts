/** Pictures that ffmpeg reads as a sequence. */
export const PICTURES = /\.(?:jpe?g|png|bmp|tiff?|webp|tga|ppm|pgm|exr|dpx)$/i;

/** What is wrong with a missing input whose name has a wildcard, and what to do. */
export interface WildcardAdvice {
  /** The rest of a sentence about the input. */
  readonly reason: string;
  /** Whether the option `pattern_type` of the input makes the service read it. */
  readonly isSequence: boolean;
}

/** The advice for a missing input. undefined if its name has no `*` and no `?`. */
export function wildcardAdvice(path: string): WildcardAdvice | undefined {
  if (!/[*?]/.test(path.slice(path.lastIndexOf('/') + 1))) return undefined;
  return PICTURES.test(path)
    ? { reason: 'its wildcard is read only with "pattern_type": "glob"', isSequence: true }
    : { reason: 'wildcards are read only in names of pictures', isSequence: false };
}

/** The fix for an input with a wildcard that is no sequence. */
export const EACH_FILE =
  'Send the names of the files: in "inputs" for one output of all of them, or a request for each.';
