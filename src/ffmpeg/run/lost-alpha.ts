import { inputsWith } from './causes/media-failure.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { hasAlpha, keepAlpha, opaqueFormat, overColour, usesAlpha } from './kept-alpha.ts';
import {
  type ArgvGraph,
  argumentOf,
  inputArgs,
  type MediaFacts,
  optionValue,
  pathOf,
  withField,
} from './media-facts.ts';

/** The decoders that read transparency, which ffmpeg's own decoders of these codecs ignore. */
const DECODERS: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };

/** Codecs that can store transparency. */
const ALPHA_CODECS: ReadonlySet<string> = new Set(
  'prores qtrle png apng vp8 vp9 ffv1 webp utvideo magicyuv rawvideo cfhd hap targa tiff exr dpx sgi bmp wrapped_avframe'.split(
    ' ',
  ),
);

const whyNone = (codec: string): string =>
  codec === 'gif' ? 'a GIF stores it only with a palette' : `the codec ${codec} of the output has none`;

/** Transparency of WebM that the decoder ignored: a logo in a black box. */
export function lostAlpha(facts: MediaFacts, { used, outputStreams }: FinishedPass): readonly RunWarning[] {
  const format = argumentOf(facts, 'pix_fmt') ?? argumentOf(facts, 'pix_fmt:v');
  const isBlended = usesAlpha(facts);
  // A request that names an opaque pixel format, and draws nothing over another picture, does not want the transparency.
  if (format !== undefined && !hasAlpha(format) && !isBlended) return [];
  for (const { input, stream, copied } of used) {
    const report = facts.inputs[input];
    const from = report?.streams.find(({ index }) => index === stream);
    const decoder = DECODERS[from?.codec ?? ''];
    if (report?.alphaStreams?.has(stream) !== true || from === undefined || decoder === undefined || copied) continue;
    if (hasAlpha(from.pixelFormat ?? '') || inputArgs(facts, input).includes(decoder)) continue;
    const { codec = '' } = outputStreams.find(({ type }) => type === 'video') ?? {};
    const isHeld = isBlended || ALPHA_CODECS.has(codec);
    return [
      {
        code: 'PIXEL_FORMAT_CHANGED',
        message: `The transparency of ${pathOf(facts, input)} is lost: ffmpeg's own decoder of ${from.codec} ignores it${isHeld ? '' : `, and ${whyNone(codec)}`}.`,
        fix: `Send "inputs": ${JSON.stringify(inputsWith(facts, input, { 'c:v': decoder }))}, with the other parameters of the inputs.${isHeld ? '' : ` ${keepAlpha(facts)} If it is not needed, send only "pix_fmt": "${opaqueFormat(codec)}".`}`,
      },
    ];
  }
  return [];
}

type Filter = ArgvGraph['filters'][number];

const KEYS: ReadonlySet<string> = new Set('colorkey chromakey hsvkey lumakey backgroundkey alphamerge'.split(' '));

/** Whether a filter cuts something out of its background: by a colour, or by a mask. */
export const cutsOut = ({ name }: Pick<Filter, 'name'>): boolean => KEYS.has(name);

/** Whether a filter makes parts of the picture transparent. */
const makesAlpha = (filter: Filter): boolean =>
  cutsOut(filter) ||
  (filter.name === 'fade' && /^(?:1|true)$/.test(optionValue(filter, 'alpha') ?? '')) ||
  (filter.name === 'colorchannelmixer' && optionValue(filter, 'aa') !== undefined) ||
  (filter.name === 'geq' && optionValue(filter, 'alpha_expr', 'a') !== undefined);

/** Transparency that a filter makes, and that the output does not store: `colorkey` into H.264 changes nothing. */
export function unstoredAlpha(facts: MediaFacts, { used, outputStreams }: FinishedPass): readonly RunWarning[] {
  const copies = new Set(used.flatMap(({ output, copied }) => (copied ? (output ?? []) : [])));
  const pictures = outputStreams.filter(({ type, index }) => type === 'video' && !copies.has(index));
  // A palette can have a transparent colour.
  const isStored = pictures.some(({ pixelFormat = 'pal8' }) => hasAlpha(pixelFormat) || pixelFormat === 'pal8');
  if (pictures.length === 0 || isStored || usesAlpha(facts)) return [];
  for (const graph of facts.graphs) {
    const filter = graph.filters.find(makesAlpha);
    if (filter === undefined) continue;
    const { codec = '', pixelFormat } = pictures[0] ?? {};
    const isHeld = ALPHA_CODECS.has(codec);
    const colour = overColour(facts, graph, filter);
    return [
      withField(facts, graph.key, {
        code: 'PIXEL_FORMAT_CHANGED',
        message: `The transparency that the filter ${filter.name} makes is lost: ${isHeld ? `the pixel format ${pixelFormat} has none` : whyNone(codec)}.`,
        fix:
          codec === 'gif'
            ? keepAlpha(facts)
            : `${keepAlpha(facts)}${colour === undefined ? ' To show the picture over another one, use the filter overlay.' : ` For a white background, send ${colour} instead.`}`,
      }),
    ];
  }
  return [];
}
