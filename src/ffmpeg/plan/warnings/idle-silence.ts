import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import { readPlainNumber } from '../../values/number.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { withFilters, writtenGraphs } from './written-graphs.ts';

/** Whether a filter `silenceremove` has no periods, which are 0 then: it removes nothing. */
const isIdle = ({ name, options }: GraphFilter): boolean =>
  name === 'silenceremove' &&
  ['start_periods', 'stop_periods'].every((wanted) => {
    const value = options.findLast(({ key }) => key === wanted)?.value ?? '0';
    return readPlainNumber(value) === 0;
  });

/** Every silence of at least a second, below a level that is usual for speech. */
const EVERYWHERE: readonly GraphOption[] = [
  { key: 'stop_periods', value: '-1' },
  { key: 'stop_duration', value: '1' },
  { key: 'stop_threshold', value: '-50dB' },
];

/** Warns about `silenceremove` that removes nothing. The fix keeps what the filter has, and removes silence everywhere. */
export const idleSilence = (options: readonly ArgvOption[]): readonly Warning[] =>
  writtenGraphs(options).flatMap((graph) => {
    const { option, checked } = graph;
    if (!checked.chains.flat().some(isIdle)) return [];
    const meant = withFilters(graph, (filter, named) => {
      if (!isIdle(named)) return filter;
      const kept = named.options.filter(({ key }) => key !== 'start_periods' && key !== 'stop_periods');
      const missing = EVERYWHERE.filter(({ key }) => !kept.some((one) => one.key === key));
      return { ...filter, options: [...kept, ...missing] };
    });
    return [
      {
        field: option.field,
        code: 'NO_EFFECT',
        message:
          'The filter "silenceremove" removes nothing without "start_periods" (1: at the beginning) or "stop_periods" (-1: everywhere).',
        fix: sendOption(sentName(option), printGraph(meant)),
      },
    ];
  });
