import type { Job, MediaInfo } from '@telecine/client';
import { convertedPart, SEEK_OPTIONS } from '../../packages/contract/src/domain/converted-part.ts';
import { isStored } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { outputVideo } from '../media/output-video.ts';
import { formatBytes } from '../ui/format.ts';

type Output = NonNullable<Job['outputs']>[number];

/** Whether a job has outputs that can be taken. */
export const hasResult = ({ status, links, expired, outputs = [], outputCount = outputs.length }: Job): boolean =>
  status === 'COMPLETED' && links.output !== undefined && expired !== true && outputCount > 0;

/**
 * How a size has changed: `23 → 7.6 MB, −67 %`. `isWhole`: whether the whole source was converted. Of a part, the share would say how short
 * it is.
 */
export function sizeChangeText(before: number, after: number, isWhole: boolean): string {
  const [from, to] = [formatBytes(before), formatBytes(after)];
  const [amount = from, unit = ''] = from.split('\u00a0');
  const isSameUnit = to.split('\u00a0')[1] === unit;
  return `${isSameUnit ? amount : from} → ${to}${isWhole ? `, ${percentText(before, after)}` : ''}`;
}

/** Whether two lengths, in seconds, are about the same. */
const isSameLength = (length: number, whole: number): boolean => Math.abs(length - whole) <= Math.max(0.5, whole / 50);

/** Options that choose the start, the end or the length of what is converted. */
const CHOOSES_PART = [...SEEK_OPTIONS, 'to', 't'];

/**
 * Whether a job converted only a part of its source: a start, an end or a length was chosen, and the result is shorter. A faster video and one
 * without its silence are shorter, but whole. `length`, `whole`: seconds of the result and of the source. undefined: unknown.
 */
export function isPart(
  { cut, inputs, parameters = {}, requestedOutputs = [] }: Made,
  length: number | undefined,
  whole: number | undefined,
): boolean {
  const [first] = inputs ?? [];
  const all = { ...parameters, ...requestedOutputs[0]?.parameters, ...(typeof first === 'object' && first.parameters) };
  if (cut === undefined && !CHOOSES_PART.some((name) => name in all)) return false;
  return length === undefined || whole === undefined || (length < whole && !isSameLength(length, whole));
}

/** The change as a share of the size before: `−67 %`, `+4 %`, `the same size`. Lines do not break before the `%`. */
function percentText(before: number, after: number): string {
  const percent = Math.round((100 * (after - before)) / before);
  if (percent === 0) return 'the same size';
  // Nothing is smaller by 100 %.
  return percent < 0 ? `−${Math.min(99, -percent)}\u00A0%` : `+${percent}\u00A0%`;
}

/** The only input of a job, if the service stores it. undefined: there are several, or the input is elsewhere. */
export function onlySource({ input, inputs }: Pick<Job, 'input' | 'inputs'>): string | undefined {
  const all = inputs ?? (input === undefined ? [] : [input]);
  const [first] = all.map((one) => (typeof one === 'string' ? one : one.input));
  return all.length === 1 && first !== undefined && isStored(first) && !/[%*?]/.test(first) ? first : undefined;
}

/** Which times of the source the frames of an output have. */
interface Timing {
  /** The time in the source at which the output begins, in seconds. */
  readonly offset: number;
  readonly fps: number;
  readonly frames: number;
}

/** How an output and its source are laid over each other, frame by frame. */
export interface Comparison extends Timing {
  readonly width: number;
  readonly height: number;
}

type Made = Pick<Job, 'join' | 'cut' | 'parameters' | 'inputs' | 'requestedOutputs'>;

const REARRANGING = 'reverse|setpts|trim|select|loop|concat|xfade';

/** Filters after which the progress of a job does not say how far in its source it is. */
export const REARRANGES = filterNames(REARRANGING);

/** Filters after which a frame of the output is not the frame of the source at the same time. */
const MOVES_IN_TIME = filterNames(`${REARRANGING}|tile|fps|minterpolate|framestep|thumbnail|decimate`);

/** Filters that move the content within the frame. */
const MOVES_IN_FRAME = filterNames('transpose|rotate|hflip|vflip|crop|pad');

/** The greatest difference of two aspect ratios that nobody sees. */
const SAME_SHAPE = 0.03;

/**
 * How an output and its source can be laid over each other. undefined: they cannot, because the conversion moved frames in time or content
 * within the frame.
 */
export function comparisonOf(made: Made, output: Output, source: string, info: MediaInfo): Comparison | undefined {
  const seen = shownShape(info);
  const { width = 0, height = 0 } = outputVideo(output) ?? {};
  const timing = timingOf(made, output, source, info);
  if (timing === undefined || seen === undefined || width === 0 || height === 0) return undefined;
  const parameters = optionsOf(made, output);
  if (Math.abs((width / height) * seen - 1) > SAME_SHAPE || hasFilter({ parameters }, MOVES_IN_FRAME)) return undefined;
  return { ...timing, width, height };
}

/**
 * What is needed to measure an output against its source, which goes through the same filters, so that other shapes can be measured too.
 * undefined: the frames of both cannot be paired for certain.
 */
export function measurableOf(made: Made, output: Output, source: string, info: MediaInfo): Comparison | undefined {
  const { width = 0, height = 0, fps = 0 } = outputVideo(output) ?? {};
  const timing = timingOf(made, output, source, info);
  const rate = info.streams.find(({ type }) => type === 'video')?.frameRate ?? 0;
  const isPaired = timing !== undefined && timing.offset === 0 && timing.frames > 1 && Math.abs(fps - rate) < 0.01;
  return isPaired && width > 0 && height > 0 ? { ...timing, width, height } : undefined;
}

function timingOf(made: Made, output: Output, source: string, info: MediaInfo): Timing | undefined {
  const { join, cut, inputs: [first] = [] } = made;
  const kind = mediaKind(output.path, output.streams);
  const parameters = optionsOf(made, output);
  if (join !== undefined || cut !== undefined || kind !== mediaKind(source) || hasFilter({ parameters }, MOVES_IN_TIME))
    return undefined;
  if (kind === 'image') return { offset: 0, fps: 1, frames: 1 };
  const { durationSeconds: length = 0 } = output;
  const { durationSeconds: whole = 0 } = info.format;
  const fps = outputVideo(output)?.fps ?? 25;
  const input = typeof first === 'object' ? first.parameters : undefined;
  const { start } = convertedPart({ input, output: parameters, duration: whole });
  const hasStart = SEEK_OPTIONS.some((name) => name in parameters || (input !== undefined && name in input));
  const fits = hasStart ? start + length <= whole + 0.5 : isSameLength(length, whole);
  if (kind !== 'video' || length === 0 || !fits) return undefined;
  return { offset: start, fps, frames: Math.max(1, Math.floor(length * fps)) };
}

/** The options of one output of a job. */
const optionsOf = ({ parameters, requestedOutputs = [] }: Made, { path }: Pick<Output, 'path'>) => ({
  ...parameters,
  ...requestedOutputs.find(({ output }) => output === path)?.parameters,
});

/** Matches filtergraphs with one of these filters. */
function filterNames(names: string): RegExp {
  return new RegExp(`(?:^|[,;\\]])\\s*(?:${names})\\b`);
}

export const hasFilter = ({ parameters = {} }: Pick<Made, 'parameters'>, filters: RegExp): boolean =>
  Object.entries(parameters).some(([name, value]) => isGraph(name) && filters.test([value].flat().join(',')));

const isGraph = (name: string): boolean => /^(?:vf|filter|filter_complex|lavfi)(?::|$)/.test(name);

/** The height of the shown frame of a source over its width. undefined: it has no video. */
function shownShape({ streams }: MediaInfo): number | undefined {
  const video = streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  const { width, height, rotationDegrees = 0, sampleAspectRatio } = video ?? {};
  // Players stretch pixels that are not square, so the shown shape is not that of the decoded frame.
  if (!width || !height || (sampleAspectRatio !== undefined && !/^(?:1:1|0:1)$/.test(sampleAspectRatio)))
    return undefined;
  return rotationDegrees % 180 === 0 ? height / width : width / height;
}
