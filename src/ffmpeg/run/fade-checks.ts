import { TIMES } from './filter-effects.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import { fieldOf, optionValue, secondsIn, secondsText } from './media-facts.ts';
import { secondsAt } from './seconds-at.ts';
import type { FilterCheck } from './time-checks.ts';

/** A picture that is black, or a sound that is silent, for less than this after a fade-out is meant. */
const REST_SECONDS = 1;

const isOut = (type: string | undefined): boolean => type === 'out' || type === '1';

/** A fade-out that ends long before the output does: the rest is black or silent. */
export const earlyFadeOut: FilterCheck = (facts, graph, filter) => {
  if ((filter.name !== 'fade' && filter.name !== 'afade') || !isOut(optionValue(filter, 'type', 't'))) return undefined;
  const isPicture = filter.name === 'fade';
  const hasCount = optionValue(filter, 'start_frame', 's', 'start_sample', 'ss', 'nb_frames', 'n', 'nb_samples', 'ns');
  const isPartial = optionValue(filter, 'enable') !== undefined || optionValue(filter, 'alpha') === '1';
  if (isPartial || hasCount !== undefined || graph.graph.chains.length > 1) return undefined;
  // A later filter can cut off the rest, or show the picture again.
  const others = graph.filters.filter((one) => one !== filter);
  if (others.some(({ name }) => TIMES.test(name) || name === filter.name)) {
    const isOnlyIn = others.every(
      (one) =>
        !TIMES.test(one.name) &&
        (one.name !== filter.name ||
          (!isOut(optionValue(one, 'type', 't')) && (secondsIn(optionValue(one, 'start_time', 'st')) ?? 0) === 0)),
    );
    if (!isOnlyIn) return undefined;
  }
  const start = secondsIn(optionValue(filter, 'start_time', 'st') ?? '0');
  const duration = secondsIn(optionValue(filter, 'duration', 'd') ?? '1');
  const at = secondsAt(facts, graph, filter);
  if (start === undefined || duration === undefined || at === undefined) return undefined;
  const end = start + duration;
  // If the output starts later, another check explains it.
  if (at.seconds - end <= REST_SECONDS || end <= (facts.plan.span.output.start ?? 0)) return undefined;
  const begin = Math.max(0, Math.floor((at.seconds - duration) * 100) / 100);
  const field = fieldOf(facts, graph.key);
  return {
    ...(field === undefined ? {} : { field }),
    code: 'EMPTY_STREAM',
    message: `The filter ${filter.name} ends at ${secondsText(end)}, and the ${
      isPicture ? `picture stays ${optionValue(filter, 'color', 'c') ?? 'black'}` : 'sound stays silent'
    } up to the end at ${secondsText(at.seconds)}.`,
    fix: withFilter(facts, graph, filter, printChanged(filter, { st: begin }, ['start_time'])),
  };
};
