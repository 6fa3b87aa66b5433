import { changeFilters, type Graph, type GraphChain, type GraphFilter } from './graph.ts';
import { feedsNext, type PassGraphs, splitPasses } from './pass-graphs.ts';

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
