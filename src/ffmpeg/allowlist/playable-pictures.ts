/** Containers for editing. */
const FOR_EDITING: ReadonlySet<string> = new Set(['mxf', 'mxf_opatom', 'gxf', 'nut']);

/** Profiles of H.264 and H.265 for more colours than 4:2:0 with 8 bits. */
const DEEP_PROFILE = /10|12|16|422|444|rext|\bmain-?still/i;

/**
 * Whether a request says which pixel format it means. One that few players show is then no mistake.
 *
 * @param options Each with its name in the argv, such as `profile:v`, and its value.
 * @param filters The names of all filters.
 */
export const asksForPixelFormat = (
  muxer: string,
  options: readonly (readonly [key: string, value: string])[],
  filters: readonly string[],
): boolean =>
  FOR_EDITING.has(muxer) ||
  filters.includes('format') ||
  options.some(
    ([key, value]) =>
      /^(?:pix_fmt|target)(?::|$)/.test(key) || (/^profile(?::v|$)/.test(key) && DEEP_PROFILE.test(value)),
  );
