import { type Edits, sendOption } from '@telecine/contract/domain/edit.ts';
import { type Graph, type GraphFilter, isGraphError, printGraph } from '../../filtergraph/graph.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';

/** A filtergraph as the client wrote it (`scale=640:-2`), and with a name for each value (`scale=w=640:h=-2`). */
export interface WrittenGraph {
  readonly option: ArgvOption;
  readonly written: Graph;
  readonly checked: Graph;
}

/** Returns the graphs of options that contain exactly one graph. A fix can replace the value of such an option. */
export const writtenGraphs = (options: readonly ArgvOption[]): readonly WrittenGraph[] =>
  options.flatMap((option) => {
    const [written, ...others] = option.graphs ?? [];
    const checked = option.checkedGraphs?.[0];
    if (written === undefined || others.length > 0 || isGraphError(written) || checked === undefined) return [];
    return [{ option, written, checked }];
  });

export const sendGraph = ({ option }: Pick<WrittenGraph, 'option'>, meant: Graph): Edits =>
  sendOption(sentName(option), printGraph(meant));

/** Replaces filters of the written graph. `change` gets each filter as the client wrote it, and with a name for each value (`named`). */
export const withFilters = (
  { written, checked }: Pick<WrittenGraph, 'written' | 'checked'>,
  change: (filter: GraphFilter, named: GraphFilter) => GraphFilter,
): Graph => ({
  ...written,
  chains: written.chains.map((chain, row) =>
    chain.map((filter, column) => {
      const named = checked.chains[row]?.[column];
      return named === undefined ? filter : change(filter, named);
    }),
  ),
});
