import type { Graph, GraphChain, GraphFilter } from './graph.ts';
import { feedsNext, type PassGraphs, splitPasses } from './pass-graphs.ts';

/** The scratch file with the motions for one `vidstabtransform`. */
const motionFile = (index: number): string => `pass/motion-${index}.trf`;

const isTransform = ({ name }: GraphFilter): boolean => name === 'vidstabtransform';
const isDetector = ({ name }: GraphFilter): boolean => name === 'vidstabdetect';

/** True if a graph has a `vidstabtransform`, which needs two passes. */
export const stabilizes = ({ chains }: Graph): boolean => chains.some((chain) => chain.some(isTransform));

/** The first `vidstabdetect` that is not directly before a `vidstabtransform`. undefined: there is none. */
export const looseDetector = ({ chains }: Graph): GraphFilter | undefined =>
  chains.flatMap((chain) => chain.filter((filter, index) => isDetector(filter) && !feedsTransform(chain, index)))[0];

function feedsTransform(chain: GraphChain, index: number): boolean {
  const [filter, next] = [chain[index], chain[index + 1]];
  return (
    filter !== undefined && next !== undefined && isDetector(filter) && isTransform(next) && feedsNext(filter, next)
  );
}

/**
 * The graphs of the two passes. In the first, `vidstabdetect` stands in the place of `vidstabtransform`, with the options of the
 * `vidstabdetect` directly before it, if the client sent one. In the second, `vidstabtransform` reads the detected motions.
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
