/** The values that a request may send for a flag: an option of ffmpeg that takes no argument. */
export const FLAG_VALUES: readonly string[] = ['', 'true', 'false'];

/** Reads the sent value of a flag. Returns undefined if it is none of `FLAG_VALUES`. */
export function readFlag(value: unknown): boolean | undefined {
  if (value === '' || value === 'true') return true;
  return value === 'false' ? false : undefined;
}
