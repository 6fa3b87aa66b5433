import { changeFilters, filterWith, type Graph, type GraphChain, type GraphFilter } from './graph.ts';
import { feedsNext, type PassGraphs, splitPasses } from './pass-graphs.ts';

/** The values that the first pass measures for a `crop`, in pixels: the rectangle that contains the content of all frames. */
export const CROP_FACTS = ['w', 'h', 'x', 'y'] as const;

type CropFact = (typeof CROP_FACTS)[number];
export type CropRectangle = Readonly<Record<CropFact, number>>;

/** Returns the path of the scratch file for one fact about the `crop` with this number. */
export const cropFile = (index: number, fact: CropFact): string => `pass/crop-${index}-${fact}.txt`;

/** Returns a placeholder for a value that the first pass measures. */
const placeholder = (fact: CropFact): string => `CROP_${fact.toUpperCase()}`;

/** True if the filter is a `cropdetect` directly before a `crop` without options. By itself, such a `crop` does nothing. */
function feedsCrop(chain: GraphChain, index: number): boolean {
  const [filter, next] = [chain[index], chain[index + 1]];
  const isPair = filter?.name === 'cropdetect' && next?.name === 'crop';
  return isPair && feedsNext(filter, next) && next.options.length === 0;
}

/** The index of `round` among the positional options of `cropdetect`. */
const ROUND_POSITION = 1;

/**
 * Sets `round` of `cropdetect` to 2 pixels, unless the client chose another value. ffmpeg's default of 16 cuts off up to 15 lines of the
 * image.
 */
function inEvenSteps(filter: GraphFilter): GraphFilter {
  const positional = filter.options.filter(({ key }) => key === undefined).length;
  const isChosen = filter.options.some(({ key }) => key === 'round') || positional > ROUND_POSITION;
  return isChosen ? filter : { ...filter, options: [...filter.options, { key: 'round', value: '2' }] };
}

/** True if a graph has a `crop` whose values the service measures. */
export const cropsToContent = ({ chains }: Graph): boolean =>
  chains.some((chain) => chain.some((_filter, index) => feedsCrop(chain, index)));

/**
 * Returns the graphs of the two passes. The first graph measures and does not crop. The second graph crops and does not measure.
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
    // Deletes metadata of the file, because it could look like measured values.
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

/**
 * Replaces the placeholders of the second pass by the values that `next` returns for each `crop`. If `next` returns undefined, the `crop`
 * cuts nothing off.
 */
export const withRectangles = (graph: Graph, next: () => CropRectangle | undefined): Graph =>
  changed(graph, () => {
    const rectangle = next();
    return rectangle === undefined ? [] : CROP_FACTS.map((fact) => ({ key: fact, value: String(rectangle[fact]) }));
  });

/** Removes the placeholders of measured values, so that a fix shows a graph that the client can send. */
export const withoutCropPlaceholders = (graph: Graph): Graph => changed(graph, () => []);

const changed = (graph: Graph, optionsOf: () => GraphFilter['options']): Graph =>
  changeFilters(graph, (filter) => [isWaiting(filter) ? { ...filter, options: optionsOf() } : filter]);
