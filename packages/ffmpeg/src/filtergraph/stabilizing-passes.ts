import { changeFilters, type Graph, type GraphChain, type GraphFilter } from './graph.ts';
import { feedsNext, type PassGraphs, splitPasses } from './pass-graphs.ts';

/** Returns the path of the scratch file with the motions for a `vidstabtransform`. */
const motionFile = (index: number): string => `pass/motion-${index}.trf`;

const OWN_FILE = /^pass\/motion-\d+\.trf$/;

const isTransform = ({ name }: GraphFilter): boolean => name === 'vidstabtransform';
const isDetector = ({ name }: GraphFilter): boolean => name === 'vidstabdetect';

/** True if a graph has a `vidstabtransform`, which needs two passes. */
export const stabilizes = ({ chains }: Graph): boolean => chains.some((chain) => chain.some(isTransform));

/** Returns the first `vidstabdetect` that does not stand directly before a `vidstabtransform`. */
export const looseDetector = ({ chains }: Graph): GraphFilter | undefined =>
  chains.flatMap((chain) => chain.filter((filter, index) => isDetector(filter) && !feedsTransform(chain, index)))[0];

/** True if the filter is a `vidstabdetect` directly before a `vidstabtransform`. */
function feedsTransform(chain: GraphChain, index: number): boolean {
  const [filter, next] = [chain[index], chain[index + 1]];
  return (
    filter !== undefined && next !== undefined && isDetector(filter) && isTransform(next) && feedsNext(filter, next)
  );
}

/**
 * Returns the graphs of the two passes. In the first graph, `vidstabdetect` replaces `vidstabtransform`. If the client sent a
 * `vidstabdetect` directly before it, its options apply. In the second graph, `vidstabtransform` reads the detected motions.
 *
 * @param next Returns the number of the next motion file.
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

/** Removes the paths of motion files, so that a fix shows a graph that the client can send. */
export const withoutMotionFiles = (graph: Graph): Graph =>
  changeFilters(graph, (filter) => [
    isTransform(filter) ? { ...filter, options: filter.options.filter(({ value }) => !OWN_FILE.test(value)) } : filter,
  ]);
