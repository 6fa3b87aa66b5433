import { changeFilters, type Graph, type GraphChain, type GraphFilter } from './graph.ts';

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
