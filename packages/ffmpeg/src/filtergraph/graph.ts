import type { TextSpan } from '@telecine/contract/domain/problem.ts';
import { rememberLast } from '@telecine/contract/domain/remember.ts';
import { quoteToken } from '../values/token.ts';
import { type GraphOption, type OptionSpans, printOptionList } from './option-list.ts';

export interface GraphFilter {
  /** Without brackets and quotes: `0:v`, `base`. */
  readonly inputs: readonly string[];
  readonly name: string;
  /** The name of the instance: `x` in `movie@x`. */
  readonly instance?: string;
  readonly options: readonly GraphOption[];
  readonly outputs: readonly string[];
  /** The offset of the filter in the text, for messages, in UTF-16 code units. */
  readonly at: number;
}

/** The positions of a filter and its parts in the text of the graph. */
export interface FilterPlaces {
  /** The name and the options, without labels. */
  readonly whole: TextSpan;
  readonly name: TextSpan;
  readonly options: readonly OptionSpans[];
  /** The input labels, with their brackets. */
  readonly inputs: readonly TextSpan[];
  readonly outputs: readonly TextSpan[];
}

/** Filters in a row, each of which sends its frames to the next: `a,b,c`. */
export type GraphChain = readonly GraphFilter[];

/** A filtergraph as ffmpeg's parser reads it. */
export interface Graph {
  /** The value of `sws_flags=…;` at the start. ffmpeg applies it to every `scale` without flags of its own. */
  readonly scalerFlags?: string;
  readonly chains: readonly GraphChain[];
}

/** A syntax error in a filtergraph, as a sentence without a full stop. */
export interface GraphError {
  readonly error: string;
  /** The offset of the error in the text, in UTF-16 code units. */
  readonly at: number;
}

/** The character at which the parser stopped. Empty at the end of the text. */
export const errorSpan = ({ at }: GraphError, text: string): TextSpan => ({
  offset: at,
  length: Math.min(1, text.length - at),
});

export const isGraphError = (read: Graph | GraphError): read is GraphError => 'error' in read;

interface GraphWalk {
  readonly filters: readonly GraphFilter[];
  readonly names: ReadonlySet<string>;
  /** For each output label, the first filter that has it. */
  readonly producers: ReadonlyMap<string, GraphFilter>;
  /** The labels of all inputs: outputs of other filters, or streams of the request's inputs. */
  readonly taken: ReadonlySet<string>;
}

/** Collects facts about a graph that many checks need. Cached for the last graph. */
export const walkOf = rememberLast((graph: Graph): GraphWalk => {
  const filters = graph.chains.flat();
  const names = new Set<string>();
  const producers = new Map<string, GraphFilter>();
  const taken = new Set<string>();
  for (const filter of filters) {
    names.add(filter.name);
    for (const label of filter.inputs) taken.add(label);
    for (const label of filter.outputs) if (!producers.has(label)) producers.set(label, filter);
  }
  return { filters, names, producers, taken };
});

/** Replaces each filter by the filters that `change` returns for it. */
export const changeFilters = (graph: Graph, change: (filter: GraphFilter) => readonly GraphFilter[]): Graph => ({
  ...graph,
  chains: graph.chains.map((chain) => chain.flatMap(change)),
});

/** The instance name of filters that the service adds to a graph of the client, such as `scale@telecine`. */
export const OF_SERVICE = 'telecine';

type FilterOptions = Readonly<Record<string, string | number>>;

/** A filter that the service adds to a graph in place of another one. */
export const filterWith = (name: string, options: FilterOptions) => ({
  name,
  options: Object.entries(options).map(([key, value]) => ({ key, value: String(value) })),
});

/** A filter without labels that the service adds to a graph. */
export const newFilter = (name: string, options: FilterOptions = {}): GraphFilter => ({
  ...{ inputs: [], outputs: [], at: 0 },
  ...filterWith(name, options),
});

/** Prints a graph without spaces between its parts, and with backslashes as the only quotes. */
export function printGraph({ scalerFlags, chains }: Graph): string {
  const text = chains.map((chain) => chain.map(printFilter).join(',')).join(';');
  return scalerFlags === undefined ? text : `sws_flags=${scalerFlags};${text}`;
}

export function printFilter({ inputs, name, instance, options, outputs }: GraphFilter): string {
  const fullName = quoteToken(instance === undefined ? name : `${name}@${instance}`, '=,;[');
  const optionText = options.length === 0 ? '' : `=${quoteToken(printOptionList(options), '[],;')}`;
  return `${labels(inputs)}${fullName}${optionText}${labels(outputs)}`;
}

export const printLabel = (name: string): string => `[${quoteToken(name, ']')}]`;

const labels = (names: readonly string[]): string => names.map(printLabel).join('');

const KEEPS_TIMES =
  /^(?:scale|zscale|crop|pad|format|setsar|setdar|[hv]flip|transpose|rotate|fade|drawtext|drawbox|subtitles|ass|eq|hue|curves|lut3d|colorbalance|colorchannelmixer|gblur|boxblur|unsharp|yadif|bwdif|hqdn3d|nlmeans|null|anull|afade|volume|loudnorm|dynaudnorm|acompressor|alimiter|highpass|lowpass|equalizer|bass|treble|afftdn|aformat|pan|fps|split|asplit)$/;

/** Options that make `aresample` fill, drop or stretch audio. */
const CHANGES_TIMES = /^(?:async|comp_duration|first_pts|max_soft_comp|min_comp|min_hard_comp)$/;

/** True if a filter has one input and changes no timestamp. */
export const keepsFrameTimes = ({ name, options }: GraphFilter): boolean =>
  name === 'aresample' ? !options.some(({ key = '' }) => CHANGES_TIMES.test(key)) : KEEPS_TIMES.test(name);

/** Filters that change the frame size, or that create new frames from their inputs. */
export const RESIZING =
  /^(?:scale|scale2ref|zscale|libplacebo|pad|crop|rotate|transpose|[hvx]stack|tile|untile|zoompan|framepack|stereo3d|overlay|concat|xfade|super2xsai|hqx|xbr|epx|shear|perspective|v360|cropdetect|palettegen|waveform|vectorscope|histogram|weave|doubleweave|tinterlace|separatefields|extractplanes|ciescope|datascope|drawgraph|field|graphmonitor|remap|showpalette|thistogram|(?:scale|overlay|pad|transpose)_\w+|vpp_\w+)$/;

/** Filters that change the times of frames, or their number. */
export const TIMES =
  /^(?:a?setpts|asetrate|atempo|rubberband|a?trim|a?select|a?loop|a?pad|tpad|apad|adelay|concat|xfade|acrossfade|decimate|framestep|silenceremove|a?reverse|telecine|minterpolate|tile|thumbnail|a?segment|showwaves|showspectrum|showcqt|settb|asettb|palettegen)$/;
