import type { Failure } from '../../../domain/failure.ts';
import { andList } from '../../../domain/word-list.ts';
import { isWholeMilliseconds } from '../../values/mistaken-milliseconds.ts';
import { emptySelection } from '../empty-filters.ts';
import { TIMES } from '../filter-effects.ts';
import { printChanged, withFilter } from '../graph-fixes.ts';
import {
  type MediaFacts,
  optionValue,
  pathOf,
  secondsIn,
  secondsOfInput,
  secondsText,
  sourceOf,
} from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** Why nothing was written: the part that the request asks for lies behind the end of an input. */
export function explainNothingWritten(facts: MediaFacts): Failure | undefined {
  return seekBehindEnd(facts) ?? trimBehindEnd(facts) ?? crossfadeTooLong(facts) ?? selectedNothing(facts);
}

const NOTHING = 'Nothing was written';

function selectedNothing(facts: MediaFacts): Failure | undefined {
  const found = emptySelection(facts, 'video') ?? emptySelection(facts, 'audio');
  return found && failed('FFMPEG_FAILED', `${NOTHING}: ${found.reason}.`, found.fix);
}

function seekBehindEnd(facts: MediaFacts): Failure | undefined {
  const { inputs, output } = facts.plan.span;
  const longest = Math.max(
    ...facts.inputs.map((_one, index) => secondsOfInput(facts, index) ?? Number.POSITIVE_INFINITY),
  );
  for (const [index, { start }] of inputs.entries()) {
    const seconds = facts.inputs[index]?.durationSeconds;
    if (start === undefined || seconds === undefined || start < seconds) continue;
    return startFix(facts, index, start, seconds);
  }
  return output.start !== undefined && Number.isFinite(longest) && output.start >= longest
    ? startFix(facts, 0, output.start, longest)
    : undefined;
}

function startFix(facts: MediaFacts, input: number, start: number, seconds: number): Failure {
  const { inputs, output } = facts.plan.span;
  const message = `${NOTHING}: "ss" starts at ${secondsText(start)}, but ${pathOf(facts, input)} ends at ${secondsText(seconds)}`;
  const before = `an "ss" before the end, such as "ss": "${Math.floor(seconds / 2)}"`;
  const times = inMilliseconds(inputs[input]?.start === start ? { ...output, ...inputs[input] } : output, seconds);
  if (times === undefined) return failed('FFMPEG_FAILED', `${message}.`, `Send ${before}, or leave it out.`);
  return failed(
    'FFMPEG_FAILED',
    `${message}. Times are in seconds, not in milliseconds.`,
    `Send ${andList(times)}, or ${before}.`,
  );
}

/** The times of a cut in seconds, if they are certainly in milliseconds: all of them are within the input then. */
function inMilliseconds(
  { start = 0, duration, end }: MediaFacts['plan']['span']['output'],
  seconds: number,
): readonly string[] | undefined {
  const times = Object.entries({ ss: start, t: duration, to: end }).flatMap(([name, value]): [string, number][] =>
    value === undefined ? [] : [[name, value]],
  );
  if (!times.every(([, value]) => isWholeMilliseconds(value) && value / 1000 < seconds)) return undefined;
  return times.map(([name, value]) => `"${name}": "${value / 1000}"`);
}

function trimBehindEnd(facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      if (!/^a?trim$/.test(filter.name)) continue;
      const source = sourceOf(facts, graph, filter, 0, TIMES);
      const seconds = source && secondsOfInput(facts, source.input);
      const start = secondsIn(optionValue(filter, 'start', 'starti'));
      if (source === undefined || seconds === undefined || start === undefined || start < seconds) continue;
      return failed(
        'FFMPEG_FAILED',
        `${NOTHING}: the filter ${filter.name} starts at ${secondsText(start)}, but ${pathOf(facts, source.input)} has only ${secondsText(seconds)}.`,
        withFilter(facts, graph, filter, printChanged(filter, { start: Math.floor(seconds / 2) }, ['starti'])),
      );
    }
  return undefined;
}

function crossfadeTooLong(facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      if (filter.name !== 'acrossfade') continue;
      const asked = secondsIn(optionValue(filter, 'duration', 'd')) ?? 1;
      for (const pad of [0, 1]) {
        const source = sourceOf(facts, graph, filter, pad, TIMES);
        const seconds = source && secondsOfInput(facts, source.input);
        if (source === undefined || seconds === undefined || seconds > asked) continue;
        const possible = Math.max(0.1, Math.floor(seconds * 7) / 10);
        return failed(
          'FFMPEG_FAILED',
          `${NOTHING}: the crossfade takes ${secondsText(asked)}, but ${pathOf(facts, source.input)} has only ${secondsText(seconds)}.`,
          withFilter(facts, graph, filter, printChanged(filter, { d: possible }, ['duration', 'nb_samples', 'ns'])),
        );
      }
    }
  return undefined;
}
