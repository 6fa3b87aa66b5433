import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { DeviceType } from '@telecine/contract/domain/devices.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type LimitArgs, limitArgs } from './checks/resource-limits.ts';
import { deviceArgs } from './device-options.ts';
import { usesSvtLevels } from './encoders/thread-count.ts';
import type { ArgvOption } from './request/argv-option.ts';
import { isFilmExtension, isImageFile } from './request/format-names.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';

export interface ArgvParts {
  readonly inputs: readonly ArgvInput[];
  /** Output and global options in the client's order. */
  readonly output: readonly ArgvOption[];
  readonly muxer: string;
  /** The name of the output in the argv: `out/NAME`. */
  readonly logical: string;
  /** The encoder of an image. undefined: the extension of the output or an option determines the encoder. */
  readonly pictureEncoder: string | undefined;
  /** Whether image2 overwrites one file. Otherwise image2 numbers its files. */
  readonly singlePicture: boolean;
  /** Whether this ffmpeg has `-stats_period`. ffmpeg 4.4 added the option. */
  readonly hasStatsPeriod: boolean;
  readonly limits: LimitArgs;
  /** The type of the hardware device that the run opens. Absent if the run uses no device. */
  readonly device?: DeviceType;
}

/** Returns the parts of an argv that depend only on the ffmpeg build, the client's limits and the number of cores. */
export const partsOfBuild = (catalogue: Catalogue, policy: ClientLimits, cores: number) => ({
  hasStatsPeriod: catalogue.cli.has('stats_period'),
  limits: limitArgs(policy, { cores, svtLevels: usesSvtLevels(catalogue.build) }),
});

/** Returns an argv that opens a file as an input and writes nothing. ffmpeg fails if it may not open the file. */
export const openingArgv = (logical: string): readonly string[] => [
  ...logArgs('info'),
  ...restrictedInput(logical),
  ...['-map', '0', '-c', 'copy', '-t', '0', ...NULL_OUTPUT],
];

/** Returns arguments that allow only the `file` protocol, and only formats that do not open further files. */
const restrictedInput = (logical: string): readonly string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS],
  ...['-i', `file:${logical}`],
];

type LogLevel = 'info' | 'verbose';

/** Returns arguments for a log that reports can be built from. The log contains no progress lines for people. */
const logArgs = (level: LogLevel): string[] => [
  ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', `level+${level}`],
];

/** The output arguments that discard the output. */
export const NULL_OUTPUT = ['-f', 'null', '-'] as const;

export const singlePassArgv = (parts: ArgvParts): string[] => passArgv(parts, parts.output, outputArgs(parts));

/** @param end The output arguments after the options. */
const passArgv = (
  parts: DecodingParts,
  options: readonly ArgvOption[],
  end: readonly string[],
  level?: LogLevel,
): string[] => [...beforeOutputs(parts, level), ...parts.limits.output, ...optionArgs(options), ...end];

/**
 * Returns the argv of a conversion with several outputs. The outputs have the same inputs and the same global options.
 */
export function severalOutputsArgv(outputs: readonly ArgvParts[]): string[] {
  const [first] = outputs;
  if (first === undefined) throw new RangeError('There is no output.');
  const isGlobal = ({ side }: ArgvOption): boolean => side === 'global';
  return [
    ...beforeOutputs({ ...first, device: outputs.find(({ device }) => device !== undefined)?.device }),
    ...optionArgs(first.output.filter(isGlobal)),
    ...outputs.flatMap((parts) => [
      ...parts.limits.output,
      ...optionArgs(parts.output.filter((option) => !isGlobal(option))),
      ...outputArgs(parts),
    ]),
  ];
}

/** Returns the argvs of two passes of the video encoder. The first pass writes no output. */
export const twoPassArgvs = (parts: ArgvParts, [first, second]: OptionsOfPasses): string[][] => [
  passArgv(parts, first, discardArgs(parts)),
  passArgv(parts, second, outputArgs(parts)),
];

export type OptionsOfPasses = readonly [first: readonly ArgvOption[], second: readonly ArgvOption[]];

/** Returns the argvs of a conversion with two passes. The first pass only measures for filters of the second pass. */
export const measuringArgvs = (parts: ArgvParts, [first, second]: OptionsOfPasses): string[][] => [
  passArgv(parts, first, NULL_OUTPUT, 'info'),
  passArgv(parts, second, outputArgs(parts)),
];

/** Returns an argv that decodes the inputs. `output` contains its output arguments. */
export const decodingArgv = (parts: DecodingParts, output: readonly string[]): string[] =>
  passArgv(parts, [], output, 'info');

/** Muxers that open their output files themselves. By default, ffmpeg writes a constant frame rate to them. */
const MUXERS_THAT_OPEN_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);

/**
 * Returns the output arguments of the first pass, which discard its output. Both passes need the same muxer or frame
 * rate mode: an encoder fails if its passes get different numbers of frames.
 */
function discardArgs({ muxer, output }: ArgvParts): string[] {
  if (!MUXERS_THAT_OPEN_FILES.has(muxer)) return ['-y', '-f', muxer, 'file:/dev/null'];
  const hasMode = output.some(({ name }) => name.name === 'fps_mode' || name.name === 'vsync');
  return [...(hasMode ? [] : ['-fps_mode', 'cfr']), ...NULL_OUTPUT];
}

/**
 * Whether the frame size can change within an input. It can in broadcasts, in recordings of calls, and in videos that
 * were joined as copies.
 */
const canVary = ({ source }: ArgvInput): boolean => {
  const name = source.isSource === true ? 'png' : extension(source.path);
  return source.sequence !== undefined || name === '' || isFilmExtension(name);
};

/** The parts from which the arguments before the output options are built. */
type DecodingParts = Pick<ArgvParts, 'inputs' | 'hasStatsPeriod' | 'limits'> & {
  readonly device?: DeviceType | undefined;
};

/**
 * Returns the log level. ffmpeg up to 6 reports changed frame sizes only at level verbose. A run that only measures
 * uses level info, because `ebur128` logs ten lines a second at level verbose.
 */
const logLevelFor = (inputs: readonly ArgvInput[]): LogLevel => (inputs.some(canVary) ? 'verbose' : 'info');

function beforeOutputs(
  { inputs, hasStatsPeriod, limits, device }: DecodingParts,
  level: LogLevel = logLevelFor(inputs),
): string[] {
  const args = [...logArgs(level), '-progress', 'pipe:1'];
  // Half a second is also ffmpeg's default. With this option, ffmpeg writes a progress line before it starts to ignore
  // SIGPIPE. So SIGPIPE ends ffmpeg if the service dies while ffmpeg starts.
  if (hasStatsPeriod) args.push('-stats_period', '0.5');
  args.push(...limits.head, ...deviceArgs(device));
  for (const input of inputs) args.push(...limits.input, ...inputArgs(input));
  return args;
}

function inputArgs({ source, options, format, duration, isList }: ArgvInput): readonly string[] {
  const args = optionArgs(options);
  if (format !== undefined) args.push('-f', format);
  if (source.isSource === true) {
    if (duration !== undefined) args.push('-t', duration);
    // The planner has checked that the filters of this source read no files. This option allows only the demuxer
    // `lavfi`.
    return [...args, '-format_whitelist', 'lavfi', '-i', source.logical];
  }
  if (duration !== undefined)
    args.push(...(isImageFile(extension(source.path)) ? ['-loop', '1'] : ['-stream_loop', '-1']), '-t', duration);
  return [...args, ...(isList === true ? restrictedList(source.logical) : restrictedInput(source.logical))];
}

/** Returns arguments that allow only a concat list. The list itself names the formats that its files may have. */
const restrictedList = (logical: string): readonly string[] => [
  ...['-safe', '0', '-protocol_whitelist', 'file', '-format_whitelist', 'concat'],
  ...['-i', `file:${logical}`],
];

function outputArgs({ output, muxer, logical, pictureEncoder, singlePicture }: ArgvParts): string[] {
  const args = pictureEncoder === undefined ? [] : ['-c:v', pictureEncoder];
  const has = (wanted: string): boolean => output.some(({ name }) => name.name === wanted);
  // Since ffmpeg 6, `fs` counts only the bytes in the file, but ffmpeg buffers 256 KiB. So flush after every packet.
  if (has('fs') && !has('flush_packets') && !MUXERS_THAT_OPEN_FILES.has(muxer)) args.push('-flush_packets', '1');
  args.push('-f', muxer);
  if (singlePicture) args.push('-update', '1');
  args.push(IN_VARIANT_FOLDERS.test(logical) ? logical : `file:${logical}`);
  return args;
}

/**
 * Matches names with `%v` in a folder. These names get no prefix `file:`, because the HLS muxer would make a folder of
 * it.
 */
const IN_VARIANT_FOLDERS = /%v.*\//;

function optionArgs(options: readonly ArgvOption[]): string[] {
  const args: string[] = [];
  for (const { key, values } of options) {
    if (values.length === 0) args.push(`-${key}`);
    else for (const value of values) args.push(`-${key}`, value);
  }
  return args;
}
