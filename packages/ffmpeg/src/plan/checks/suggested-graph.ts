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

/** The highest length of a graph that a fix repeats, in characters. */
export const MAX_SUGGESTION = 500;

/** Whether the graph is too long for a fix that repeats it for each of its errors. */
export const isLongGraph = ({ values, texts = values }: ArgvOption): boolean =>
  (texts[0]?.length ?? 0) > MAX_SUGGESTION;

/** Whether the option contains exactly one graph, without syntax errors. A fix can then replace the graph. */
export const hasOneGraph = ({ graphs = [] }: ArgvOption): boolean =>
  graphs.length === 1 && graphs.every((one) => !isGraphError(one));

/** Returns the graph as the client wrote it, if the option contains only that graph. Otherwise returns `checked`. */
export function writtenGraph({ graphs = [] }: ArgvOption, checked: Graph): Graph {
  const [written, ...others] = graphs;
  return written === undefined || others.length > 0 || isGraphError(written) ? checked : written;
}

export const areUnlabelled = (filters: GraphChain): boolean =>
  filters.every(({ inputs, outputs }) => inputs.length + outputs.length === 0);

/** A filter that a fix adds to a graph. */
export const newFilter = (name: string, parts: Partial<Omit<GraphFilter, 'name'>> = {}): GraphFilter => ({
  inputs: [],
  options: [],
  outputs: [],
  at: 0,
  ...parts,
  name,
});

/** Returns the fix that sends another graph. */
export const sendGraph = (option: ArgvOption, meant: Graph): Edits => sendOption(sentName(option), printGraph(meant));

/** Returns the fix that sends the graph of an option with changed filters. */
export const sendChanged = (option: ArgvOption, checked: Graph, change: (filter: GraphFilter) => GraphFilter): Edits =>
  sendGraph(
    option,
    changeFilters(writtenGraph(option, checked), (one) => [change(one)]),
  );
