import { type Graph, type GraphChain, type GraphFilter, walkOf } from '../filtergraph/graph.ts';

/**
 * Filters that make each frame from one frame of their input alone, and keep its time. A filter that is missing here may have a memory or a
 * clock.
 */
const FRAMEWISE: ReadonlySet<string> = new Set(
  (
    'avgblur boxblur cas colorbalance colorchannelmixer colorcontrast colorcorrect colorhold colorkey colorlevels colormatrix ' +
    'colorspace colortemperature crop curves drawbox drawgrid eq erosion dilation exposure fillborders format gblur ' +
    'hflip hsvhold hsvkey hue huesaturation lenscorrection limiter lut lutrgb lutyuv median monochrome negate noformat null ' +
    'pad rotate sab scale setdar setfield setparams setrange setsar smartblur swapuv tonemap transpose unsharp vflip ' +
    'vibrance zscale'
  ).split(' '),
);

/** Options that open files, apply a filter only at times, or evaluate its expressions for each frame. */
const REJECTED_OPTIONS: ReadonlySet<string> = new Set(['enable', 'psfile', 'plot', 'sendcmd']);

/** Matches names in expressions that differ from frame to frame, and functions with a memory or without a fixed value. */
const CHANGING = /(?<![\w.])(?:t|n|pos|pts|pkt_pos|main_t|main_n|frame|in|on|random|randomi|ld|st|time)(?![\w])/i;

/** Why a filter does not make each frame alone: a sentence. undefined: it does. */
export function rejectFilter({ name, options }: GraphFilter): string | undefined {
  if (!FRAMEWISE.has(name)) return `The filter "${name}" may need the frames before or after a cut, or its own clock.`;
  for (const { key = '', value } of options) {
    if (REJECTED_OPTIONS.has(key)) return `"${key}" of the filter "${name}" depends on time or on a file.`;
    if (key === 'eval' && value !== 'init' && value !== '0')
      return `The filter "${name}" evaluates its expressions for each frame.`;
    if (CHANGING.test(value)) return `The filter "${name}" has an expression that changes over time.`;
  }
  return undefined;
}

/** Why a graph does not make each frame of the video alone. undefined: it does. */
export function rejectGraph({ chains }: Graph): string | undefined {
  const [chain = [], ...others] = chains;
  if (others.length > 0 || chain.some(({ inputs, outputs }) => inputs.length + outputs.length > 0))
    return 'The filtergraph has several chains or labels.';
  return chain.map(rejectFilter).find((reason) => reason !== undefined);
}

/** The only video of the only input, as a label. */
const VIDEO_LABEL = /^0:[vV](?::0)?$/;

/** Why a graph with labels does not make each frame of the only video alone. undefined: it does. */
export function rejectComplexGraph(graph: Graph): string | undefined {
  const { filters, producers, taken } = walkOf(graph);
  const other = [...taken].find((label) => !producers.has(label) && !VIDEO_LABEL.test(label));
  if (other !== undefined) return `The filtergraph reads "[${other}]", which is not known to be the only video.`;
  const reason = filters
    .filter(({ name }) => name !== 'split')
    .map(rejectFilter)
    .find((one) => one !== undefined);
  if (reason !== undefined) return reason;
  return graph.chains.every(isLabelled) ? undefined : 'The filtergraph has inputs or outputs without a label.';
}

/** True if a chain has labels at its ends, and only there. */
const isLabelled = (chain: GraphChain): boolean =>
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
