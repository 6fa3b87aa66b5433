import { changeFilters, filterWith, type Graph, type GraphChain, type GraphFilter } from './graph.ts';

/** The rectangle outside of which all frames are black, in pixels: what the first pass measures for a `crop`. */
export const CROP_FACTS = ['w', 'h', 'x', 'y'] as const;

export type CropFact = (typeof CROP_FACTS)[number];
export type CropRectangle = Readonly<Record<CropFact, number>>;

/** The file in the scratch folder for a fact about the `crop` with this number. */
export const cropFile = (index: number, fact: CropFact): string => `pass/crop-${index}-${fact}.txt`;

/** Stands for the value that the first pass measures. */
const placeholder = (fact: CropFact): string => `CROP_${fact.toUpperCase()}`;

/** The graphs of two passes. */
interface PassGraphs {
  readonly first: Graph;
  readonly second: Graph;
}

/** The filters of each pass that replace one filter. */
type PassFilters = readonly [first: readonly GraphFilter[], second: readonly GraphFilter[]];

function splitPasses(graph: Graph, split: (filter: GraphFilter, index: number, chain: GraphChain) => PassFilters) {
  const chains = graph.chains.map((chain) => chain.map(split));
  const passOf = (pass: 0 | 1): Graph => ({
    ...graph,
    chains: chains.map((chain) => chain.flatMap((one) => one[pass])),
  });
  return { first: passOf(0), second: passOf(1) };
}

/** Whether the frames of a filter go directly to the next filter of the chain. */
const feedsNext = (filter: GraphFilter | undefined, next: GraphFilter | undefined): boolean =>
  filter?.outputs.length === 0 && next?.inputs.length === 0;

/** Whether the filter is a `cropdetect` directly before a `crop` without options, which alone does nothing. */
function feedsCrop(chain: GraphChain, index: number): boolean {
  const [filter, next] = [chain[index], chain[index + 1]];
  const isPair = filter?.name === 'cropdetect' && next?.name === 'crop';
  return isPair && feedsNext(filter, next) && next.options.length === 0;
}

/** The index of `round` among the positional options of `cropdetect`. */
const ROUND_POSITION = 1;

/** Measures sizes to two pixels, unless the client chose other steps. ffmpeg's default of 16 cuts off up to 15 lines. */
function inEvenSteps(filter: GraphFilter): GraphFilter {
  const positional = filter.options.filter(({ key }) => key === undefined).length;
  const isChosen = filter.options.some(({ key }) => key === 'round') || positional > ROUND_POSITION;
  return isChosen ? filter : { ...filter, options: [...filter.options, { key: 'round', value: '2' }] };
}

/** Whether a graph has a `crop` for which the service measures. */
export const cropsToContent = ({ chains }: Graph): boolean =>
  chains.some((chain) => chain.some((_filter, index) => feedsCrop(chain, index)));

/**
 * The graphs of the two passes: the first one measures and does not crop, the second one crops and does not measure.
 *
 * @param next Returns the number of the next `crop`.
 */
export const croppingGraphs = (graph: Graph, next: () => number): PassGraphs =>
  splitPasses(graph, (filter, index, chain) => {
    if (feedsCrop(chain, index - 1)) return [[], []];
    const crop = chain[index + 1];
    if (!feedsCrop(chain, index) || crop === undefined) return [[filter], [filter]];
    const number = next();
    const unlinked = { at: filter.at, inputs: [], outputs: [] };
    const printed = CROP_FACTS.map((fact) => ({
      ...unlinked,
      ...filterWith('metadata', { mode: 'print', key: `lavfi.cropdetect.${fact}`, file: cropFile(number, fact) }),
    }));
    // Metadata of the file must not look like measured values.
    const cleared = { ...unlinked, ...filterWith('metadata', { mode: 'delete' }), inputs: filter.inputs };
    const last = { ...unlinked, at: crop.at, ...filterWith('null', {}), outputs: crop.outputs };
    const options = CROP_FACTS.map((fact) => ({ key: fact, value: placeholder(fact) }));
    return [
      [cleared, { ...inEvenSteps(filter), inputs: [] }, ...printed, last],
      [{ ...crop, inputs: filter.inputs, options }],
    ];
  });

const isWaiting = ({ name, options }: GraphFilter): boolean =>
  name === 'crop' && options.some(({ value }) => value === placeholder('w'));

/** Replaces the placeholders of the second pass by what `next` returns for each `crop`. undefined: crops nothing. */
export const withRectangles = (graph: Graph, next: () => CropRectangle | undefined): Graph =>
  changed(graph, () => {
    const rectangle = next();
    return rectangle === undefined ? [] : CROP_FACTS.map((fact) => ({ key: fact, value: String(rectangle[fact]) }));
  });

/** Removes the placeholders, so that a fix shows a graph that the client can send. */
export const withoutCropPlaceholders = (graph: Graph): Graph => changed(graph, () => []);

const changed = (graph: Graph, optionsOf: () => GraphFilter['options']): Graph =>
  changeFilters(graph, (filter) => [isWaiting(filter) ? { ...filter, options: optionsOf() } : filter]);

/** The file in the scratch folder with the motions for a `vidstabtransform`. */
const motionFile = (index: number): string => `pass/motion-${index}.trf`;

const OWN_FILE = /^pass\/motion-\d+\.trf$/;

const isTransform = ({ name }: GraphFilter): boolean => name === 'vidstabtransform';
const isDetector = ({ name }: GraphFilter): boolean => name === 'vidstabdetect';

/** Whether a graph has a filter that needs two passes. */
export const stabilizes = ({ chains }: Graph): boolean => chains.some((chain) => chain.some(isTransform));

/** The first `vidstabdetect` that is not directly before a `vidstabtransform`. */
export const looseDetector = ({ chains }: Graph): GraphFilter | undefined =>
  chains.flatMap((chain) => chain.filter((filter, index) => isDetector(filter) && !feedsTransform(chain, index)))[0];

/** Whether the filter is a `vidstabdetect` directly before a `vidstabtransform`. */
function feedsTransform(chain: GraphChain, index: number): boolean {
  const [filter, next] = [chain[index], chain[index + 1]];
  return (
    filter !== undefined && next !== undefined && isDetector(filter) && isTransform(next) && feedsNext(filter, next)
  );
}

/**
 * The graphs of the two passes. In the first one, `vidstabdetect` replaces `vidstabtransform`, with the options of a
 * `vidstabdetect` directly before it. In the second one, `vidstabtransform` reads the detected motions.
 *
 * @param next Returns the number of the next file of motions.
 */
export const stabilizingGraphs = (graph: Graph, next: () => number): PassGraphs =>
  splitPasses(graph, (filter, index, chain) => {
    if (feedsTransform(chain, index)) return [[], []];
    if (!isTransform(filter)) return [[filter], [filter]];
    const file = motionFile(next());
    const detector = feedsTransform(chain, index - 1) ? chain[index - 1] : undefined;
    const inputs = detector?.inputs ?? filter.inputs;
    const options = [{ key: 'result', value: file }, ...(detector?.options ?? [])];
    return [
      [{ inputs, name: 'vidstabdetect', outputs: filter.outputs, at: filter.at, options }],
      [{ ...filter, inputs, options: [{ key: 'input', value: file }, ...filter.options] }],
    ];
  });

/** Removes the files of motions, so that a fix shows the graph that the client can send. */
export const withoutMotionFiles = (graph: Graph): Graph =>
  changeFilters(graph, (filter) => [
    isTransform(filter) ? { ...filter, options: filter.options.filter(({ value }) => !OWN_FILE.test(value)) } : filter,
  ]);
