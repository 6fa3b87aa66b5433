import { changeFilters, type Graph, type GraphChain, type GraphFilter } from './graph.ts';

/** What the first pass finds out for a `crop`: the rectangle outside of which all pictures are black, in pixels. */
export const CROP_FACTS = ['w', 'h', 'x', 'y'] as const;

export type CropFact = (typeof CROP_FACTS)[number];
export type CropRectangle = Readonly<Record<CropFact, number>>;

/** The file in the scratch folder to which ffmpeg writes a fact for the `crop` with this number. */
export const cropFile = (index: number, fact: CropFact): string => `pass/crop-${index}-${fact}.txt`;

/** It stands for what the first pass finds out. */
const placeholder = (fact: CropFact): string => `CROP_${fact.toUpperCase()}`;

const filterWith = (
  like: GraphFilter,
  name: string,
  options: Readonly<Record<string, string | number>>,
): GraphFilter => ({
  ...{ name, at: like.at, inputs: [], outputs: [] },
  options: Object.entries(options).map(([key, value]) => ({ key, value: String(value) })),
});

/** Whether the filter is a `cropdetect` whose pictures go directly to a `crop` without options, which alone does nothing. */
function feedsCrop(chain: GraphChain, index: number): boolean {
  const [filter, next] = chain.slice(index, index + 2);
  if (filter?.name !== 'cropdetect' || next?.name !== 'crop') return false;
  return filter.outputs.length === 0 && next.inputs.length === 0 && next.options.length === 0;
}

/** The positions of the options of `cropdetect` before its `round`, and it. */
const ROUND_POSITION = 1;

/**
 * Measures sizes to two pixels, unless the client chose other steps. The default of ffmpeg is 16, which cuts off up to 15 lines of the
 * picture.
 */
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
export function croppingGraphs(graph: Graph, next: () => number): { readonly first: Graph; readonly second: Graph } {
  const first: GraphChain[] = [];
  const second: GraphChain[] = [];
  for (const chain of graph.chains) {
    const measuring: GraphFilter[] = [];
    const cropping: GraphFilter[] = [];
    for (const [index, filter] of chain.entries()) {
      const crop = chain[index + 1];
      if (feedsCrop(chain, index) && crop !== undefined) {
        const number = next();
        const printed = CROP_FACTS.map((fact) =>
          filterWith(filter, 'metadata', {
            ...{ mode: 'print', key: `lavfi.cropdetect.${fact}`, file: cropFile(number, fact) },
          }),
        );
        // Metadata of the file must not look like measured values.
        const cleared = { ...filterWith(filter, 'metadata', { mode: 'delete' }), inputs: filter.inputs };
        const last = { ...filterWith(crop, 'null', {}), outputs: crop.outputs };
        measuring.push(cleared, { ...inEvenSteps(filter), inputs: [] }, ...printed, last);
        const options = CROP_FACTS.map((fact) => ({ key: fact, value: placeholder(fact) }));
        cropping.push({ ...crop, inputs: filter.inputs, options });
      } else if (!feedsCrop(chain, index - 1)) {
        measuring.push(filter);
        cropping.push(filter);
      }
    }
    first.push(measuring);
    second.push(cropping);
  }
  return { first: { ...graph, chains: first }, second: { ...graph, chains: second } };
}

const isWaiting = ({ name, options }: GraphFilter): boolean =>
  name === 'crop' && options.some(({ value }) => value === placeholder('w'));

/** Replaces the placeholders of the second pass by what `next` returns for each `crop`. undefined: nothing is cut off. */
export const withRectangles = (graph: Graph, next: () => CropRectangle | undefined): Graph =>
  changed(graph, () => {
    const rectangle = next();
    return rectangle === undefined ? [] : CROP_FACTS.map((fact) => ({ key: fact, value: String(rectangle[fact]) }));
  });

/** Removes the placeholders, so that a fix shows a graph that the client can send. */
export const withoutCropPlaceholders = (graph: Graph): Graph => changed(graph, () => []);

const changed = (graph: Graph, optionsOf: () => GraphFilter['options']): Graph =>
  changeFilters(graph, (filter) => [isWaiting(filter) ? { ...filter, options: optionsOf() } : filter]);

/** The file of motions of a `vidstabtransform`, in the scratch folder. */
const fileOf = (index: number): string => `pass/motion-${index}.trf`;

const OWN_FILE = /^pass\/motion-\d+\.trf$/;

const isTransform = ({ name }: GraphFilter): boolean => name === 'vidstabtransform';
const isDetector = ({ name }: GraphFilter): boolean => name === 'vidstabdetect';

/** Whether a graph has a filter that needs two passes. */
export const stabilizes = ({ chains }: Graph): boolean => chains.some((chain) => chain.some(isTransform));

/** The first `vidstabdetect` that is not directly before a `vidstabtransform`. */
export const looseDetector = ({ chains }: Graph): GraphFilter | undefined =>
  chains
    .flatMap((chain) => chain.filter((filter, index) => isDetector(filter) && !feedsTransform(chain, index)))
    .find(() => true);

/** Whether the filter is a `vidstabdetect` whose pictures go directly to a `vidstabtransform`. */
function feedsTransform(chain: GraphChain, index: number): boolean {
  const [filter, next] = chain.slice(index, index + 2);
  if (filter === undefined || next === undefined || !isDetector(filter) || !isTransform(next)) return false;
  return filter.outputs.length === 0 && next.inputs.length === 0;
}

/**
 * The graphs of the two passes. In the first one, `vidstabdetect` replaces `vidstabtransform`; its options are those of a
 * `vidstabdetect` directly before it. In the second one, `vidstabtransform` reads what was detected.
 *
 * @param next Returns the number of the next file of motions.
 */
export function stabilizingGraphs(graph: Graph, next: () => number): { readonly first: Graph; readonly second: Graph } {
  const first: GraphChain[] = [];
  const second: GraphChain[] = [];
  for (const chain of graph.chains) {
    const detecting: GraphFilter[] = [];
    const transforming: GraphFilter[] = [];
    for (const [index, filter] of chain.entries()) {
      if (feedsTransform(chain, index)) continue;
      if (!isTransform(filter)) {
        detecting.push(filter);
        transforming.push(filter);
        continue;
      }
      const file = fileOf(next());
      const detector = feedsTransform(chain, index - 1) ? chain[index - 1] : undefined;
      const inputs = detector?.inputs ?? filter.inputs;
      detecting.push({
        ...{ inputs, name: 'vidstabdetect', outputs: filter.outputs, at: filter.at },
        options: [{ key: 'result', value: file }, ...(detector?.options ?? [])],
      });
      transforming.push({ ...filter, inputs, options: [{ key: 'input', value: file }, ...filter.options] });
    }
    first.push(detecting);
    second.push(transforming);
  }
  return { first: { ...graph, chains: first }, second: { ...graph, chains: second } };
}

/** Removes the files of motions, so that a fix shows the graph that the client can send. */
export const withoutMotionFiles = (graph: Graph): Graph =>
  changeFilters(graph, (filter) => [
    isTransform(filter) ? { ...filter, options: filter.options.filter(({ value }) => !OWN_FILE.test(value)) } : filter,
  ]);
