/** A frame with a lower mean brightness looks black. The brightness of a frame is from 0 to 255. */
const DARK = 16;

/** Whether a frame looks black. undefined: its brightness is not known. */
export const isDark = (light: number | undefined): boolean => light !== undefined && light < DARK;

/** Chooses the first frame that does not look black, or else the brightest one. undefined: there are no frames. */
export function chooseFrame<T extends { readonly light: number | undefined }>(frames: readonly T[]): T | undefined {
  const brightest = frames.toSorted((a, b) => (b.light ?? 0) - (a.light ?? 0))[0];
  return frames.find(({ light }) => !isDark(light)) ?? brightest;
}
