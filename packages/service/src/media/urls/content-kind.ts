/** How many bytes of the start of a file `contentKind` needs. */
export const HEAD_BYTES = 4096;

/**
 * Matches the XML before the first element. A comment ends at its first `-->`: without this rule, many comments would
 * make the match slow.
 */
const PROLOGUE = String.raw`(?:<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->|\s)*`;

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^#EXTM3U/, 'an HLS playlist'],
  [new RegExp(`^${PROLOGUE}<MPD[\\s>]`), 'a DASH manifest'],
  [new RegExp(`^${PROLOGUE}<SmoothStreamingMedia[\\s>]`), 'a Smooth Streaming manifest'],
  [/^ffconcat version /, 'a list of files for ffmpeg (concat)'],
  [/^(?:#[^\n]*\n|\s)*file\s+(?:'[^'\n]+'|\S+)\s*(?:\n|$)/, 'a list of files for ffmpeg (concat)'],
  [/^v=0\r?\no=/, 'a description of a stream (SDP)'],
  [/^\[playlist\]/i, 'a playlist (PLS)'],
  [new RegExp(`^${PROLOGUE}<(?:!doctype\\s+html|html)[\\s>]`, 'i'), 'a web page'],
];

/**
 * Returns what a file is if it contains no media but refers to other files, such as "an HLS playlist". Decides by the
 * first bytes. undefined: the file may be media.
 */
export function contentKind(head: Uint8Array): string | undefined {
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  return KINDS.find(([pattern]) => pattern.test(text))?.[1];
}
