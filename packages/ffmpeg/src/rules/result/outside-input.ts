import type { GraphFilter } from '../../filtergraph/graph.ts';
import { RESIZING, TIMES } from '../../filtergraph/graph.ts';
import { readNumber } from '../../values/number.ts';
import { expectedSeconds } from '../facts/expected-seconds.ts';
import {
  type ArgvGraph,
  endAt,
  type FrameSize,
  type MediaFacts,
  optionValue,
  secondsIn,
  secondsText,
  sourceOf,
} from '../facts/media-facts.ts';
import { type Finding, loss, noEffect, type Rules } from '../rule.ts';

/** The options of filters that work from a time on, and for a time. In seconds. */
const TIMED: Readonly<Record<string, { readonly start: readonly string[]; readonly length?: readonly string[] }>> = {
  fade: { start: ['start_time', 'st'], length: ['duration', 'd'] },
  afade: { start: ['start_time', 'st'], length: ['duration', 'd'] },
  xfade: { start: ['offset'], length: ['duration'] },
  trim: { start: ['start', 'starti'] },
  atrim: { start: ['start', 'starti'] },
};

/** Options that count frames or samples instead of seconds. Their times are not compared. */
const COUNTED = /^(?:s|start_frame|n|nb_frames|ss|start_sample|ns|nb_samples|start_pts)$/;

/** Captures from when to when a filter works: `enable='between(t,20,25)'`, `enable='gte(t,20)'`. */
const ENABLED = /^(?:between|gte?)\(t,(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?\)$/;

/** When a filter works, in seconds. undefined: always, or at times that only ffmpeg knows. */
function timesOf(filter: GraphFilter): { readonly start: number; readonly end?: number } | undefined {
  const [, from, to] = ENABLED.exec(optionValue(filter, 'enable')?.replaceAll(' ', '') ?? '') ?? [];
  const names = TIMED[filter.name];
  const start = names && secondsIn(optionValue(filter, ...names.start) ?? '0');
  const isCounted = filter.options.some(({ key = '' }) => COUNTED.test(key));
  if (names === undefined || start === undefined || isCounted)
    return from === undefined ? undefined : { start: Number(from), ...(to !== undefined && { end: Number(to) }) };
  const length = names.length && secondsIn(optionValue(filter, ...names.length) ?? '1');
  return { start: Math.max(start, Number(from ?? 0)), ...(length !== undefined && { end: start + length }) };
}

/** The share of an effect that is missing, and the seconds, from which on it looks incomplete. */
const CUT_OFF = { share: 0.25, seconds: 0.2 };

function outsideTime(facts: MediaFacts, graph: ArgvGraph, filter: GraphFilter): Finding | undefined {
  const times = timesOf(filter);
  const limit = times && endAt(facts, graph, filter);
  if (times === undefined || limit === undefined) return undefined;
  const { start, end } = times;
  const { name } = filter;
  const place = { key: graph.key };
  const first = facts.plan.span.output.start ?? 0;
  const isLate = start >= limit.seconds;
  if (isLate || (end !== undefined && end <= first)) {
    const message = isLate
      ? `The filter ${name} starts at ${secondsText(start)}, but ${limit.what}`
      : `The filter ${name} ends at ${secondsText(end ?? 0)}, before the output starts at ${secondsText(first)} ("ss")`;
    const fix = isLate
      ? `Send a time before ${secondsText(limit.seconds)}. Times are in seconds.`
      : 'Send later times, or "ss" in the "parameters" of the input instead: the filters then count from there.';
    // Before a fade in and after a fade out, nothing is to be seen or heard.
    const isHidden = /^a?fade$/.test(name) && (optionValue(filter, 'type', 't') === 'out') !== isLate;
    if (!isHidden) return noEffect(`${message}.`, fix, place);
    const [lost, actual] = name === 'fade' ? ['picture', 'black'] : ['sound', 'silent'];
    const found = { lost, expected: lost, actual, code: 'EMPTY_STREAM', fix };
    return loss({ ...place, ...found, message: `${message}, so the whole ${lost} is ${actual}.` });
  }
  if (end === undefined) return undefined;
  const missing = end - limit.seconds;
  if (missing <= Math.max(CUT_OFF.seconds, CUT_OFF.share * (end - start)) || TIMED[name] === undefined)
    return undefined;
  return {
    ...place,
    code: 'CUT_OFF',
    message: `The filter ${name} lasts from ${secondsText(start)} to ${secondsText(end)}, but ${limit.what}, so it is not complete there.`,
    fix: `Send a start and a duration that end at ${secondsText(limit.seconds)} at the latest. Both are in seconds.`,
  };
}

type Names = Readonly<Record<string, number>>;

/** Filters that draw into the frame, or take a part of it: the names of their width and height, if they have some. */
const PLACED: Readonly<Record<string, readonly [width: readonly string[], height: readonly string[]] | undefined>> = {
  crop: [
    ['out_w', 'w'],
    ['out_h', 'h'],
  ],
  drawbox: [
    ['width', 'w'],
    ['height', 'h'],
  ],
  delogo: [['w'], ['h']],
  overlay: undefined,
  drawtext: undefined,
};

const sizeAt = (facts: MediaFacts, graph: ArgvGraph, filter: GraphFilter, pad: number): FrameSize | undefined => {
  const source = sourceOf(facts, graph, filter, pad, RESIZING);
  return source && facts.frameSize(source);
};

function outsidePlace(facts: MediaFacts, graph: ArgvGraph, filter: GraphFilter): Finding | undefined {
  const { name } = filter;
  const size = name in PLACED ? sizeAt(facts, graph, filter, 0) : undefined;
  if (size === undefined) return undefined;
  const { width: W, height: H } = size;
  const above = name === 'overlay' ? sizeAt(facts, graph, filter, 1) : undefined;
  const names: Names = {
    ...{ iw: W, in_w: W, ih: H, in_h: H },
    ...(name === 'overlay' && { W, H, main_w: W, main_h: H }),
    ...(above && { w: above.width, h: above.height, overlay_w: above.width, overlay_h: above.height }),
  };
  const numberIn = (text: string, more: Names = {}): number | undefined =>
    readNumber(text, (one) => ({ ...names, ...more })[one]);
  const [ofWidth = [], ofHeight = []] = PLACED[name] ?? [];
  // The size of a text or of an unclear overlay is unknown, so it may reach into the frame from anywhere before it.
  const unknown = PLACED[name] === undefined ? Number.POSITIVE_INFINITY : undefined;
  const w = above?.width ?? unknown ?? numberIn(optionValue(filter, ...ofWidth) ?? 'iw');
  const h = above?.height ?? unknown ?? numberIn(optionValue(filter, ...ofHeight) ?? 'ih');
  if (w === undefined || h === undefined || w === 0 || h === 0) return undefined;
  const after = { ow: w, out_w: w, oh: h, out_h: h };
  const isCentred = name === 'crop' && optionValue(filter, 'x') === undefined && optionValue(filter, 'y') === undefined;
  const x = isCentred ? 0 : numberIn(optionValue(filter, 'x') ?? '0', after);
  const y = isCentred ? 0 : numberIn(optionValue(filter, 'y') ?? '0', after);
  if (x === undefined || y === undefined) return undefined;
  const isOut = x >= W || y >= H || x + w <= 0 || y + h <= 0;
  // ffmpeg moves a `crop` inside, and rejects a larger one, and a `delogo` at the edge.
  const isBeyond = x < 0 || y < 0 || x + w > W || y + h > H;
  const mustFit = name === 'crop' || name === 'delogo';
  if (!isOut && !(mustFit && isBeyond)) return undefined;
  const fails = name === 'crop' ? w > W || h > H : name === 'delogo';
  const what = Number.isFinite(w) ? `takes ${w}x${h} at ${x},${y}` : `starts at ${x},${y}`;
  return {
    key: graph.key,
    code: fails ? 'FFMPEG_FAILED' : isOut && !mustFit ? 'NO_EFFECT' : 'OTHER_VALUE',
    message: `The filter ${name} ${what}, which is ${isOut ? '' : 'partly '}outside the frame of ${W}x${H}.${mustFit && !fails ? ' ffmpeg moves it inside.' : ''}`,
    fix: `Send a place inside ${W}x${H}, or scale the video first.`,
  };
}

/** Options of inputs that move their times, so that `ss` of the output does not count from their start. */
const SHIFTS = /^-(?:itsoffset|itsscale|sseof|copyts)$/;

/** Finds that nothing can be written: "ss" of an input is after its end, or "ss" of the output is after the end of all inputs. */
export function startAfterEnd(facts: MediaFacts): Finding | undefined {
  const { plan, inputs } = facts;
  const { span } = plan;
  // The header of these has no length, and ffmpeg only estimates it.
  if (inputs.some(({ demuxer }) => /^(?:aac|mp3)$/.test(demuxer)) || facts.hasOption(SHIFTS)) return undefined;
  const late = span.inputs.findIndex(({ start = 0 }, input) => start > 0 && facts.secondsOfInput(input) === 0);
  // Filters may lengthen what the inputs have.
  const available = facts.usesFilter(TIMES)
    ? undefined
    : expectedSeconds({ ...plan, span: { ...span, output: {} } }, inputs);
  const start = late < 0 ? span.output.start : span.inputs[late]?.start;
  const end = late < 0 ? available : inputs[late]?.durationSeconds;
  if (start === undefined || end === undefined || start < end) return undefined;
  const file = late < 0 && plan.inputs.length > 1 ? 'the longest input' : facts.pathOf(Math.max(0, late));
  return {
    key: 'ss',
    code: 'FFMPEG_FAILED',
    message: `"ss" starts at ${secondsText(start)}, but ${file} ends at ${secondsText(end)}.`,
    fix: `Send an "ss" before ${secondsText(end)}, or leave "ss" out. Times are in seconds.`,
  };
}

export const OUTSIDE_INPUT_RULES: Rules = {
  'late-start': {
    finds: '`ss` after the end of the input, so that nothing is written',
    result: ({ facts, isPredicted }) => (isPredicted ? (startAfterEnd(facts) ?? []) : []),
  },

  'outside-input': {
    finds: 'a time after the end of the input, or a place outside of its picture',
    result: ({ facts }) =>
      facts.graphs.flatMap((graph) =>
        graph.filters.flatMap(
          (filter) => outsideTime(facts, graph, filter) ?? outsidePlace(facts, graph, filter) ?? [],
        ),
      ),
  },
};
