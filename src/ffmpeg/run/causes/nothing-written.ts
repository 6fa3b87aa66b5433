import { orElse, sendMembers } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import { nothingDone } from '../../log/classify.ts';
import { isWholeMilliseconds } from '../../values/duration.ts';
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
  streamsOf,
} from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** Why nothing was written: the part that the request asks for lies behind the end of an input. */
export function explainNothingWritten(facts: MediaFacts): Failure | undefined {
  return seekBehindEnd(facts) ?? trimBehindEnd(facts) ?? crossfadeTooLong(facts) ?? selectedNothing(facts);
}

/** The failure if a single picture is sought after the last one of the film, whose sound may be longer. */
export const pictureBehindEnd = (facts: MediaFacts): Failure | undefined =>
  isPicture(facts) ? seekBehindEnd(facts) : undefined;

function selectedNothing(facts: MediaFacts): Failure | undefined {
  const found = emptySelection(facts, 'video') ?? emptySelection(facts, 'audio');
  return found && failed('FFMPEG_FAILED', `${nothingDone(facts.plan)}: ${found.reason}.`, found.fix);
}

function seekBehindEnd(facts: MediaFacts): Failure | undefined {
  const { inputs, output } = facts.plan.span;
  const longest = Math.max(
    ...facts.inputs.map((_one, index) => secondsOfInput(facts, index) ?? Number.POSITIVE_INFINITY),
  );
  for (const [index, { start }] of inputs.entries()) {
    const seconds = facts.inputs[index]?.durationSeconds;
    if (start === undefined || seconds === undefined || start < lastStart(facts, index, seconds)) continue;
    return startFix(facts, index, start, seconds);
  }
  const end = facts.inputs.length === 1 ? lastStart(facts, 0, longest) : longest;
  return output.start !== undefined && Number.isFinite(longest) && output.start >= end
    ? startFix(facts, 0, output.start, longest)
    : undefined;
}

/**
 * The first "ss" at which nothing of an input is left. For an output that is a picture, it is earlier than the end: the last picture
 * starts before it, and the sound of a film is often a little longer.
 */
function lastStart(facts: MediaFacts, input: number, seconds: number): number {
  const [film] = isPicture(facts) ? streamsOf(facts, input, 'video') : [];
  const { streamSeconds, traits } = facts.inputs[input] ?? {};
  const [end, rate] = film === undefined ? [] : [streamSeconds?.get(film.index), traits?.get(film.index)?.baseRate];
  return end === undefined || rate === undefined ? seconds : Math.min(seconds, end - 0.5 / rate);
}

const isPicture = ({ plan }: MediaFacts): boolean => /^image2/.test(plan.output.muxer);

function startFix(facts: MediaFacts, input: number, start: number, seconds: number): Failure {
  const { inputs, output } = facts.plan.span;
  const own = inputs[input]?.start === start ? { ...output, ...inputs[input] } : output;
  const end =
    isPicture(facts) && start < seconds
      ? `the last picture of ${pathOf(facts, input)} begins before`
      : `${pathOf(facts, input)} ends at ${secondsText(seconds)}`;
  const message = `${nothingDone(facts.plan)}: "ss" starts at ${secondsText(start)}, but ${end}`;
  const last = lastPart(facts, input, own, seconds);
  const before = last ?? `an "ss" before ${secondsText(seconds)}`;
  const times = inMilliseconds(own, seconds);
  if (times === undefined) return failed('FFMPEG_FAILED', `${message}.`, `Send ${before}, or leave "ss" out.`);
  return failed(
    'FFMPEG_FAILED',
    `${message}. Times are in seconds, not in milliseconds.`,
    orElse(sendMembers(times), before),
  );
}

/** The "ss" of the last seconds of an input, as many as "t" asks for, or of its last picture. undefined without "t" or a picture. */
function lastPart(
  facts: MediaFacts,
  input: number,
  { duration }: MediaFacts['plan']['span']['output'],
  seconds: number,
): string | undefined {
  const [film] = streamsOf(facts, input, 'video');
  const end = facts.inputs[input]?.streamSeconds?.get(film?.index ?? -1) ?? seconds;
  if (isPicture(facts) && film?.fps !== undefined && end > 1 / film.fps)
    return `"ss": "${Math.floor((end - 1 / film.fps) * 1000) / 1000}" for the last picture, an earlier "ss"`;
  if (duration === undefined || duration >= seconds) return undefined;
  return `"ss": "${Math.round((seconds - duration) * 100) / 100}" for the last ${secondsText(duration)}, an earlier "ss"`;
}

/** The times of a cut in seconds, if they are certainly in milliseconds: all of them are within the input then. */
function inMilliseconds(
  { start = 0, duration, end }: MediaFacts['plan']['span']['output'],
  seconds: number,
): Readonly<Record<string, string>> | undefined {
  const times = Object.entries({ ss: start, t: duration, to: end }).flatMap(([name, value]): [string, number][] =>
    value === undefined ? [] : [[name, value]],
  );
  if (!times.every(([, value]) => isWholeMilliseconds(value) && value / 1000 < seconds)) return undefined;
  return Object.fromEntries(times.map(([name, value]) => [name, `${value / 1000}`]));
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
        `${nothingDone(facts.plan)}: the filter ${filter.name} starts at ${secondsText(start)}, but ${pathOf(facts, source.input)} has only ${secondsText(seconds)}.`,
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
          `${nothingDone(facts.plan)}: the crossfade takes ${secondsText(asked)}, but ${pathOf(facts, source.input)} has only ${secondsText(seconds)}.`,
          withFilter(facts, graph, filter, printChanged(filter, { d: possible }, ['duration', 'nb_samples', 'ns'])),
        );
      }
    }
  return undefined;
}
