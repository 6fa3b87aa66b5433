import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import type { GraphOption } from '../../filtergraph/option-list.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { withFilters, writtenGraphs } from './written-graphs.ts';

/** The longest delay in milliseconds that nobody hears if all channels have it: a frame of a film lasts 40. */
const UNHEARD_MS = 10;

const DELAY = /^\d{1,2}(?:\.\d+)?$/;
/** ffmpeg takes "s" for seconds only after a whole number. */
const FRACTION = /^\d{0,5}\.\d+s$/;

/** A delay of a filter `adelay` that is shorter than what is meant. */
interface ShortDelay {
  readonly message: string;
  /** The options that are meant. */
  readonly options: readonly GraphOption[];
}

function shortDelay({ name, options }: GraphFilter): ShortDelay | undefined {
  if (name !== 'adelay') return undefined;
  const delays = options.findLast(({ key }) => key === 'delays')?.value.split('|') ?? [];
  const others = options.filter(({ key }) => key !== 'delays');
  const fraction = delays.find((one) => FRACTION.test(one));
  if (fraction !== undefined) {
    const meant = delays.map((one) => (FRACTION.test(one) ? milliseconds(one) : one));
    return {
      message: `The filter "adelay" reads "${fraction}" as ${Number.parseFloat(fraction)} milliseconds: only whole numbers can have "s".`,
      options: [{ value: meant.join('|') }, ...others],
    };
  }
  const [first = ''] = delays;
  if (!DELAY.test(first) || Number(first) <= 0 || Number(first) > UNHEARD_MS) return undefined;
  // Different delays widen a stereo sound, and that needs a few milliseconds.
  if (delays.some((one) => one !== first)) return undefined;
  return {
    message: `The filter "adelay" reads milliseconds: ${first} delays the sound by ${Number(first) / 1000} s.`,
    // The fix delays all channels, as the first one.
    options: [
      { value: first.includes('.') ? milliseconds(first) : `${first}s` },
      ...others.filter(({ key }) => key !== 'all'),
      { key: 'all', value: '1' },
    ],
  };
}

const milliseconds = (seconds: string): string => String(Math.round(Number.parseFloat(seconds) * 1000));

/** Warns about `adelay=2`, a delay of two milliseconds, and about `adelay=0.5s`, one of half a millisecond. */
export const shortDelays = (options: readonly ArgvOption[]): readonly Warning[] =>
  writtenGraphs(options).flatMap((graph) => {
    const { option, checked } = graph;
    const [short] = checked.chains.flat().flatMap((filter) => shortDelay(filter) ?? []);
    if (short === undefined) return [];
    const meant = withFilters(graph, (filter, named) => {
      const found = shortDelay(named);
      return found === undefined ? filter : { ...filter, options: found.options };
    });
    return [
      {
        field: option.field,
        code: 'UNUSUAL_VALUE',
        message: short.message,
        fix: sendOption(sentName(option), printGraph(meant)),
      },
    ];
  });
