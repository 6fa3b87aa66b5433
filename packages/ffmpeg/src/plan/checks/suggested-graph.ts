import { type Edits, sendOption } from '@telecine/contract/domain/edit.ts';
import {
  changeFilters,
  type Graph,
  type GraphChain,
  type GraphFilter,
  isGraphError,
  printGraph,
} from '../../filtergraph/graph.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** The maximum length of a graph that a fix repeats, in characters. */
export const MAX_SUGGESTION = 500;

/** True if the graph is too long for a fix that repeats it for each of its errors. */
export const isLongGraph = ({ values, texts = values }: ArgvOption): boolean =>
  (texts[0]?.length ?? 0) > MAX_SUGGESTION;

/** True if the option has exactly one graph, without a syntax error. A fix can then replace it. */
export const hasOneGraph = ({ graphs = [] }: ArgvOption): boolean =>
  graphs.length === 1 && graphs.every((one) => !isGraphError(one));

/** The graph as the client wrote it if the option has only one graph, or else `checked`. */
export function writtenGraph({ graphs = [] }: ArgvOption, checked: Graph): Graph {
  const [written, ...others] = graphs;
  return written === undefined || others.length > 0 || isGraphError(written) ? checked : written;
}

export const areUnlabelled = (filters: GraphChain): boolean =>
  filters.every(({ inputs, outputs }) => inputs.length + outputs.length === 0);

export const newFilter = (name: string, parts: Partial<Omit<GraphFilter, 'name'>> = {}): GraphFilter => ({
  inputs: [],
  options: [],
  outputs: [],
  at: 0,
  ...parts,
  name,
});

export const sendGraph = (option: ArgvOption, meant: Graph): Edits => sendOption(sentName(option), printGraph(meant));

/** The fix that changes filters of the graph of an option. */
export const sendChanged = (option: ArgvOption, checked: Graph, change: (filter: GraphFilter) => GraphFilter): Edits =>
  sendGraph(
    option,
    changeFilters(writtenGraph(option, checked), (one) => [change(one)]),
  );
