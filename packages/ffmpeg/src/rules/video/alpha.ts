import { withExtension } from '@telecine/contract/domain/media-path.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import { wordSet } from '../../allowlist/words.ts';
import { type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import { pixelFormatChanged, type Rules } from '../contexts.ts';
import { convertedStreams, isCopied, ofKind } from '../facts/converted-streams.ts';
import { namesFiles } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue, RESIZING } from '../facts/media-facts.ts';

export const hasAlpha = (pixelFormat: string): boolean =>
  /^(?:yuva|gbrap|rgba|bgra|argb|abgr|ya\d|ayuv|vuya)/.test(pixelFormat);

/** Filters that put one video over another, or read its transparency. After such a filter, an opaque output may be intended. */
const BLENDING = /^(?:overlay|alphaextract|premultiply|unpremultiply|maskedmerge|blend|xstack)$/;

export const opaqueFormat = (codec: string): string => OPAQUE[codec] ?? 'yuv420p';

const OPAQUE: Readonly<Record<string, string>> = { mjpeg: 'yuvj420p', dnxhd: 'yuv422p', gif: 'rgb8' };

const PRORES = { 'c:v': 'prores_ks', 'profile:v': '4444', pix_fmt: 'yuva444p10le' } as const;
const VP9 = { 'c:v': 'libvpx-vp9', pix_fmt: 'yuva420p' } as const;
const IMAGES = new Set(['image2', 'image2pipe', 'mjpeg', 'avif']);

/** Returns the options that store transparency. `extension`: the container to send, if that of the request cannot store it. */
function keeperOf(muxer: string): Readonly<{ extension?: string; parameters: Readonly<Record<string, string>> }> {
  if (muxer === 'mov') return { parameters: PRORES };
  if (muxer === 'webm' || muxer === 'matroska') return { parameters: VP9 };
  if (IMAGES.has(muxer)) return { extension: 'png', parameters: {} };
  return { extension: 'mov', parameters: PRORES };
}

/** Options that encoders with transparency do not have, or read differently. */
const ENCODER_OPTIONS = [
  ...wordSet('preset tune profile profile:v level level:v crf crf:v q:v b b:v maxrate maxrate:v bufsize bufsize:v'),
  ...wordSet('x264-params x264opts x265-params svtav1-params tag:v'),
];

/** A GIF is transparent only if its palette reserves a colour for that. */
const PALETTE = 'split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse';

function paletteFix(facts: MediaFacts): string {
  const [found, ...others] = facts.graphs;
  if (found === undefined) return `To keep it, send "vf": "${PALETTE}".`;
  const text = `${printGraph(found.graph)},${PALETTE}`;
  const isSimple = found.key === 'filter:v' && others.length === 0 && found.graph.chains.length === 1;
  return isSimple && !namesFiles(text)
    ? `To keep it, send "${facts.sentNameOf(found.key)}": ${JSON.stringify(text)}.`
    : `To keep it, add "${PALETTE}" at the end of the filters.`;
}

/** Returns the fix that keeps transparency: with another codec, container or pixel format. */
export function keepAlpha(facts: MediaFacts): string {
  const { path, muxer } = facts.plan.output;
  if (muxer === 'gif') return paletteFix(facts);
  const { extension, parameters } = keeperOf(muxer);
  const kept = Object.keys(parameters);
  // The options that the request sends are for its own encoder, and another encoder does not know them.
  const isSameCodec = [parameters['c:v'], undefined].includes(facts.argumentOf('c:v')) && muxer !== 'mov';
  const left = (isSameCodec && extension === undefined ? [] : ENCODER_OPTIONS)
    .filter((key) => facts.fieldOf(key) !== undefined && !kept.includes(facts.sentNameOf(key)))
    .map((key) => `"${facts.sentNameOf(key)}"`);
  const format = extension === 'mov' ? ', "format": "mov"' : '';
  const output = extension === undefined ? '' : `"output": "${withExtension(path, extension)}"${format}`;
  const options = kept.map((key) => `"${key}": "${parameters[key]}"`).join(', ');
  const members = [output, options].filter((one) => one !== '').join(', and ');
  const out = left.length === 0 ? '' : `, and leave ${andList([...new Set(left)])} out`;
  return `To keep it, send ${members}${out}.`;
}

/** Returns the fix that puts the video over white. `from`: the filter that makes it transparent. undefined: not a plain chain. */
function overColour(facts: MediaFacts, graph: ArgvGraph, from: GraphFilter): string | undefined {
  const [chain, ...others] = graph.graph.chains;
  const at = chain?.indexOf(from) ?? -1;
  if (chain === undefined || at < 0 || others.length > 0 || graph.key === 'filter_complex') return undefined;
  const keyed = chain.slice(at);
  if (keyed.some(({ name, inputs, outputs }) => RESIZING.test(name) || inputs.length + outputs.length > 0))
    return undefined;
  const before = at === 0 ? '' : `${printGraph({ chains: [chain.slice(0, at)] })},`;
  const text = `${before}split[back][front];[back]format=yuv420p,drawbox=c=white:t=fill[colour];[front]${printGraph({ chains: [keyed] })}[keyed];[colour][keyed]overlay`;
  return namesFiles(text) ? undefined : `"${facts.sentNameOf(graph.key)}": ${JSON.stringify(text)}`;
}

/** Decoders that read transparency. ffmpeg's own decoders of VP8 and VP9 ignore it. */
const DECODERS: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };

const ALPHA_CODECS = wordSet(
  'prores qtrle png apng vp8 vp9 ffv1 webp utvideo magicyuv rawvideo cfhd hap targa tiff exr dpx sgi bmp wrapped_avframe',
);

const whyNone = (codec: string): string =>
  codec === 'gif' ? 'a GIF stores it only with a palette' : `the codec ${codec} of the output has none`;

const KEYS = wordSet('colorkey chromakey hsvkey lumakey backgroundkey alphamerge');

/** True if a filter cuts out a background, by its colour or with a mask. */
export const cutsOut = ({ name }: Pick<GraphFilter, 'name'>): boolean => KEYS.has(name);

const makesAlpha = (filter: GraphFilter): boolean =>
  cutsOut(filter) ||
  (filter.name === 'fade' && /^(?:1|true)$/.test(optionValue(filter, 'alpha') ?? '')) ||
  (filter.name === 'colorchannelmixer' && optionValue(filter, 'aa') !== undefined) ||
  (filter.name === 'geq' && optionValue(filter, 'alpha_expr', 'a') !== undefined);

export const ALPHA_RULES: Rules = {
  'lost-alpha': {
    finds: 'transparency of an input that the decoder ignored',
    supersedes: ['unstored-alpha', 'changed-pixel-format', 'unplayable-pixel-format'],
    run({ facts, pass }) {
      const format = facts.argumentOf('pix_fmt') ?? facts.argumentOf('pix_fmt:v');
      const isBlended = facts.usesFilter(BLENDING);
      // An opaque `pix_fmt` says that no transparency is wanted, unless the video is drawn over another one.
      if (format !== undefined && !hasAlpha(format) && !isBlended) return [];
      for (const { input, stream, copied, from } of convertedStreams(pass)) {
        const decoder = DECODERS[from?.codec ?? ''];
        if (from === undefined || decoder === undefined || copied || hasAlpha(from.pixelFormat ?? '')) continue;
        if (facts.inputs[input]?.alphaStreams?.has(stream) !== true || facts.inputArgs(input).includes(decoder))
          continue;
        const { codec = '' } = ofKind(pass.outputStreams, 'video')[0] ?? {};
        const isHeld = isBlended || ALPHA_CODECS.has(codec);
        return pixelFormatChanged(
          `The transparency of ${facts.pathOf(input)} is lost: ffmpeg's own decoder of ${from.codec} ignores it${isHeld ? '' : `, and ${whyNone(codec)}`}.`,
          `Send "inputs": ${JSON.stringify(facts.inputsWith(input, { 'c:v': decoder }))}, with the other parameters of the inputs.${isHeld ? '' : ` ${keepAlpha(facts)} If it is not needed, send only "pix_fmt": "${opaqueFormat(codec)}".`}`,
        );
      }
      return [];
    },
  },

  'unstored-alpha': {
    finds: 'transparency made by a filter that the output does not store',
    supersedes: ['changed-pixel-format', 'unplayable-pixel-format'],
    run({ facts, pass }) {
      const videos = ofKind(pass.outputStreams, 'video').filter(({ index }) => !isCopied(pass, index));
      // `pal8` can have a transparent colour. An unknown format counts as `pal8`.
      const isStored = videos.some(({ pixelFormat = 'pal8' }) => hasAlpha(pixelFormat) || pixelFormat === 'pal8');
      const graph = facts.graphs.find(({ filters }) => filters.some(makesAlpha));
      const filter = graph?.filters.find(makesAlpha);
      const [video] = videos;
      if (video === undefined || isStored || facts.usesFilter(BLENDING) || graph === undefined || filter === undefined)
        return [];
      const { codec, pixelFormat } = video;
      const colour = overColour(facts, graph, filter);
      const otherwise =
        colour === undefined
          ? 'To show the video over another one, use the filter overlay.'
          : `For a white background, send ${colour} instead.`;
      return pixelFormatChanged(
        `The transparency that the filter ${filter.name} makes is lost: ${ALPHA_CODECS.has(codec) ? `the pixel format ${pixelFormat} has none` : whyNone(codec)}.`,
        codec === 'gif' ? keepAlpha(facts) : `${keepAlpha(facts)} ${otherwise}`,
        { key: graph.key },
      );
    },
  },
};
