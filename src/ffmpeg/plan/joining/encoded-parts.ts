import { CUT_LIMITS, type Cut, isMeasured } from '../../../domain/cut.ts';
import { orElse, sendMember } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { frameRateOf, framesIn, limitCrossfades, secondsOfFrames, totalFrames } from '../../filtergraph/crossfades.ts';
import { type ArgvOption, serviceOption } from '../request/argv-option.ts';
import { readTrim } from '../request/trim-range.ts';
import { type Clip, unknownLength } from './clip.ts';
import { type CutFrames, type KeptFrames, printCutGraph } from './cut-graph.ts';
import type { CutParts } from './cut-ranges.ts';
import { filterJoined, isJoinedFilter } from './joined-filters.ts';
import { chooseTarget, type JoinedStreams, type JoinFacts, NOTHING_TO_JOIN } from './plan-join.ts';
import { limitReading } from './read-window.ts';
import { usualRate } from './target.ts';
import { isDeep } from './target-colours.ts';

/** Parts that are decoded, cut at frames and encoded. Returns undefined if `errors` has errors then. */
export function encodeParts(
  { ranges, clip, warnings }: CutParts,
  options: readonly ArgvOption[],
  cut: Cut,
  facts: JoinFacts,
  errors: FieldError[],
): Omit<JoinedStreams, 'join'> | undefined {
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
  const reading = limitReading(used, frames, options);
  const graph = filterJoined(printCutGraph(clip, target, reading.frames), options, target, facts.catalogue, errors);
  if (graph === undefined) return undefined;
  if (Buffer.byteLength(graph.text) > MAX_ARGUMENT) errors.push(tooLong(frames));
  const heavy = heavyCrossfade(used, frames, facts);
  if (heavy !== undefined) errors.push(heavy);
  const joined =
    ranges.every(({ end }) => end !== undefined) || clip.media !== undefined ? lengthOf(frames) : undefined;
  return {
    inputs: [{ ...clip.input, options: [...clip.input.options, ...reading.options] }],
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
  { ranges, clip }: Pick<CutParts, 'ranges' | 'clip'>,
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
    message: `A crossfade of ${secondsOfFrames(longest, rate)} s keeps ${longest} pictures of ${picture.width}x${picture.height} in memory; ${fitting} are allowed.`,
    fix: {
      ...sendMember('crossfade', Math.floor(secondsOfFrames(fitting, rate) * 100) / 100),
      or: 'less',
      isNearest: true,
    },
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
  const fix = isMeasured(remove)
    ? 'Send a higher "marginSeconds", which makes short parts longer, or send a shorter "crossfade".'
    : shortest === 0
      ? 'Leave short parts out, or send longer parts.'
      : orElse(sendMember('crossfade', secondsOfFrames(shortest, rate)), 'send longer parts');
  return [
    {
      field: '/cut/crossfade',
      code: 'SHORTER_CROSSFADE',
      message: `${times} to the part from ${secondsOfFrames(first.at, rate)} s takes ${secondsOfFrames(first.frames, rate)} s instead of ${asked} s: a crossfade takes at most half of a part.`,
      fix,
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
    : secondsOfFrames(
        totalFrames(frames.map((one = 0, index) => ({ frames: one, crossfade: crossfades[index] ?? 0 }))),
        rate,
      );
};
