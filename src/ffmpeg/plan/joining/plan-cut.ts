import { CUT_LIMITS, type Cut, isMeasured, measuredBy } from '../../../domain/cut.ts';
import { extension } from '../../../domain/media-path.ts';
import type { PlannedCut, Warning } from '../../../domain/plan.ts';
import type { ProbedInput } from '../../../domain/probed-input.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { frameRateOf, framesIn, limitCrossfades, secondsOf, totalFrames } from '../../filtergraph/crossfades.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, sentName, serviceOption } from '../request/argv-option.ts';
import { isPictureExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { readTrim } from '../request/trim-range.ts';
import { type Clip, readClip, unknownLength } from './clip.ts';
import { concatList } from './concat-list.ts';
import { type CutFrames, type KeptFrames, printCutGraph } from './cut-graph.ts';
import { type KeptRange, readRanges } from './cut-ranges.ts';
import { ARRANGING, longCrossfade } from './join-checks.ts';
import { filterJoined, isJoinedFilter } from './joined-filters.ts';
import {
  chooseTarget,
  type JoinedStreams,
  type JoinFacts,
  listInput,
  NOTHING_TO_JOIN,
  NOTICEABLE,
} from './plan-join.ts';
import { usualRate } from './target.ts';
import { isDeep } from './target-colours.ts';

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
  cut: Cut,
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
  const { source, made, duration, format } = input;
  const isStill = duration !== undefined || (isPictureExtension(extension(source.path)) && !ANIMATED.test(source.path));
  if (made !== undefined || source.sequence !== undefined || isStill)
    errors.push({
      field: source.field,
      code: 'NOT_A_FILM',
      message: `"cut" needs a film or a sound, and ${quoted(source.path)} is a picture or a source.`,
      fix: 'Leave "cut" out.',
    });
  if (format !== undefined)
    errors.push({
      field: `${source.field.replace(/\/input$/, '')}/parameters/f`,
      code: 'EXCLUSIVE',
      message: '"cut" looks into the input first, which works with files that name their own format, and not with "f".',
      fix: `Leave "f" out; or convert ${quoted(source.path)} to "film.mkv" with a request of its own, and cut that one with "after".`,
    });
  if (input.crossfade !== undefined) errors.push(fadeOfInput(cut, input.crossfade));
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
  const tooLong = cut.crossfade === undefined ? undefined : longCrossfade(cut.crossfade, '/cut/crossfade', '1');
  if (tooLong !== undefined) errors.push(tooLong);
}

/** The crossfade of an input, which `cut` has itself. */
function fadeOfInput(cut: Cut, { seconds, field }: NonNullable<ArgvInput['crossfade']>): FieldError {
  const meant = JSON.stringify({ ...cut, crossfade: cut.crossfade ?? seconds });
  return {
    field,
    code: 'EXCLUSIVE',
    message:
      'An input fades in over the one before it, and "cut" is about one input. Its parts fade by "crossfade" in "cut".',
    fix: `Leave "crossfade" out here, and send "cut": ${meant.length > MAX_REPEATED ? `{…, "crossfade": ${seconds}}` : meant}.`,
  };
}

/** The longest cut in characters that a fix repeats. */
const MAX_REPEATED = 400;

const ANIMATED = /\.(?:gif|apng|webp)$/i;
const TIMING: ReadonlySet<string> = new Set(
  'ss sseof t to itsoffset itsscale stream_loop loop ignore_loop r re'.split(' '),
);
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
  const { picture, sound, ...rest } = clip;
  const used: Clip = {
    ...rest,
    ...(target.picture && picture && { picture }),
    ...(target.sound && sound && { sound }),
  };
  const shorter: Warning[] = [];
  const frames = toFrames({ ranges, clip: used }, cut, rate, shorter);
  const graph = filterJoined(printCutGraph(clip, target, frames), options, target, facts.catalogue, errors);
  if (graph === undefined) return undefined;
  if (Buffer.byteLength(graph.text) > MAX_ARGUMENT) errors.push(tooLong(frames));
  const heavy = heavyCrossfade(used, frames, facts);
  if (heavy !== undefined) errors.push(heavy);
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

const tooLong = ({ parts: { length }, crossfades }: CutFrames): FieldError => ({
  field: '/cut',
  code: 'TOO_MANY',
  message: `The output has ${length} parts, and the graph that makes them is longer than the ${MAX_ARGUMENT} bytes that ffmpeg can get.`,
  fix:
    crossfades.length > 0 && length > CUT_LIMITS.fadedRanges
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

/**
 * The parts in whole frames. Those that begin with the last frame of the one before are one. A crossfade needs both, so it keeps parts
 * that touch. A part within a frame of the one before is left out.
 */
function toFrames(
  { ranges, clip }: Pick<Parts, 'ranges' | 'clip'>,
  cut: Cut,
  rate: CutFrames['rate'],
  warnings: Warning[],
): CutFrames {
  const { crossfade: asked = 0 } = cut;
  const { end, picture } = endOf(clip);
  const last = end === undefined ? undefined : Math.max(1, framesIn(end, rate));
  const most = last ?? Number.POSITIVE_INFINITY;
  const parts: KeptFrames[] = [];
  for (const { start, end: stop } of ranges) {
    const before = parts.at(-1);
    const own = Math.min(framesIn(start, rate), most - 1);
    const to = stop === undefined ? last : Math.max(own + 1, Math.min(framesIn(stop, rate), most));
    if (before?.to !== undefined && own <= before.to && asked === 0) {
      parts[parts.length - 1] = { from: before.from, ...(to !== undefined && { to: Math.max(to, before.to) }) };
      continue;
    }
    const from = Math.max(own, before?.to ?? 0);
    if (to === undefined || to > from) parts.push({ from, ...(to !== undefined && { to }) });
  }
  const held =
    last !== undefined &&
    end !== undefined &&
    picture < end &&
    parts.some(({ to = last }) => to > framesIn(picture, rate))
      ? last
      : undefined;
  const common = { rate, ...(held !== undefined && { held }) };
  if (asked === 0 || parts.length < 2) return { ...common, parts, crossfades: [] };
  const known = parts.map(({ from, to }) => ({ from, to: to ?? from + framesIn(ASSUMED_SECONDS, rate) }));
  const lengths = known.map(({ from, to }) => to - from);
  const crossfades = limitCrossfades(
    lengths,
    lengths.map((_, index) => (index === 0 ? 0 : framesIn(asked, rate))),
  );
  if (clip.media !== undefined && parts.at(-1)?.to !== undefined)
    warnings.push(...shorterFades(cut, known, crossfades, rate));
  return { ...common, parts: known, crossfades };
}

/** The most bytes of pictures that wait for those that they are mixed with, and their share of what ffmpeg may take. */
const MAX_WAITING_BYTES = 2 * 2 ** 30;
const WAITING_SHARE = 0.5;

/**
 * The error if a crossfade needs too much memory: the end of a part waits as raw pictures until the start of the next one is decoded.
 * undefined if it fits, or if the size of the pictures is not known.
 */
function heavyCrossfade(
  { picture }: Clip,
  { crossfades, rate }: CutFrames,
  { memory = Number.POSITIVE_INFINITY }: Pick<JoinFacts, 'memory'>,
): FieldError | undefined {
  if (picture?.width === undefined || picture.height === undefined) return undefined;
  const { pixelFormat = '' } = picture;
  const samples = /444|rgb|gbr|bgr/.test(pixelFormat) ? 3 : pixelFormat.includes('422') ? 2 : 1.5;
  const alpha = /yuva|rgba|bgra|argb|abgr|gbrap/.test(pixelFormat) ? 1 : 0;
  const bytes = picture.width * picture.height * (samples + alpha) * (isDeep(pixelFormat) ? 2 : 1);
  const longest = Math.max(0, ...crossfades);
  const fitting = Math.floor(Math.min(MAX_WAITING_BYTES, memory * WAITING_SHARE) / bytes);
  if (longest <= fitting) return undefined;
  return {
    field: '/cut/crossfade',
    code: 'OUT_OF_RANGE',
    message: `A crossfade of ${secondsOf(longest, rate)} s keeps ${longest} pictures of ${picture.width}x${picture.height} in memory; ${fitting} are allowed.`,
    fix: `Send "crossfade": ${Math.floor(secondsOf(fitting, rate) * 100) / 100}, or less.`,
  };
}

/** Warns about crossfades that are shorter than asked for, because a part is. */
function shorterFades(
  { crossfade: asked = 0, remove }: Cut,
  parts: readonly Required<KeptFrames>[],
  crossfades: readonly number[],
  rate: CutFrames['rate'],
): readonly Warning[] {
  const short = crossfades.flatMap((frames, index) =>
    index > 0 && frames < framesIn(asked, rate) ? [{ frames, at: parts[index]?.from ?? 0 }] : [],
  );
  const [first] = short;
  if (first === undefined) return [];
  const shortest = Math.min(...short.map(({ frames }) => frames));
  const times =
    short.length === 1
      ? 'The crossfade'
      : `${short.length} of ${parts.length - 1} crossfades are shorter than ${asked} s. The one`;
  const longer = isMeasured(remove)
    ? 'Send a higher "marginSeconds", which makes short parts longer'
    : shortest === 0
      ? 'Leave short parts out'
      : `Send "crossfade": ${secondsOf(shortest, rate)}`;
  return [
    {
      field: '/cut/crossfade',
      code: 'SHORTER_CROSSFADE',
      message: `${times} to the part from ${secondsOf(first.at, rate)} s takes ${secondsOf(first.frames, rate)} s instead of ${asked} s: a crossfade takes at most half of a part.`,
      fix: `${longer}, or send ${isMeasured(remove) ? 'a shorter "crossfade"' : 'longer parts'}.`,
    },
  ];
}

const ASSUMED_SECONDS = 10;

/**
 * Where the film ends, which holds its last picture while its sound goes on, and where its picture does. An end is undefined if it is not
 * known.
 */
function endOf({ media, seconds, ...streams }: Clip): { readonly end: number | undefined; readonly picture: number } {
  // An estimate would cut the rest.
  if (media === undefined || seconds === undefined) return { end: undefined, picture: 0 };
  const { startSeconds: begin = 0 } = media.format;
  const endOfStream = (name: string | undefined): number => {
    const { durationSeconds: own, startSeconds = 0 } = media.streams.find(({ index }) => `${index}` === name) ?? {};
    return own === undefined ? seconds : Math.min(own + startSeconds - begin, seconds);
  };
  const [picture, sound] = [streams.picture, streams.sound].map((one) => one && endOfStream(one.stream));
  const longest = Math.max(picture ?? 0, sound ?? 0) || seconds;
  // Encoders pad sounds by less.
  return picture !== undefined && longest - picture < PADDED
    ? { end: picture, picture }
    : { end: longest, picture: picture ?? longest };
}

/** Seconds by which a sound may be longer than its film without having something to hear. */
const PADDED = 0.1;

const lengthOf = ({ parts, rate, crossfades }: CutFrames): number | undefined => {
  const frames = parts.map(({ from, to }) => (to === undefined ? undefined : to - from));
  return frames.some((one) => one === undefined)
    ? undefined
    : secondsOf(
        totalFrames(frames.map((one = 0, index) => ({ frames: one, crossfade: crossfades[index] ?? 0 }))),
        rate,
      );
};

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
