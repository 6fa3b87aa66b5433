import { changeFilters, filterWith, type Graph, type GraphChain, type GraphFilter } from './graph.ts';
import { feedsNext, type PassGraphs, splitPasses } from './pass-graphs.ts';

/** What the first pass measures for a `crop`, in pixels: the rectangle with the content of all frames, without black bars. */
export const CROP_FACTS = ['w', 'h', 'x', 'y'] as const;

type CropFact = (typeof CROP_FACTS)[number];
export type CropRectangle = Readonly<Record<CropFact, number>>;

/** The scratch file for one measured value of the `crop` with this number. */
export const cropFile = (index: number, fact: CropFact): string => `pass/crop-${index}-${fact}.txt`;

/** The placeholder in the graph of the second pass for a value that the first pass measures. */
const placeholder = (fact: CropFact): string => `CROP_${fact.toUpperCase()}`;

/**
 * True if the filter is a `cropdetect` directly before a `crop` without options. The client then means "crop to what was detected"; in
 * ffmpeg, such a `crop` does nothing.
 */
function feedsCrop(chain: GraphChain, index: number): boolean {
  const [filter, next] = [chain[index], chain[index + 1]];
  const isPair = filter?.name === 'cropdetect' && next?.name === 'crop';
  return isPair && feedsNext(filter, next) && next.options.length === 0;
}

/** The index of `round` among the values of `cropdetect` without a name. */
const ROUND_POSITION = 1;

/** Sets `round` of `cropdetect` to 2 pixels, unless the client set it. ffmpeg's default, 16, cuts off up to 15 lines of the video. */
function inEvenSteps(filter: GraphFilter): GraphFilter {
  const positional = filter.options.filter(({ key }) => key === undefined).length;
  const isChosen = filter.options.some(({ key }) => key === 'round') || positional > ROUND_POSITION;
  return isChosen ? filter : { ...filter, options: [...filter.options, { key: 'round', value: '2' }] };
}

/** True if the service measures the values of a `crop` in this graph. */
export const cropsToContent = ({ chains }: Graph): boolean =>
  chains.some((chain) => chain.some((_filter, index) => feedsCrop(chain, index)));

/**
 * The graphs of the two passes. The first measures without cropping, the second crops without measuring.
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
    // Deletes metadata of the file, which could look like measured values.
    const cleared = { ...unlinked, ...filterWith('metadata', { mode: 'delete' }), inputs: filter.inputs };
    const last = { ...unlinked, at: crop.at, ...filterWith('null', {}), outputs: crop.outputs };
    const options = CROP_FACTS.map((fact) => ({ key: fact, value: placeholder(fact) }));
    return [
      [cleared, { ...inEvenSteps(filter), inputs: [] }, ...printed, last],
      [{ ...crop, inputs: filter.inputs, options }],
    ];
  });

/** True for a `crop` of the second pass whose values the first pass measures. */
export const isMeasuredCrop = ({ name, options }: GraphFilter): boolean =>
  name === 'crop' && options.some(({ value }) => value === placeholder('w'));

/**
 * Replaces the placeholders of the second pass by the values that `next` returns for each `crop`. If `next` returns undefined, this `crop`
 * cuts nothing off.
 */
export const withRectangles = (graph: Graph, next: () => CropRectangle | undefined): Graph =>
  changeFilters(graph, (filter) => {
    if (!isMeasuredCrop(filter)) return [filter];
    const rectangle = next();
    const options = rectangle && CROP_FACTS.map((fact) => ({ key: fact, value: String(rectangle[fact]) }));
    return [{ ...filter, options: options ?? [] }];
  });
