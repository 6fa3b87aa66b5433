import type { RecipeDefinition } from '@telecine/client';
import { argumentLabel } from '../workbench/argument-label.ts';
import { isGraph, kindOf } from '../workbench/option-help.ts';

type Argument = RecipeDefinition['arguments'][string];
type Value = RecipeDefinition['request']['parameters'][string];

/** The names of codecs by those of their encoders in ffmpeg. */
const CODECS: Readonly<Record<string, string>> = {
  libx264: 'H.264',
  libx265: 'HEVC',
  libsvtav1: 'AV1',
  'libaom-av1': 'AV1',
  'libvpx-vp9': 'VP9',
  prores_ks: 'ProRes',
  dnxhd: 'DNxHR',
  mjpeg: 'JPEG',
  libwebp: 'WebP',
  aac: 'AAC',
  libopus: 'Opus',
  libmp3lame: 'MP3',
  flac: 'FLAC',
  mov_text: 'MP4 text',
};

/** What a recipe does to the streams of its inputs, by the kind of stream. */
export interface RecipeFacts {
  /** `H.264 (libx264)`, `copied`, `left out`. undefined: as is usual for the format of the output. */
  readonly video?: string;
  readonly audio?: string;
  readonly subtitle?: string;
  /** The names of its filters in ffmpeg, and of the arguments that choose one, in their order. */
  readonly filters: readonly string[];
  /** What the service does besides passing options to ffmpeg, such as encoding in several passes. */
  readonly more: readonly string[];
}

/** Filters that only connect others, or keep a format that players need. */
const CONNECTING = new Set(['split', 'asplit', 'setsar', 'format', 'aformat', 'sidedata', 'null', 'anull']);

const KINDS = { video: 'vn', audio: 'an', subtitle: 'sn' } as const;

/** Returns what a recipe does if the client sends none of its optional arguments. */
export function recipeFacts({ arguments: known, inputs, request }: RecipeDefinition): RecipeFacts {
  const { parameters, outputs = [], quality, ladder, transcribe, thumbnailTrack, cut } = request;
  const all = [parameters, ...outputs.map((one) => one.parameters)].flatMap((options) =>
    Object.entries(options).map(([name, value]) => ({ name, texts: usualTexts(value, known) })),
  );
  const streams = (Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((kind) => {
    const codecs = all
      .filter(({ name }) => kindOf(name) === kind && /^c(?:odec)?:/.test(name))
      .flatMap(({ texts }) => texts);
    if (codecs.length > 0) return [[kind, [...new Set(codecs.map(codecText))].join(', ')] as const];
    if (all.some(({ name }) => name === KINDS[kind])) return [[kind, 'left out'] as const];
    // `c` is for the streams of all kinds.
    return all.some(({ name, texts }) => name === 'c' && texts.includes('copy')) && kind !== 'subtitle'
      ? [[kind, 'copied'] as const]
      : [];
  });
  const filters = all.filter(({ name }) => isGraph(name)).flatMap(({ texts }) => texts.flatMap(filterNames));
  return {
    ...Object.fromEntries(streams),
    filters: [...new Set(filters)],
    more: [
      ...(all.some(({ name }) => name === 'pass') ? ['Encodes in two passes'] : []),
      ...(quality === undefined ? [] : ['Measures the quality of samples, and chooses the bit rate by it']),
      ...(ladder === undefined ? [] : ['Chooses the versions by the quality of samples']),
      ...(transcribe === undefined ? [] : ['Writes down what is said']),
      ...(thumbnailTrack === undefined ? [] : ['Makes the pictures that players show over the timeline']),
      ...(cut === undefined ? [] : ['Finds the parts that stay, and joins them']),
      ...(inputs.some(({ crossfade }) => crossfade !== undefined) ? ['Blends each input into the next'] : []),
    ],
  };
}

/** The texts of a value. Of a choice, the one that applies while no optional argument is sent. */
function usualTexts(value: Value, known: RecipeDefinition['arguments']): readonly string[] {
  if (typeof value !== 'object' || Array.isArray(value)) return [value].flat().map(String);
  const { when, value: chosen, otherwise } = value as Extract<Value, { readonly when: string }>;
  const argument: Argument | undefined = Object.hasOwn(known, when) ? known[when] : undefined;
  const isSent = argument === undefined || argument.required === true || Boolean(argument.default);
  const usual = isSent ? chosen : otherwise;
  return usual === undefined ? [] : [usual].flat().map(String);
}

const codecText = (encoder: string): string => {
  if (encoder === 'copy') return 'copied';
  if (encoder.includes('{{')) return 'by the output and its arguments';
  const codec = CODECS[encoder];
  return codec === undefined ? encoder : codec.toLowerCase() === encoder ? codec : `${codec} (${encoder})`;
};

/** A reference that stands where a filter would be named: `{{look}}`. */
const REFERENCE = /\{\{\s*(\w+)\s*\}\}/g;
const STAND_IN = 'argument_';

/** What is not a filter or its separators: what is escaped or quoted, and labels. */
const INNER = /\\.|'[^']*'|\[[^\]]*\]/g;

/** The filters of a graph with references to arguments. */
function filterNames(graph: string): readonly string[] {
  const plain = graph.replaceAll(/\{\{[#^/][^}]*\}\}/g, '').replaceAll(REFERENCE, `${STAND_IN}$1`);
  return plain
    .replaceAll(INNER, '')
    .split(/[,;]/)
    .map((one) => /^\s*([a-z_]\w*)/i.exec(one)?.[1] ?? '')
    .filter((name) => name !== '' && !CONNECTING.has(name))
    .map((name) => (name.startsWith(STAND_IN) ? argumentLabel(name.slice(STAND_IN.length)) : name));
}

/** The values that an argument allows, in a few words: `16 to 1920 px`, `small, good, high`. */
export function allowedText(argument: Argument): string {
  switch (argument.type) {
    case 'number':
      return `${argument.min} to ${argument.max}${argument.unit === undefined ? '' : `\u00A0${argument.unit}`}`;
    case 'choice':
      return Object.keys(argument.choices).join(', ');
    case 'time':
      return argument.max === undefined ? 'a time, such as 1:30' : `a time of at most ${argument.max}\u00A0s`;
    case 'colour':
      return 'a colour, such as white';
    case 'text':
      return 'a text';
    case 'flag':
      return 'yes or no';
  }
}

/** What applies if an argument is not sent: its default with its unit. '': it has none. */
export function defaultText(argument: Argument): string {
  const { default: usual } = argument;
  if (usual === undefined) return argument.required === true ? 'must be sent' : '';
  if (argument.type === 'flag') return usual ? 'yes' : 'no';
  const unit =
    argument.type === 'number'
      ? argument.unit
      : argument.type === 'time' && !String(usual).includes(':')
        ? 's'
        : undefined;
  return `${usual}${unit === undefined ? '' : ` ${unit}`}`;
}
