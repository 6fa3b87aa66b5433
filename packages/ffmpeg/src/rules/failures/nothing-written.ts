import { hasEdits, orElse, sendMembers } from '@telecine/contract/domain/edit.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import { nothingDone } from '../../log/classify.ts';
import { isWholeMilliseconds } from '../../values/duration.ts';
import { withChoice } from '../facts/graph-fixes.ts';
import { type MediaFacts, secondsIn, secondsText } from '../facts/media-facts.ts';
import { filtersIn, type PlacedFilter } from '../facts/placed-filter.ts';
import { ffmpegFailure, type MediaFailure } from './media-failure.ts';

/** Explains why nothing was written: the requested part starts after the end of an input, or a filter removed everything. */
export function explainNothingWritten(facts: MediaFacts): MediaFailure | undefined {
  return seekBehindEnd(facts) ?? trimBehindEnd(facts) ?? crossfadeTooLong(facts) ?? selectedNothing(facts);
}

function selectedNothing(facts: MediaFacts): MediaFailure | undefined {
  const found = emptySelection(facts, 'video') ?? emptySelection(facts, 'audio');
  return found && ffmpegFailure(`${nothingDone(facts.plan)}: ${found.reason}.`, found.fix);
}

function seekBehindEnd(facts: MediaFacts): MediaFailure | undefined {
  const { inputs, output } = facts.plan.span;
  const longest = Math.max(
    ...facts.inputs.map((_one, index) => facts.secondsOfInput(index) ?? Number.POSITIVE_INFINITY),
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

function startFix(facts: MediaFacts, input: number, start: number, seconds: number): MediaFailure {
  const { inputs, output } = facts.plan.span;
  const own = inputs[input]?.start === start ? { ...output, ...inputs[input] } : output;
  const message = `${nothingDone(facts.plan)}: "ss" starts at ${secondsText(start)}, but ${facts.pathOf(input)} ends at ${secondsText(seconds)}`;
  const before = lastPart(own, seconds) ?? `an "ss" before ${secondsText(seconds)}`;
  const times = inMilliseconds(own, seconds);
  if (times === undefined) return ffmpegFailure(`${message}.`, `Send ${before}, or leave "ss" out.`);
  return ffmpegFailure(`${message}. Times are in seconds, not in milliseconds.`, orElse(sendMembers(times), before));
}

/** Returns text with an `ss` for the last `t` seconds. undefined: the output has no `t`, or a longer one. */
function lastPart({ duration }: MediaFacts['plan']['span']['output'], seconds: number): string | undefined {
  if (duration === undefined || duration >= seconds) return undefined;
  return `"ss": "${Math.round((seconds - duration) * 100) / 100}" for the last ${secondsText(duration)}, an earlier "ss"`;
}

/** Converts times of a cut from milliseconds to seconds. undefined: they do not look like milliseconds, or are too late even then. */
function inMilliseconds({ start = 0, duration, end }: MediaFacts['plan']['span']['output'], seconds: number) {
  const times = Object.entries({ ss: start, t: duration, to: end }).filter(([, value]) => value !== undefined);
  if (!times.every(([, value = 0]) => isWholeMilliseconds(value) && value / 1000 < seconds)) return undefined;
  return Object.fromEntries(times.map(([name, value = 0]) => [name, `${value / 1000}`]));
}

function trimBehindEnd(facts: MediaFacts): MediaFailure | undefined {
  for (const at of filtersIn(facts, 'trim', 'atrim')) {
    const source = at.timed();
    const start = secondsIn(at.option('start', 'starti'));
    if (source === undefined || start === undefined || start < source.seconds) continue;
    return ffmpegFailure(
      `${nothingDone(facts.plan)}: the filter ${at.name} starts at ${secondsText(start)}, but ${facts.pathOf(source.input)} has only ${secondsText(source.seconds)}.`,
      at.change({ start: Math.floor(source.seconds / 2) }, ['starti']),
    );
  }
  return undefined;
}

function crossfadeTooLong(facts: MediaFacts): MediaFailure | undefined {
  for (const at of filtersIn(facts, 'acrossfade')) {
    const asked = secondsIn(at.option('duration', 'd')) ?? 1;
    const source = [at.timed(0), at.timed(1)].find((one) => one !== undefined && one.seconds <= asked);
    if (source === undefined) continue;
    return ffmpegFailure(
      `${nothingDone(facts.plan)}: the crossfade takes ${secondsText(asked)}, but ${facts.pathOf(source.input)} has only ${secondsText(source.seconds)}.`,
      at.change({ d: Math.max(0.1, Math.floor(source.seconds * 7) / 10) }, ['duration', 'nb_samples', 'ns']),
    );
  }
  return undefined;
}

/** Finds the `select` or `aselect` that removed everything. Call it only if the output has nothing of this kind. */
export function emptySelection(facts: MediaFacts, kind: 'video' | 'audio') {
  const [at] = filtersIn(facts, kind === 'video' ? 'select' : 'aselect');
  return at && explain(at);
}

/** Matches a condition on the start time: `gt(t,100)`, `gte(t,100)`, `between(t,100,110)`. */
const FROM_TIME = /^(gte?|between)\(t,(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?\)$/;
/** Matches a condition on the difference between two frames: `gt(scene,0.9)`. */
const SCENE = /^gte?\(scene,(\d+(?:\.\d+)?|\.\d+)\)$/;

function explain(at: PlacedFilter): { readonly key: string; readonly reason: string; readonly fix: Hint } {
  const { key } = at.graph;
  const expression = (at.option('expr', 'e') ?? '').replaceAll(' ', '');
  const source = at.timed();
  const changed = (expr: string): Hint => at.change({ expr }, ['e']);
  const nothing = `the filter ${at.name} let nothing pass`;
  const [, call, from = '', to] = FROM_TIME.exec(expression) ?? [];
  if (call !== undefined && source !== undefined && Number(from) >= source.seconds) {
    const { input, seconds } = source;
    const begin = Math.floor(seconds / 2);
    return {
      key,
      reason: `${nothing}: it starts at ${secondsText(Number(from))}, but ${at.facts.pathOf(input)} has only ${secondsText(seconds)}`,
      fix: changed(to === undefined ? `${call}(t,${begin})` : `between(t,${begin},${Math.ceil(seconds)})`),
    };
  }
  const threshold = Number(SCENE.exec(expression)?.[1] ?? Number.NaN);
  if (!Number.isNaN(threshold)) {
    const note = 'If still nothing passes, lower it again.';
    const lower = threshold > 0.3 ? 0.3 : threshold / 3;
    const fix = changed(`gt(scene,${Number(lower.toPrecision(2))})`);
    return {
      key,
      reason: `${nothing}: no frame differs by more than ${threshold} from the one before`,
      fix: hasEdits(fix) ? { ...fix, note } : withAdvice(fix, note),
    };
  }
  return {
    key,
    reason: `${nothing}: its expression was 0 for every frame`,
    fix: withChoice(at.replace(at.name === 'select' ? 'null' : 'anull'), 'send another expression of the filter'),
  };
}
