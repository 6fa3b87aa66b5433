import type { MediaStream } from '@telecine/contract/domain/media-info.ts';

/** Video between two filters, or between a filter and an encoder. ffmpeg calls this a link. */
export interface VideoLink {
  readonly kind: 'video';
  readonly width: number;
  readonly height: number;
  /** Frames per second. */
  readonly fps: number;
  /** The length in seconds. Infinity: it never ends. */
  readonly seconds: number;
  /** The input stream that the frames come from. Filters may have added other streams to its frames. */
  readonly source?: MediaStream;
}

/** Audio between two filters, or between a filter and an encoder. */
export interface AudioLink {
  readonly kind: 'audio';
  readonly sampleRate: number;
  readonly channels: number;
  /** The length in seconds. Infinity: it never ends. */
  readonly seconds: number;
}

export type Link = VideoLink | AudioLink;

/** Too little is known for an estimate. The message is a sentence for the client. */
export class NoEstimate extends Error {}

/** Throws `NoEstimate` if the frame size is unknown. For a damaged file, ffprobe reports 0 by 0. */
export function requireSize({ width, height }: VideoLink): void {
  if (!(width > 0 && height > 0)) throw new NoEstimate('The frame size of the input is unknown.');
}

/** The options of a command in their order: the name without the dash, and the value, which is empty for a flag. */
export type CommandOptions = readonly (readonly [name: string, value: string])[];

/** A command of ffmpeg with one output, as the planner prints it. */
export interface Command {
  readonly inputs: readonly { readonly name: string; readonly options: CommandOptions }[];
  /** The options of the output, and global options. */
  readonly output: CommandOptions;
}

/**
 * Reads arguments that the planner printed. The word after an option is its value, unless it is an option itself. The planner prints no
 * value that starts with a dash and a letter.
 */
export function readArgv(argv: readonly string[]): Command {
  const inputs: { name: string; options: CommandOptions }[] = [];
  let options: [string, string][] = [];
  for (let at = 0; at < argv.length - 1; at += 1) {
    const name = (argv[at] ?? '').slice(1);
    const next = argv[at + 1] ?? '';
    const hasValue = at + 1 < argv.length - 1 && !/^-[a-z]/i.test(next);
    if (hasValue) at += 1;
    if (name === 'i') {
      inputs.push({ name: next.replace(/^file:/, ''), options });
      options = [];
    } else options.push([name, hasValue ? next : '']);
  }
  return { inputs, output: options };
}

/** The value of the last option with one of these names. */
export const lastOf = (options: CommandOptions, ...names: readonly string[]): string | undefined =>
  options.findLast(([name]) => names.includes(name))?.[1];

export const allOf = (options: CommandOptions, name: string): readonly string[] =>
  options.flatMap(([each, value]) => (each === name ? [value] : []));

/** The value of the last option that applies to a stream: by index (`b:v:0`), by kind (`b:v`), or to all streams (`b`). */
export const ofStream = (
  options: CommandOptions,
  name: string,
  kind: 'v' | 'a' | 's',
  index: number,
): string | undefined => lastOf(options, name, `${name}:${kind}`, `${name}:${kind}:${index}`);
