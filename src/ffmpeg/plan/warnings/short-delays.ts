import type { Warning } from '../../../domain/plan.ts';
import type { GraphFilter, GraphOption } from '../../filtergraph/graph.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { sendOption } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { withFilters, writtenGraphs } from './written-graphs.ts';

/** The longest delay in milliseconds that nobody hears if all channels have it: a frame of a film lasts 40. */
const UNHEARD_MS = 10;

const DELAY = /^\d{1,2}(?:\.\d+)?$/;

/**
 * The delay of a filter `adelay` that is certainly meant in seconds: the same few milliseconds for all channels. Different
 * delays widen a stereo sound, and that needs a few milliseconds.
 */
function unheardDelay({ name, options }: GraphFilter): string | undefined {
  if (name !== 'adelay') return undefined;
  const [first = '', ...others] = options.findLast(({ key }) => key === 'delays')?.value.split('|') ?? [];
  const isShort = DELAY.test(first) && Number(first) > 0 && Number(first) <= UNHEARD_MS;
  return isShort && others.every((one) => one === first) ? first : undefined;
}

/** Warns about `adelay=2`, a delay of two milliseconds. The fix delays all channels, as the first one. */
export const shortDelays = (options: readonly ArgvOption[]): readonly Warning[] =>
  writtenGraphs(options).flatMap((graph) => {
    const { option, checked } = graph;
    const [delay] = checked.chains.flat().flatMap((filter) => unheardDelay(filter) ?? []);
    if (delay === undefined) return [];
    const meant = withFilters(graph, (filter, named) => {
      const unheard = unheardDelay(named);
      return unheard === undefined ? filter : { ...filter, options: inSeconds(named, unheard) };
    });
    return [
      {
        field: option.field,
        code: 'UNUSUAL_VALUE',
        message: `The filter "adelay" reads milliseconds: ${delay} delays the sound by ${Number(delay) / 1000} s.`,
        fix: sendOption(sentName(option), printGraph(meant)),
      },
    ];
  });

const inSeconds = ({ options }: GraphFilter, delay: string): readonly GraphOption[] => [
  { value: `${delay}s` },
  ...options.filter(({ key }) => key !== 'delays' && key !== 'all'),
  { key: 'all', value: '1' },
];
