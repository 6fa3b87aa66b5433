import type { ChunkExtension, ForcedKeyFrames, FrameRateMode, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { holdsNoVideo, holdsOnlyCover } from '../allowlist/containers.ts';
import { PARAMS_OPTIONS } from '../allowlist/encoder-params/tables.ts';
import type { StreamEncoders } from '../plan/encoders/stream-encoders.ts';
import { type ArgvOption, hasKey, mapsOf, videoValue } from '../plan/request/argv-option.ts';
import { isImageFile } from '../plan/request/format-names.ts';
import type { ArgvInput } from '../plan/request/resolve-inputs.ts';
import { parseDuration } from '../values/duration.ts';
import { readNumber } from '../values/number.ts';
import { parseParamsString } from '../values/params-string.ts';
import { quoted } from '../values/value-error.ts';
import { roleOf } from './option-roles.ts';

/** A planned conversion with one output. */
export interface PlannedConversion {
  readonly inputs: readonly ArgvInput[];
  /** The options of the output and the global ones, without the limits that the service adds. */
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  /** The release of ffmpeg. undefined: unknown. */
  readonly release: readonly [major: number, minor: number] | undefined;
  /** The number of passes. */
  readonly passes: number;
  readonly usesDevice: boolean;
  /** What else the plan does with its inputs. */
  readonly isJoin: boolean;
  readonly isCut: boolean;
  readonly isTranscript: boolean;
}

/** What a conversion in chunks depends on. */
export interface ChunkableConversion {
  readonly encoder: string;
  readonly extension: ChunkExtension;
  readonly maps: readonly string[];
  readonly excluded: readonly ('audio' | 'subtitle' | 'data')[];
  readonly frameRateModes: readonly FrameRateMode[];
  readonly copiesAudio: boolean;
  /** True if the other streams are Opus in Matroska, whose times a copy shifts. */
  readonly shiftsOpus: boolean;
  readonly keyFrameDistance?: number;
  readonly forcedKeyFrames?: ForcedKeyFrames;
}

/** The containers of outputs that are joined exactly, and the containers of their chunks. */
const EXTENSIONS: ReadonlyMap<string, ChunkExtension> = new Map([
  ['mp4', 'mp4'],
  ['mov', 'mov'],
  ['matroska', 'mkv'],
  ['webm', 'mkv'],
]);

/** Encoders that give each chunk the quality and the headers of the whole. */
const ENCODERS: ReadonlySet<string> = new Set([
  ...['libx264', 'libx264rgb', 'libx265', 'libsvtav1', 'libaom-av1', 'libvpx-vp9'],
  ...['prores', 'prores_aw', 'prores_ks'],
]);

/** Encoders that only spread bits evenly unless the request sets a quality. */
const NEED_A_QUALITY: ReadonlySet<string> = new Set(['libaom-av1', 'libvpx-vp9']);

/** Input options that change neither the frames nor their times. */
const INPUT_OPTIONS: ReadonlySet<string> = new Set([
  'c',
  'threads',
  'probesize',
  'analyzeduration',
  'autorotate',
  'noautorotate',
]);

/** A selection of streams of the only input, by kind or number. */
const MAP = /^0(?::(?:[vVasdt](?::\d{1,3})?|\d{1,3}))?\??$/;

/**
 * Whether a conversion can be done in chunks with the same result, by its request alone. undefined: it encodes no video. Everything that is
 * not known to be exact is rejected.
 */
export function chunkable(conversion: PlannedConversion): ChunkableConversion | WholeReason | undefined {
  const { options, encoders, muxer, release } = conversion;
  const videos = encoders.of('v').map(({ encoder }) => encoder);
  if (videos.length === 0 || holdsNoVideo(muxer) || holdsOnlyCover(muxer)) return undefined;
  const reason = rejectShape(conversion) ?? rejectInput(conversion.inputs);
  if (reason !== undefined) return { whole: reason };
  const [encoder] = videos;
  if (encoder === undefined) return { whole: 'The video is copied, which is quick.' };
  if (videos.length > 1 || !ENCODERS.has(encoder))
    return { whole: `The encoder ${quoted(encoder)} is not known to give chunks the quality of the whole.` };
  const extension = EXTENSIONS.get(muxer);
  if (extension === undefined)
    return { whole: `Outputs in the format ${quoted(muxer)} are not known to be joined exactly.` };
  for (const option of options) {
    const role = roleOf(option);
    if (typeof role !== 'string') return role;
  }
  if (
    NEED_A_QUALITY.has(encoder) &&
    videoValue(options, 'crf') === undefined &&
    videoValue(options, 'qp') === undefined
  )
    return { whole: `Without "crf", ${quoted(encoder)} spreads bits over the whole video.` };
  const maps = mapsOf(options);
  const mapReason = rejectMaps(maps);
  if (mapReason !== undefined) return { whole: mapReason };
  const forced = forcedKeyFrames(options);
  if (forced !== undefined && 'whole' in forced) return forced;
  const keyFrameDistance = keyFrameDistanceOf(options);
  const audio = encoders.of('a').map(({ encoder: name }) => name);
  const shiftsOpus = extension === 'mkv' && audio.includes('libopus');
  if (shiftsOpus && (audio.length > 1 || release === undefined || release[0] > 5))
    return { whole: 'Opus in Matroska is not known to keep its time with this ffmpeg.' };
  const mode = videoValue(options, 'fps_mode') ?? videoValue(options, 'vsync');
  return {
    encoder,
    extension,
    maps,
    excluded: [
      ...(hasKey(options, 'an') ? (['audio'] as const) : []),
      ...(hasKey(options, 'sn') ? (['subtitle'] as const) : []),
      ...(hasKey(options, 'dn') ? (['data'] as const) : []),
    ],
    frameRateModes: frameRateModes(mode, extension, release),
    shiftsOpus,
    copiesAudio: audio.includes(undefined),
    ...(keyFrameDistance !== undefined && { keyFrameDistance }),
    ...(forced !== undefined && { forcedKeyFrames: forced }),
  };
}

/** The modes that ffmpeg may choose. Up to release 5, it writes a constant rate into mp4 and mov. */
function frameRateModes(
  sent: string | undefined,
  extension: ChunkExtension,
  release: PlannedConversion['release'],
): readonly FrameRateMode[] {
  if (sent === 'passthrough' || sent === '0') return ['passthrough'];
  if (sent === 'vfr' || sent === '2' || extension === 'mkv') return ['vfr'];
  return release !== undefined && release[0] < 6 ? ['cfr'] : ['cfr', 'vfr'];
}

function rejectShape({
  passes,
  usesDevice,
  isJoin,
  isCut,
  isTranscript,
  inputs,
}: PlannedConversion): string | undefined {
  if (isJoin) return 'Several inputs are joined to one.';
  if (isCut) return 'The output consists of parts of the input.';
  if (isTranscript) return 'The speech of the input is transcribed first.';
  if (passes > 1) return 'The first of two passes reads the whole video.';
  if (usesDevice) return 'A hardware device encodes the video.';
  if (inputs.length !== 1) return 'The conversion has several inputs.';
  return undefined;
}

function rejectInput([input]: readonly ArgvInput[]): string | undefined {
  if (input === undefined) return 'The conversion has no input.';
  const { source, options, made, isList, duration } = input;
  if (source.isSource === true || made !== undefined) return 'The input is made by a filter.';
  if (source.sequence !== undefined) return 'The input is a sequence of images.';
  if (duration !== undefined || isImageFile(extension(source.path))) return 'The input is an image.';
  if (isList === true) return 'Several inputs are joined to one.';
  const option = options.find(({ name }) => !INPUT_OPTIONS.has(name.name));
  return option && `The input option ${quoted(option.key)} may change the times of frames.`;
}

function rejectMaps(maps: readonly string[]): string | undefined {
  const other = maps.find((map) => !MAP.test(map));
  if (other !== undefined) return `The selection of streams ${quoted(other)} is not known to be the same in chunks.`;
  if (maps.filter((map) => /^0(?:$|\?|:\d|:[vV])/.test(map)).length > 1) return '"map" may select several videos.';
  return undefined;
}

/** The request for key frames. undefined: there is none. */
function forcedKeyFrames(options: readonly ArgvOption[]): ForcedKeyFrames | WholeReason | undefined {
  const value = options.findLast(({ name }) => name.name === 'force_key_frames')?.values[0];
  if (value === undefined) return undefined;
  const every = /^expr:\s*gte\(\s*t\s*,\s*n_forced\s*\*\s*(\d+(?:\.\d+)?)\s*\)\s*$/.exec(value)?.[1];
  if (every !== undefined && Number(every) > 0) return { everySeconds: Number(every) };
  const times = value.split(',').map((time) => parseDuration(time.trim()));
  if (times.every((time) => time !== undefined)) return { seconds: times.toSorted((a, b) => a - b) };
  return { whole: '"force_key_frames" has an expression that counts from the start of the video.' };
}

/** The distance of key frames if no scene change adds one. */
function keyFrameDistanceOf(options: readonly ArgvOption[]): number | undefined {
  const params = options.flatMap(({ name, values }) => {
    const option = PARAMS_OPTIONS.get(name.name);
    return option === undefined ? [] : values.flatMap((value) => parseParamsString(value, option) ?? []);
  });
  const sentNumber = (...names: readonly string[]): number | undefined => {
    const sent = names.flatMap((name) => [
      videoValue(options, name),
      params.findLast(([key]) => key.replaceAll('_', '-') === name)?.[1],
    ]);
    return readNumber(sent.find((value) => value !== undefined) ?? '');
  };
  const distance = sentNumber('g', 'keyint');
  const isFixed = sentNumber('sc_threshold', 'scenecut') === 0 || sentNumber('keyint_min', 'min-keyint') === distance;
  return distance !== undefined && distance > 1 && isFixed ? distance : undefined;
}
