import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { type Graph, type GraphChain, type GraphFilter, walkOf } from '../filtergraph/graph.ts';

/**
 * Filters that make each frame from one frame of their input and its time alone, and keep this time. A fade by times belongs to them too
 * (`isFadeByTime`). A filter that is missing here may have a memory or a clock.
 */
const FRAMEWISE: ReadonlySet<string> = new Set(
  (
    'avgblur boxblur cas colorbalance colorchannelmixer colorcontrast colorcorrect colorhold colorkey colorlevels colormatrix ' +
    'colorspace colortemperature crop curves drawbox drawgrid drawtext eq erosion dilation exposure fillborders format gblur ' +
    'hflip hsvhold hsvkey hue huesaturation lenscorrection limiter lut lutrgb lutyuv median monochrome negate noformat null ' +
    'pad rotate sab scale setdar setfield setparams setrange setsar smartblur swapuv tonemap transpose unsharp vflip ' +
    'vibrance zscale'
  ).split(' '),
);

/** Filters that place frames on a grid of times, which is the same for all chunks because their frames have the times of the whole. */
const ON_A_GRID: ReadonlySet<string> = new Set(['fps']);

const hasFilter = ({ chains }: Graph, names: Pick<ReadonlySet<string>, 'has'>): boolean =>
  chains.some((chain) => chain.some(({ name }) => names.has(name)));

/** Whether a graph changes the number of frames. */
export const changesRate = (graph: Graph): boolean => hasFilter(graph, ON_A_GRID);

/** Options that open files, or count frames. */
const REJECTED_OPTIONS: ReadonlySet<string> = new Set(['psfile', 'plot', 'sendcmd', 'textfile', 'timecode']);

/** Matches names in expressions that the time of a frame does not determine: its number, and functions with a memory. Frames in chunks have the times of the whole. */
const NOT_OF_TIME = /(?<![\w.])(?:n|pos|pkt_pos|main_n|frame|in|on|random|randomi|ld|st|time)(?![\w])/i;

/** Matches expansions in the text of `drawtext` that depend on more than the time of a frame. */
const NOT_OF_TIME_IN_TEXT = /%\{\s*(?:n|frame_num|localtime|gmtime|expr|e|eif|expr_int_format|metadata|strftime)\b/;

/** Options of a fade that depends on times instead of numbers of frames. */
const FADE_BY_TIME: ReadonlySet<string> = new Set('type t alpha color c start_time st duration d'.split(' '));

const isFadeByTime = ({ name, options }: GraphFilter): boolean =>
  name === 'fade' &&
  options.every(({ key = '' }) => FADE_BY_TIME.has(key)) &&
  options.some(({ key, value }) => (key === 'd' || key === 'duration') && (parseDuration(value) ?? 0) > 0);

/** The modes in which deinterlacers keep the number of frames. They make a frame from it and its two neighbours. bwdif has another default. */
const ONE_FOR_ONE: ReadonlyMap<string, RegExp> = new Map([
  ['yadif', /^(?:send_frame|send_frame_nospatial|0|2)?$/],
  ['bwdif', /^(?:send_frame|0)$/],
]);

function isDeinterlacer({ name, options }: GraphFilter): boolean {
  const modes = ONE_FOR_ONE.get(name);
  const mode = options.findLast(({ key }) => key === 'mode')?.value ?? '';
  return modes?.test(mode) === true && options.every(({ key = '' }) => ['mode', 'parity', 'deint'].includes(key));
}

/** Whether a graph has a deinterlacer, which needs the frames before and after each frame. */
export const readsNeighbours = (graph: Graph): boolean => hasFilter(graph, ONE_FOR_ONE);

/** Why a filter does not make each frame alone, or with its neighbours: a sentence. undefined: it does. */
function rejectFilter(filter: GraphFilter): string | undefined {
  if (isFadeByTime(filter) || isDeinterlacer(filter)) return undefined;
  const { name, options } = filter;
  if (!FRAMEWISE.has(name) && !ON_A_GRID.has(name))
    return `The filter "${name}" may need the frames before or after a cut, or its own clock.`;
  for (const { key = '', value } of options) {
    // Other ways to round would leave out the frame at a cut.
    if (name === 'fps' && key !== 'fps' && value !== 'near')
      return `"${key}" of the filter "fps" moves frames across a cut.`;
    const isText = name === 'drawtext' && key === 'text';
    if (REJECTED_OPTIONS.has(key) || (isText ? NOT_OF_TIME_IN_TEXT : NOT_OF_TIME).test(value))
      return `"${key}" of the filter "${name}" depends on more than the time of a frame.`;
  }
  return undefined;
}

/** The only video of the only input, as a label. */
const VIDEO_LABEL = /^0:[vV](?::0)?$/;

/** Why a graph does not make each frame of the only video alone. undefined: it does. `isLabelled`: its ends need labels, and have none otherwise. */
export function rejectGraph(graph: Graph, isLabelled: boolean): string | undefined {
  const { filters, producers, taken } = walkOf(graph);
  if (!isLabelled && (graph.chains.length > 1 || producers.size + taken.size > 0))
    return 'The filtergraph has several chains or labels.';
  const other = [...taken].find((label) => !producers.has(label) && !VIDEO_LABEL.test(label));
  if (other !== undefined) return `The filtergraph reads "[${other}]", which is not known to be the only video.`;
  const reason = filters
    .filter(({ name }) => !isLabelled || name !== 'split')
    .map(rejectFilter)
    .find((one) => one !== undefined);
  if (reason !== undefined || !isLabelled) return reason;
  return graph.chains.every(hasLabels) ? undefined : 'The filtergraph has inputs or outputs without a label.';
}

/** True if a chain has labels at its ends, and only there. */
const hasLabels = (chain: GraphChain): boolean =>
  chain.every(
    ({ inputs, outputs }, at) =>
      (at === 0 ? inputs.length === 1 : inputs.length === 0) &&
      (at === chain.length - 1 ? outputs.length > 0 : outputs.length === 0),
  );

/** The labels of a graph that no filter reads, in the order of the graph. */
export function openLabels(graph: Graph): readonly string[] {
  const { producers, taken } = walkOf(graph);
  return [...producers.keys()].filter((label) => !taken.has(label));
}
