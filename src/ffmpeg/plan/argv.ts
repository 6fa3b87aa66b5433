import { extension } from '../../domain/media-path.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import type { LimitArgs } from './checks/resource-limits.ts';
import { isImageFile } from './request/format-names.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';
import type { ArgvOption } from './request/resolve-options.ts';

/** All that an argv is made of. */
export interface ArgvParts {
  readonly inputs: readonly ArgvInput[];
  /** Output and global options in the caller's order. */
  readonly output: readonly ArgvOption[];
  readonly muxer: string;
  /** `out/NAME` */
  readonly logical: string;
  /** The encoder of a picture, where its name does not tell. */
  readonly picture: string | undefined;
  /** image2 writes one file again and again instead of counting up. */
  readonly single: boolean;
  /** ffmpeg since 4.4 reports as often as asked. */
  readonly statsPeriod: boolean;
  readonly limits: LimitArgs;
}

/** Opens a file as inputs are opened, and fails where that is not to be: its content names other files, for one. */
export const openingArgv = (logical: string): readonly string[] => [
  ...HEAD.slice(0, HEAD.indexOf('-progress')),
  ...bound(logical),
  ...['-map', '0', '-c', 'copy', '-t', '0', '-f', 'null', '-'],
];

/** No other protocol than files, and no format that leads to further ones. */
const bound = (logical: string): readonly string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS],
  ...['-i', `file:${logical}`],
];

/** Quiet but for what progress, log and report are read from. */
const HEAD = ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'level+info', '-progress', 'pipe:1'];

/** One pass over the inputs into the output. */
export const singlePassArgv = (parts: ArgvParts): string[] => [
  ...beforeOutput(parts),
  ...optionWords(parts.output),
  ...target(parts),
];

/** Two passes of the video encoder, each with its options. The first writes no output. */
export const twoPassArgvs = (parts: ArgvParts, [first, second]: readonly (readonly ArgvOption[])[]): string[][] => [
  [...beforeOutput(parts), ...optionWords(first ?? []), ...nowhere(parts)],
  [...beforeOutput(parts), ...optionWords(second ?? []), ...target(parts)],
];

/** Muxers that open their files themselves. They take frames at a constant rate. */
const OPEN_FILES: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);

/**
 * Where a pass that leaves nothing writes to. The muxer decides which frames ffmpeg repeats or drops, and an encoder
 * that gets another number of them in its second pass fails, so the null muxer alone would not do.
 */
function nowhere({ muxer, output }: ArgvParts): string[] {
  if (!OPEN_FILES.has(muxer)) return ['-y', '-f', muxer, 'file:/dev/null'];
  const told = output.some(({ name }) => name.name === 'fps_mode' || name.name === 'vsync');
  return [...(told ? [] : ['-fps_mode', 'cfr']), '-f', 'null', '-'];
}

function beforeOutput({ inputs, statsPeriod, limits }: ArgvParts): string[] {
  const words = [...HEAD];
  // Half a second is ffmpeg's own choice too, but asked for it writes a line before it ignores SIGPIPE: its end, where
  // the service has died while it was being started.
  if (statsPeriod) words.push('-stats_period', '0.5');
  words.push(...limits.head);
  for (const { source, options, format, duration } of inputs) {
    words.push(...limits.input, ...optionWords(options));
    if (format !== undefined) words.push('-f', format);
    if (duration !== undefined)
      words.push(...(isImageFile(extension(source.path)) ? ['-loop', '1'] : ['-stream_loop', '-1']), '-t', duration);
    words.push(...bound(source.logical));
  }
  words.push(...limits.output);
  return words;
}

function target({ muxer, logical, picture, single }: ArgvParts): string[] {
  const words = picture === undefined ? [] : ['-c:v', picture];
  words.push('-f', muxer);
  if (single) words.push('-update', '1');
  words.push(IN_VARIANT_FOLDERS.test(logical) ? logical : `file:${logical}`);
  return words;
}

/** Folders that the HLS muxer makes by itself it makes by the name as it stands, protocol and all. */
const IN_VARIANT_FOLDERS = /%v.*\//;

function optionWords(options: readonly ArgvOption[]): string[] {
  const words: string[] = [];
  for (const { key, values } of options) {
    if (values.length === 0) words.push(`-${key}`);
    else for (const value of values) words.push(`-${key}`, value);
  }
  return words;
}
