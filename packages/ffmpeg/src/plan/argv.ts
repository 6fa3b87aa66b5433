import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { DeviceType } from '@telecine/contract/domain/devices.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type LimitArgs, limitArgs } from './checks/resource-limits.ts';
import { deviceArgs } from './device-options.ts';
import { usesSvtLevels } from './encoders/thread-count.ts';
import type { ArgvOption } from './request/argv-option.ts';
import { isImageFile, isVideoExtension } from './request/format-names.ts';
import { isRateMode } from './request/frame-rate-modes.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';

export interface ArgvParts {
  readonly inputs: readonly ArgvInput[];
  /** Output and global options, in the client's order. */
  readonly output: readonly ArgvOption[];
  readonly muxer: string;
  /** The output in the argv: `out/NAME`. */
  readonly logical: string;
  /** The encoder of an image. undefined: ffmpeg chooses the encoder, or an option names it. */
  readonly imageEncoder: string | undefined;
  /** True if image2 overwrites one file. False: it numbers its files. */
  readonly singleImage: boolean;
  /** True if this ffmpeg has `-stats_period` (since 4.4). */
  readonly hasStatsPeriod: boolean;
  readonly limits: LimitArgs;
  /** The type of the hardware device that the run opens. Absent: none. */
  readonly device?: DeviceType;
}

/** The parts of an argv that depend only on the build, the client's limits and the number of cores. */
export const partsOfBuild = (catalogue: Catalogue, policy: ClientLimits, cores: number) => ({
  hasStatsPeriod: catalogue.cli.has('stats_period'),
  limits: limitArgs(policy, { cores, svtLevels: usesSvtLevels(catalogue.build) }),
});

/**
 * An argv that opens a file as an input and writes nothing. ffmpeg fails if it may not open the file, or another file that this file names.
 */
export const openingArgv = (logical: string): readonly string[] => [
  ...logArgs('info'),
  ...restrictedInput(logical),
  ...['-map', '0', '-c', 'copy', '-t', '0', ...NULL_OUTPUT],
];

/** Input options that allow only the protocol `file`, and only formats that do not open further files. */
const restrictedInput = (logical: string): readonly string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS],
  ...['-i', `file:${logical}`],
];

type LogLevel = 'info' | 'verbose';

/** Arguments for a log that the service can read, without progress lines for people. */
const logArgs = (level: LogLevel): string[] => [
  ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', `level+${level}`],
];

/** Discards the output. */
export const NULL_OUTPUT = ['-f', 'null', '-'] as const;

export const singlePassArgv = (parts: ArgvParts): string[] => passArgv(parts, parts.output, outputArgs(parts));

/** @param end The output arguments after the options. */
const passArgv = (
  parts: DecodingParts,
  options: readonly ArgvOption[],
  end: readonly string[],
  level?: LogLevel,
): string[] => [...beforeOutputs(parts, level), ...parts.limits.output, ...optionArgs(options), ...end];

/** The argv of a conversion with several outputs. All have the same inputs and global options. */
export function severalOutputsArgv(outputs: readonly ArgvParts[]): string[] {
  const [first] = outputs;
  if (first === undefined) throw new RangeError('There is no output.');
  const isGlobal = ({ side }: ArgvOption): boolean => side === 'global';
  // What one output needs of an input, such as a decoder, is right for all.
  const inputs = first.inputs.map((input, index) =>
    outputs.reduce((chosen, part) => {
      const other = part.inputs[index] ?? chosen;
      return other.options.length > chosen.options.length ? other : chosen;
    }, input),
  );
  return [
    ...beforeOutputs({ ...first, inputs, device: outputs.find(({ device }) => device !== undefined)?.device }),
    ...optionArgs(first.output.filter(isGlobal)),
    ...outputs.flatMap((parts) => [
      ...parts.limits.output,
      ...optionArgs(parts.output.filter((option) => !isGlobal(option))),
      ...outputArgs(parts),
    ]),
  ];
}

/** The argvs of two passes of the video encoder. The first writes no output. */
export const twoPassArgvs = (parts: ArgvParts, [first, second]: OptionsOfPasses): string[][] => [
  passArgv(parts, first, discardArgs(parts)),
  passArgv(parts, second, outputArgs(parts)),
];

type OptionsOfPasses = readonly [first: readonly ArgvOption[], second: readonly ArgvOption[]];

/** The argvs of a conversion whose first pass only measures, for the filters of the second pass. */
export const measuringArgvs = (parts: ArgvParts, [first, second]: OptionsOfPasses): string[][] => [
  passArgv(parts, first, NULL_OUTPUT, 'info'),
  passArgv(parts, second, outputArgs(parts)),
];

/** An argv that decodes the inputs. `output`: all of its output arguments. */
export const decodingArgv = (parts: DecodingParts, output: readonly string[]): string[] =>
  passArgv(parts, [], output, 'info');

/** An argv that encodes or compares a part of the video, with other options and another output than the whole conversion. */
export const sampleArgv = (parts: DecodingParts, options: readonly ArgvOption[], output: readonly string[]): string[] =>
  passArgv(parts, options, output);

/** Muxers whose output is several files. */
export const SEVERAL_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment']);

/** Muxers that open their output files themselves. For them, ffmpeg writes a constant frame rate by default. */
const MUXERS_THAT_OPEN_FILES: ReadonlySet<string> = new Set([...SEVERAL_FILES, 'image2']);

/**
 * The output arguments of the first pass, which discard its output. They also set the frame rate mode that the second pass uses, because an
 * encoder fails if the passes have different numbers of frames.
 */
function discardArgs({ muxer, output }: ArgvParts): string[] {
  if (!MUXERS_THAT_OPEN_FILES.has(muxer)) return ['-y', '-f', muxer, 'file:/dev/null'];
  const hasMode = output.some(isRateMode);
  return [...(hasMode ? [] : ['-fps_mode', 'cfr']), ...NULL_OUTPUT];
}

/** True if the frame size can change within an input: in broadcasts, recordings of calls, and videos that were joined as copies. */
const canVary = ({ source }: ArgvInput): boolean => {
  const name = source.isSource === true ? 'png' : extension(source.path);
  return source.sequence !== undefined || name === '' || isVideoExtension(name);
};

/** The parts of an argv without its output. */
type DecodingParts = Pick<ArgvParts, 'inputs' | 'hasStatsPeriod' | 'limits'> & {
  readonly device?: DeviceType | undefined;
};

/**
 * ffmpeg up to 6 reports a changed frame size only at the level "verbose". A run that only measures uses "info", because at "verbose",
 * `ebur128` logs ten lines per second of audio.
 */
const logLevelFor = (inputs: readonly ArgvInput[]): LogLevel => (inputs.some(canVary) ? 'verbose' : 'info');

function beforeOutputs(
  { inputs, hasStatsPeriod, limits, device }: DecodingParts,
  level: LogLevel = logLevelFor(inputs),
): string[] {
  const args = [...logArgs(level), '-progress', 'pipe:1'];
  // Half a second is ffmpeg's default. The option is sent because ffmpeg then writes a progress line before it starts to ignore SIGPIPE: if
  // the service dies while ffmpeg starts, SIGPIPE ends ffmpeg.
  if (hasStatsPeriod) args.push('-stats_period', '0.5');
  args.push(...limits.head, ...deviceArgs(device));
  for (const input of inputs) args.push(...limits.input, ...inputArgs(input));
  return args;
}

/** The arguments up to the output of an argv that reads one input. `globals`: further global arguments. */
export const inputOnlyArgs = (parts: DecodingParts, input: ArgvInput, globals: readonly string[] = []): string[] => {
  const { device: _, ...others } = parts;
  return [
    ...beforeOutputs({ ...others, inputs: [] }, logLevelFor([input])),
    ...globals,
    ...parts.limits.input,
    ...inputArgs(input),
  ];
};

function inputArgs({ source, options, format, duration, isList }: ArgvInput): readonly string[] {
  const args = optionArgs(options);
  if (format !== undefined) args.push('-f', format);
  if (source.isSource === true) {
    if (duration !== undefined) args.push('-t', duration);
    // The planner has checked that the filters of this generated input read no files. Allow only the demuxer `lavfi`.
    return [...args, '-format_whitelist', 'lavfi', '-i', source.logical];
  }
  if (duration !== undefined)
    args.push(...(isImageFile(extension(source.path)) ? ['-loop', '1'] : ['-stream_loop', '-1']), '-t', duration);
  return [...args, ...(isList === true ? restrictedList(source.logical) : restrictedInput(source.logical))];
}

/** Input options that allow only a concat list. The list itself names the formats that its files may have. */
const restrictedList = (logical: string): readonly string[] => [
  ...['-safe', '0', '-protocol_whitelist', 'file', '-format_whitelist', 'concat'],
  ...['-i', `file:${logical}`],
];

export function outputArgs({ output, muxer, logical, imageEncoder, singleImage }: ArgvParts): string[] {
  const args = imageEncoder === undefined ? [] : ['-c:v', imageEncoder];
  const has = (wanted: string): boolean => output.some(({ name }) => name.name === wanted);
  // Flush after every packet. Since ffmpeg 6, `fs` counts only the bytes that are in the file, not the up to 256 KiB in ffmpeg's buffer.
  if (has('fs') && !has('flush_packets') && !MUXERS_THAT_OPEN_FILES.has(muxer)) args.push('-flush_packets', '1');
  args.push('-f', muxer);
  if (singleImage) args.push('-update', '1');
  args.push(IN_VARIANT_FOLDERS.test(logical) ? logical : `file:${logical}`);
  return args;
}

/** Matches names with `%v` in a folder. They get no prefix `file:`, because the HLS muxer would create a folder with this name. */
const IN_VARIANT_FOLDERS = /%v.*\//;

export function optionArgs(options: readonly ArgvOption[]): string[] {
  const args: string[] = [];
  for (const { key, values, isBoolean } of options) {
    if (values.length === 0) args.push(`-${key}`);
    else for (const value of values) args.push(`-${key}`, isBoolean ? String(Number(value === 'true')) : value);
  }
  return args;
}
