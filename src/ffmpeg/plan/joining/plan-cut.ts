import { CUT_LIMITS, type Cut, isMeasured, measuredBy } from '../../../domain/cut.ts';
import { extension } from '../../../domain/media-path.ts';
import type { PlannedCut, Warning } from '../../../domain/plan.ts';
import type { ProbedInput } from '../../../domain/probed-input.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { frameRateOf, framesIn, MAX_CROSSFADE_SECONDS, secondsOf } from '../../filtergraph/crossfades.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, sentName, serviceOption } from '../request/argv-option.ts';
import { isPictureExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { readTrim } from '../request/trim-range.ts';
import { type Clip, readClip, unknownLength } from './clip.ts';
import { concatList } from './concat-list.ts';
import { type CutFrames, type KeptFrames, printCutGraph } from './cut-graph.ts';
import { type KeptRange, readRanges } from './cut-ranges.ts';
import { filterJoined, isJoinedFilter } from './joined-filters.ts';
import { chooseTarget, type JoinedStreams, type JoinFacts, listInput, NOTHING_TO_JOIN } from './plan-join.ts';
import { usualRate } from './target.ts';

/** The inputs and options for ffmpeg that replace those of the request. */
export interface CutStreams extends Omit<JoinedStreams, 'join'> {
  readonly cut: PlannedCut;
}

/** Plans how parts of the input become the output. Returns undefined if `errors` has errors then. */
export function planCut(
  cut: Cut,
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  facts: JoinFacts,
  errors: FieldError[],
): CutStreams | undefined {
  const errorsBefore = errors.length;
  const [input] = inputs;
  checkRequest(cut, inputs, options, errors);
  const mode = modeOf(options, facts, errors);
  if (input === undefined || errors.length > errorsBefore) return undefined;
  const media = facts.mediaOf(input);
  const clip = readClip(input, media);
  const warnings: Warning[] = [];
  const measured = media?.measured;
  const seconds = media === undefined ? undefined : clip.seconds;
  const ranges = readRanges(cut, { path: input.source.path, seconds, measured }, errors, warnings);
  if (ranges === undefined) return undefined;
  if (measured?.length === 0) warnings.push(nothingMeasured(cut));
  const measure = measuredBy(cut);
  const planned: PlannedCut = {
    mode,
    clips: [facts.indexOf(input)],
    // What copies need is known only when their parts are.
    starts:
      mode === 'copy' && (measure === undefined || measured !== undefined) ? ranges.map(({ start }) => start) : [0],
    isAssumed: media === undefined || (measure !== undefined && measured === undefined),
    ...(measure && { measure }),
  };
  const all = { ranges, clip, warnings };
  const streams =
    mode === 'copy' ? copyParts(all, options, cut, errors) : encodeParts(all, options, cut, facts, errors);
  return streams === undefined || errors.length > errorsBefore ? undefined : { ...streams, cut: planned };
}

function checkRequest(
  { crossfade }: Cut,
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  errors: FieldError[],
): void {
  const [input, ...others] = inputs;
  if (others.length > 0)
    errors.push({
      field: '/cut',
      code: 'EXCLUSIVE',
      message: `"cut" is about one input, and the request has ${inputs.length}.`,
      fix: 'Cut the film with a request of its own, and send the other one with "after" and the cut film among its "inputs".',
    });
  if (input === undefined) return;
  const { source, made, duration } = input;
  const isStill = duration !== undefined || (isPictureExtension(extension(source.path)) && !ANIMATED.test(source.path));
  if (made !== undefined || source.sequence !== undefined || isStill)
    errors.push({
      field: source.field,
      code: 'NOT_A_FILM',
      message: `"cut" needs a film or a sound, and ${quoted(source.path)} is a picture or a source.`,
      fix: 'Leave "cut" out.',
    });
  const timed = input.options.find(({ key }) => TIMING.has(key));
  if (timed !== undefined)
    errors.push({
      field: timed.field,
      code: 'EXCLUSIVE',
      message: `"cut" names times of the whole input, and "${sentName(timed)}" changes them.`,
      fix: `Leave "${sentName(timed)}" out, and send "cut": {"keep": [{"start": 10, "end": 20}]}.`,
    });
  const arranged = options.find(({ key, name }) => ARRANGING.has(name.name) || UNPLACED.test(key));
  if (arranged !== undefined)
    errors.push({
      field: arranged.field,
      code: 'EXCLUSIVE',
      message: `"${sentName(arranged)}" and "cut" both arrange the streams: a cut film has one picture and one sound.`,
      fix: `Leave "${sentName(arranged)}" out, and send "vf" and "af" for filters of the cut film; or cut first, and send a second request with "after".`,
    });
  if (crossfade !== undefined && crossfade > MAX_CROSSFADE_SECONDS)
    errors.push({
      field: '/cut/crossfade',
      code: 'BAD_CROSSFADE',
      message: `The crossfade is ${crossfade} s long; at most ${MAX_CROSSFADE_SECONDS} s are allowed.`,
      fix: 'Send "crossfade": 1.',
    });
}

const ANIMATED = /\.(?:gif|apng|webp)$/i;
const TIMING: ReadonlySet<string> = new Set('ss sseof t to itsoffset itsscale stream_loop loop re'.split(' '));
const ARRANGING: ReadonlySet<string> = new Set(['map', 'filter_complex', 'map_channel', 'shortest']);
/** Filters that cannot follow the cut picture or sound. */
const UNPLACED = /^filter(?::|$)(?![vVa](?::0)?$)/;

/** Whether the parts are copied: the picture is, or the sound of an output without one. */
function modeOf(
  options: readonly ArgvOption[],
  { audioOnly }: Pick<JoinFacts, 'audioOnly'>,
  errors: FieldError[],
): PlannedCut['mode'] {
  const copies = options.filter(({ name, values }) => name.name === 'c' && values.includes('copy'));
  const isSound = audioOnly || options.some(({ key }) => key === 'vn');
  const ofSound = copies.find(({ key }) => key.startsWith('c:a'));
  if (copies.some(({ key }) => key === 'c' || /^c:[vV]/.test(key)) || (isSound && ofSound !== undefined)) return 'copy';
  if (ofSound !== undefined)
    errors.push({
      field: ofSound.field,
      code: 'NEEDS_ENCODER',
      message: `"${sentName(ofSound)}": "copy" copies packets, and the picture is cut at frames: they would not fit together.`,
      fix: 'Send an encoder such as "aac", or "c": "copy", which cuts both at key frames.',
    });
  return 'encode';
}

interface Parts {
  readonly ranges: readonly KeptRange[];
  readonly clip: Clip;
  readonly warnings: readonly Warning[];
}

type Streams = Omit<CutStreams, 'cut'>;

function encodeParts(
  { ranges, clip, warnings }: Parts,
  options: readonly ArgvOption[],
  cut: Cut,
  facts: JoinFacts,
  errors: FieldError[],
): Streams | undefined {
  const target = chooseTarget([clip], options, facts);
  if (target.picture === undefined && target.sound === undefined) {
    errors.push({
      ...NOTHING_TO_JOIN,
      field: clip.input.source.field,
      message: 'The input has no picture or sound that the output can have.',
    });
    return undefined;
  }
  const rate =
    target.picture === undefined
      ? { frames: target.sound?.sampleRate ?? 1, per: 1 }
      : frameRateOf(options.some(({ key }) => RATE.test(key)) ? target.picture.framesPerSecond : ownRate(clip));
  if (cut.crossfade !== undefined && ranges.length > 1 && ranges.at(-1)?.end === undefined) {
    const unknown = unknownLength(clip);
    if (unknown !== undefined) errors.push(unknown);
  }
  const shorter: Warning[] = [];
  const frames = toFrames({ ranges, clip }, cut, rate, shorter);
  const graph = filterJoined(printCutGraph(clip, target, frames), options, target, facts.catalogue, errors);
  if (graph === undefined) return undefined;
  if (Buffer.byteLength(graph.text) > MAX_ARGUMENT) errors.push(tooLong(frames));
  const joined =
    ranges.every(({ end }) => end !== undefined) || clip.media !== undefined ? lengthOf(frames) : undefined;
  return {
    inputs: [clip.input],
    options: [
      { ...serviceOption('filter_complex', [graph.text]), field: graph.field, side: 'global' },
      serviceOption('map', [
        ...(target.picture === undefined ? [] : [`[${graph.picture}]`]),
        ...(target.sound === undefined ? [] : [`[${graph.sound}]`]),
      ]),
      // Those of the input are at other times.
      ...(options.some(({ key }) => key === 'map_chapters') ? [] : [serviceOption('map_chapters', ['-1'])]),
      ...options.filter((option) => !isJoinedFilter(option)),
    ],
    span: { inputs: [{}], output: readTrim(options), shortest: false, ...(joined !== undefined && { joined }) },
    warnings: [...warnings, ...shorter],
  };
}

/** The bytes of the longest argument that Linux passes to a program. */
const MAX_ARGUMENT = 128 * 1024 - 1;

const tooLong = ({ parts: { length }, crossfade }: CutFrames): FieldError => ({
  field: '/cut',
  code: 'TOO_MANY',
  message: `The output has ${length} parts, and the graph that makes them is longer than the ${MAX_ARGUMENT} bytes that ffmpeg can get.`,
  fix:
    crossfade > 0 && length > CUT_LIMITS.fadedRanges
      ? `Leave "crossfade" out, or send at most ${CUT_LIMITS.fadedRanges} parts.`
      : 'Send fewer parts, or shorter "vf" and "af".',
});

const RATE = /^r(?::[vV](?::0)?)?$/;

/** Above these rates, the number of frames a second is that of a container, not of a film. */
const MAX_AVERAGE = 480;
const MAX_BASE = 120;

/**
 * The rate of the frames of a film. A varying one gets the rate of its shortest frames. A base rate of twice the average is usually that
 * of fields.
 */
function ownRate({ picture, media }: Clip): number {
  const { rate = 25, stream = '' } = picture ?? {};
  const { baseFrameRate: base = 0 } = media?.streams.find(({ index }) => `${index}` === stream) ?? {};
  const isField = Math.abs(base / rate - 2) < 0.02;
  const chosen = base > rate && base <= MAX_BASE && !isField ? base : rate;
  return usualRate(chosen > MAX_AVERAGE ? 25 : chosen);
}

/** The parts in whole frames. Those that begin with the last frame of the one before are one. */
function toFrames(
  { ranges, clip }: Pick<Parts, 'ranges' | 'clip'>,
  { crossfade: asked = 0 }: Cut,
  rate: CutFrames['rate'],
  warnings: Warning[],
): CutFrames {
  const end = endOf(clip);
  const last = end === undefined ? undefined : Math.max(1, framesIn(end, rate));
  const parts: KeptFrames[] = [];
  for (const { start, end: stop } of ranges) {
    const from = Math.min(framesIn(start, rate), (last ?? Number.POSITIVE_INFINITY) - 1);
    const to =
      stop === undefined ? last : Math.max(from + 1, Math.min(framesIn(stop, rate), last ?? Number.POSITIVE_INFINITY));
    const before = parts.at(-1);
    // A crossfade needs both, so it keeps parts that touch.
    if (before?.to !== undefined && from <= before.to && asked === 0)
      parts[parts.length - 1] = { from: before.from, ...(to !== undefined && { to: Math.max(to, before.to) }) };
    else parts.push({ from: Math.max(from, before?.to ?? 0), ...(to !== undefined && { to }) });
  }
  if (asked === 0 || parts.length < 2) return { parts, rate, crossfade: 0 };
  const known = parts.map(({ from, to }) => ({ from, to: to ?? from + framesIn(ASSUMED_SECONDS, rate) }));
  const shortest = Math.min(...known.map(({ from, to }) => to - from));
  // A part has something between its crossfades.
  const crossfade = Math.min(framesIn(asked, rate), Math.floor((shortest - 1) / 2));
  if (crossfade < framesIn(asked, rate) && clip.media !== undefined && parts.at(-1)?.to !== undefined)
    warnings.push({
      field: '/cut/crossfade',
      code: 'SHORTER_CROSSFADE',
      message: `The crossfades take ${secondsOf(crossfade, rate)} s instead of ${asked} s: the shortest part is ${secondsOf(shortest, rate)} s long, and a crossfade takes less than half of a part.`,
      fix: `${crossfade === 0 ? 'Leave "crossfade" out' : `Send "crossfade": ${secondsOf(crossfade, rate)}`}, or send longer parts.`,
    });
  return { parts: known, rate, crossfade };
}

const ASSUMED_SECONDS = 10;

/** Where the picture ends, or the sound if there is none. undefined if it is not known. */
function endOf({ picture, sound, media, seconds }: Clip): number | undefined {
  // An estimate would cut the rest.
  if (media === undefined || seconds === undefined) return undefined;
  const stream = media.streams.find(({ index }) => `${index}` === (picture ?? sound)?.stream);
  const { durationSeconds: own, startSeconds = 0 } = stream ?? {};
  const { durationSeconds: whole, startSeconds: begin = 0 } = media.format;
  return own === undefined ? whole : Math.min(own + startSeconds - begin, whole ?? Number.POSITIVE_INFINITY);
}

const lengthOf = ({ parts, rate, crossfade }: CutFrames): number | undefined => {
  const frames = parts.map(({ from, to }) => (to === undefined ? undefined : to - from));
  return frames.some((one) => one === undefined)
    ? undefined
    : secondsOf(frames.reduce<number>((sum, one = 0) => sum + one, 0) - crossfade * (parts.length - 1), rate);
};

/** Seconds below which nobody notices that a part begins earlier. */
const NOTICEABLE = 0.05;
/** The most parts that a warning names. */
const MAX_NAMED = 5;

/** Parts whose packets are copied: each from the key frame at or before its start. Those that would overlap then become one. */
function copyParts(
  { ranges, clip, warnings }: Parts,
  options: readonly ArgvOption[],
  { crossfade }: Cut,
  errors: FieldError[],
): Streams | undefined {
  if (crossfade !== undefined)
    errors.push({
      field: '/cut/crossfade',
      code: 'NEEDS_ENCODER',
      message: '"crossfade" mixes pictures and sounds, and "c": "copy" copies them.',
      fix: 'Leave "crossfade" or "c": "copy" out.',
    });
  if (ranges.length > CUT_LIMITS.copiedRanges)
    errors.push({
      field: '/cut',
      code: 'TOO_MANY',
      message: `The output has ${ranges.length} parts; without encoding, at most ${CUT_LIMITS.copiedRanges} are allowed.`,
      fix: 'Leave "c": "copy" out, which cuts at each frame.',
    });
  const { input, media } = clip;
  const offset = media?.format.startSeconds ?? 0;
  const parts: { start: number; end?: number; key?: number }[] = [];
  const early: { asked: number; begin: number }[] = [];
  for (const [index, { start, end }] of ranges.entries()) {
    const key = media?.keys?.[index];
    const begin = key === undefined ? start : Math.max(0, key - offset);
    const before = parts.at(-1);
    if (begin < start - NOTICEABLE) early.push({ asked: start, begin: Math.max(begin, before?.end ?? 0) });
    if (before?.end !== undefined && begin <= before.end) {
      delete before.end;
      if (end !== undefined) before.end = end;
    } else parts.push({ start, ...(end !== undefined && { end }), ...(key !== undefined && { key }) });
  }
  const clips = parts.map(({ start, end, key }): Clip => {
    const trim = [
      ...(start === 0 ? [] : [serviceOption('ss', [`${start}`])]),
      ...(end === undefined ? [] : [serviceOption('to', [`${end}`])]),
    ];
    const known: ProbedInput | undefined = media && { ...media, ...(key !== undefined && { keySeconds: key }) };
    return { ...readClip({ ...input, options: trim }, known) };
  });
  const lengths = parts.map(({ start, end = media?.format.durationSeconds, key }) =>
    end === undefined ? undefined : end - (key === undefined ? start : Math.max(0, key - offset)),
  );
  const joined = lengths.every((one) => one !== undefined)
    ? lengths.reduce<number>((sum, one = 0) => sum + one, 0)
    : undefined;
  return {
    inputs: [listInput([input])],
    options: [
      ...options,
      ...(options.some(({ key }) => key === 'map_chapters') ? [] : [serviceOption('map_chapters', ['-1'])]),
    ],
    span: { inputs: [{}], output: readTrim(options), shortest: false, ...(joined !== undefined && { joined }) },
    texts: [concatList(clips)],
    warnings: [...warnings, ...earlyParts(early)],
  };
}

/** Where copied parts really begin. */
function earlyParts(early: readonly { readonly asked: number; readonly begin: number }[]): readonly Warning[] {
  if (early.length === 0) return [];
  const named = early
    .slice(0, MAX_NAMED)
    .map(({ asked, begin }) => `${Number(begin.toFixed(2))} s instead of ${Number(asked.toFixed(2))} s`);
  const more = early.length > MAX_NAMED ? ` and ${early.length - MAX_NAMED} more` : '';
  return [
    {
      field: '/cut',
      code: 'EARLIER_START',
      message: `Copies begin at a key frame, so parts begin at ${named.join(', ')}${more}.`,
      fix: 'Leave "c": "copy" out, which cuts at each frame.',
    },
  ];
}

function nothingMeasured({ remove }: Cut): Warning {
  const what = isMeasured(remove) ? Object.keys(remove).find((name) => name !== 'marginSeconds') : '';
  return {
    field: '/cut/remove',
    code: 'NOTHING_REMOVED',
    message: `No ${what} was found in the input, so nothing is removed.`,
    fix:
      what === 'black'
        ? 'Send a shorter "minSeconds", or a higher "pixel".'
        : 'Send a shorter "minSeconds", or a higher "noiseDb".',
  };
}
