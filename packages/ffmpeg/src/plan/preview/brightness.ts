/** A frame with a lower mean brightness looks black. The brightness of a frame is from 0 to 255. */
const DARK = 16;

/** Whether a frame looks black. undefined: its brightness is not known. */
export const isDark = (brightness: number | undefined): boolean => brightness !== undefined && brightness < DARK;

/** Chooses the first frame that does not look black, or else the brightest one. undefined: there are no frames. */
export function chooseFrame<T extends { readonly brightness: number | undefined }>(
  frames: readonly T[],
): T | undefined {
  const brightest = frames.toSorted((a, b) => (b.brightness ?? 0) - (a.brightness ?? 0))[0];
  return frames.find(({ brightness }) => !isDark(brightness)) ?? brightest;
}
