import { withExtension } from '../../domain/media-path.ts';
import { andList } from '../../domain/quantity.ts';
import { printGraph } from '../filtergraph/graph.ts';
import { RESIZING } from './filter-effects.ts';
import { namesFiles } from './graph-fixes.ts';
import { type ArgvGraph, argumentOf, fieldOf, type MediaFacts, sentNameOf } from './media-facts.ts';

/** Whether pictures of a pixel format have transparency. */
export const hasAlpha = (pixelFormat: string): boolean =>
  /^(?:yuva|gbrap|rgba|bgra|argb|abgr|ya\d|ayuv|vuya)/.test(pixelFormat);

/** Filters that lay one picture over another, or read its transparency. */
const BLENDING: ReadonlySet<string> = new Set(
  'overlay alphaextract premultiply unpremultiply maskedmerge blend xstack'.split(' '),
);

/** Whether the request uses transparency for pictures that have none themselves. */
export const usesAlpha = ({ graphs }: MediaFacts): boolean =>
  graphs.some(({ filters }) => filters.some(({ name }) => BLENDING.has(name)));

/** A pixel format without transparency for a codec. */
export const opaqueFormat = (codec: string): string => OPAQUE[codec] ?? 'yuv420p';

const OPAQUE: Readonly<Record<string, string>> = { mjpeg: 'yuvj420p', dnxhd: 'yuv422p', gif: 'rgb8' };

interface Keeper {
  /** The extension of the output, if the container of the request has no transparency. */
  readonly extension?: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const PRORES = { 'c:v': 'prores_ks', 'profile:v': '4444', pix_fmt: 'yuva444p10le' } as const;
const VP9 = { 'c:v': 'libvpx-vp9', pix_fmt: 'yuva420p' } as const;
const PICTURES = new Set(['image2', 'image2pipe', 'mjpeg', 'avif']);

function keeperOf(muxer: string): Keeper {
  if (muxer === 'mov') return { parameters: PRORES };
  if (muxer === 'webm' || muxer === 'matroska') return { parameters: VP9 };
  if (PICTURES.has(muxer)) return { extension: 'png', parameters: {} };
  return { extension: 'mov', parameters: PRORES };
}

/** Options of encoders for films, which those for transparency do not have or understand otherwise. */
const ENCODER_OPTIONS =
  'preset tune profile profile:v level level:v crf crf:v q:v b b:v maxrate maxrate:v bufsize bufsize:v x264-params x264opts x265-params svtav1-params tag:v'.split(
    ' ',
  );

/** GIF has transparency only in a palette that reserves a colour for it. */
const PALETTE = 'split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse';

function paletteFix(facts: MediaFacts): string {
  const [found, ...others] = facts.graphs;
  if (found === undefined) return `To keep it, send "vf": "${PALETTE}".`;
  const text = `${printGraph(found.graph)},${PALETTE}`;
  const isSimple = found.key === 'filter:v' && others.length === 0 && found.graph.chains.length === 1;
  return isSimple && !namesFiles(text)
    ? `To keep it, send "${sentNameOf(facts, found.key)}": ${JSON.stringify(text)}.`
    : `To keep it, add "${PALETTE}" at the end of the filters.`;
}

/** The codec, format and pixel format that keep transparency in the output, as a fix. */
export function keepAlpha(facts: MediaFacts): string {
  const { path, muxer } = facts.plan.output;
  if (muxer === 'gif') return paletteFix(facts);
  const { extension, parameters } = keeperOf(muxer);
  const kept = Object.keys(parameters);
  // An option of the request that is no longer meant: that of another encoder, or a codec for all streams.
  const isSameCodec = [parameters['c:v'], undefined].includes(argumentOf(facts, 'c:v')) && muxer !== 'mov';
  const left = (isSameCodec && extension === undefined ? [] : ENCODER_OPTIONS).flatMap((key) => {
    const sent = fieldOf(facts, key) === undefined ? undefined : sentNameOf(facts, key);
    return sent === undefined || kept.includes(sent) ? [] : [`"${sent}"`];
  });
  const format = extension === 'mov' ? ', "format": "mov"' : '';
  const output = extension === undefined ? '' : `"output": "${withExtension(path, extension)}"${format}`;
  const options = kept.map((key) => `"${key}": "${parameters[key]}"`).join(', ');
  const members = [output, options].filter((one) => one !== '').join(', and ');
  const out = left.length === 0 ? '' : `, and leave ${andList([...new Set(left)])} out`;
  return `To keep it, send ${members}${out}.`;
}

/** The fix that lays the pictures over a colour. `from`: the filter before which the pictures are opaque. */
export function overColour(
  facts: MediaFacts,
  graph: ArgvGraph,
  from: ArgvGraph['filters'][number],
): string | undefined {
  const [chain, ...others] = graph.graph.chains;
  const at = chain?.indexOf(from) ?? -1;
  if (chain === undefined || at < 0 || others.length > 0 || graph.key === 'filter_complex') return undefined;
  const keyed = chain.slice(at);
  if (keyed.some(({ name, inputs, outputs }) => RESIZING.test(name) || inputs.length + outputs.length > 0))
    return undefined;
  const before = at === 0 ? '' : `${printGraph({ chains: [chain.slice(0, at)] })},`;
  const text = `${before}split[back][front];[back]format=yuv420p,drawbox=c=white:t=fill[colour];[front]${printGraph({ chains: [keyed] })}[keyed];[colour][keyed]overlay`;
  return namesFiles(text) ? undefined : `"${sentNameOf(facts, graph.key)}": ${JSON.stringify(text)}`;
}
