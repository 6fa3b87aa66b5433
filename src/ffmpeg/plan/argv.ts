import { INPUT_FORMATS } from '../policy/input-formats.ts';
import type { ReadInput } from './inputs.ts';
import type { ReadOption } from './read-options.ts';

/** All that an argv is made of. */
export interface Parts {
  readonly inputs: readonly ReadInput[];
  /** Output and global options in the caller's order. */
  readonly output: readonly ReadOption[];
  readonly muxer: string;
  /** `out/NAME` */
  readonly logical: string;
  /** The encoder of a picture, where its name does not tell. */
  readonly picture: string | undefined;
  /** image2 writes one file again and again instead of counting up. */
  readonly single: boolean;
  /** ffmpeg since 4.4 reports as often as asked. */
  readonly statsPeriod: boolean;
}

/** Where the log of the first of two passes lies, in scratch; ffmpeg appends `-0.log`. */
const PASS_LOG = 'pass/log';

/** Quiet but for what progress, log and report are read from. */
const HEAD = ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'level+info', '-progress', 'pipe:1'];

/** One pass over the inputs into the output. */
export const singlePass = (parts: Parts): string[] => [
  ...beforeOutput(parts),
  ...optionWords(parts.output),
  ...target(parts),
];

/**
 * Two passes of the video encoder. The first writes nothing but its log: no sound, no subtitles, no container,
 * so what only the container takes is left out.
 */
export function twoPasses(parts: Parts): string[][] {
  const pass = (number: '1' | '2'): string[] => ['-pass', number, '-passlogfile', PASS_LOG];
  const encoding = parts.output.filter((option) => !option.containerOnly);
  return [
    [...beforeOutput(parts), ...optionWords(encoding), ...pass('1'), '-an', '-sn', '-f', 'null', '-'],
    [...beforeOutput(parts), ...optionWords(parts.output), ...pass('2'), ...target(parts)],
  ];
}

function beforeOutput({ inputs, statsPeriod }: Parts): string[] {
  const words = [...HEAD];
  // Half a second is ffmpeg's own choice too, but asked for it writes a line before it ignores SIGPIPE: its end, where
  // the service has died while it was being started.
  if (statsPeriod) words.push('-stats_period', '0.5');
  for (const { planned, options, format, duration } of inputs) {
    words.push(...optionWords(options));
    if (format !== undefined) words.push('-f', format);
    if (duration !== undefined) words.push('-loop', '1', '-t', duration);
    words.push('-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS, '-i', `file:${planned.logical}`);
  }
  return words;
}

function target({ muxer, logical, picture, single }: Parts): string[] {
  const words = picture === undefined ? [] : ['-c:v', picture];
  words.push('-f', muxer);
  if (single) words.push('-update', '1');
  words.push(`file:${logical}`);
  return words;
}

function optionWords(options: readonly ReadOption[]): string[] {
  const words: string[] = [];
  for (const { key, values } of options) {
    if (values.length === 0) words.push(`-${key}`);
    else for (const value of values) words.push(`-${key}`, value);
  }
  return words;
}
