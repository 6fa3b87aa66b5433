import { inputFix } from './causes/media-failure.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { inputArgs, type MediaFacts, pathOf } from './media-facts.ts';

/** The decoders that read transparency, which ffmpeg's own decoders of these codecs ignore. */
const DECODERS: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };

const ALPHA = /^(?:yuva|gbrap|rgba|bgra|argb|abgr|ya)/;
/** Filters that make use of transparency. */
const BLENDING: ReadonlySet<string> = new Set(
  'overlay alphaextract premultiply unpremultiply maskedmerge blend xstack'.split(' '),
);

/** Transparency of WebM that the decoder ignored: a logo in a black box. */
export function lostAlpha(facts: MediaFacts, { used }: FinishedPass): readonly RunWarning[] {
  const isBlended = facts.graphs.some(({ filters }) => filters.some(({ name }) => BLENDING.has(name)));
  // A request that names a pixel format, and draws nothing over another picture, does not want the transparency.
  if (facts.argv.includes('-pix_fmt') && !isBlended) return [];
  for (const { input, stream, copied } of used) {
    const report = facts.inputs[input];
    const from = report?.streams.find(({ index }) => index === stream);
    const decoder = DECODERS[from?.codec ?? ''];
    if (report?.alphaStreams?.has(stream) !== true || from === undefined || decoder === undefined || copied) continue;
    if (ALPHA.test(from.pixelFormat ?? '') || inputArgs(facts, input).includes(decoder)) continue;
    return [
      {
        code: 'PIXEL_FORMAT_CHANGED',
        message: `The transparency of ${pathOf(facts, input)} is lost: ffmpeg's own decoder of ${from.codec} ignores it.`,
        fix: `Send ${inputFix(facts, input, { 'c:v': decoder })}, with the other parameters of the inputs.`,
      },
    ];
  }
  return [];
}
