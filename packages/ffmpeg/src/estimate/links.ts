import type { MediaStream } from '@telecine/contract/domain/media-info.ts';

/** Video between two filters, or before an encoder. */
export interface VideoLink {
  readonly kind: 'video';
  readonly width: number;
  readonly height: number;
  /** Frames per second. */
  readonly fps: number;
  /** The length in seconds. Infinity: something else ends the video. */
  readonly seconds: number;
  /** The input stream that the frames come from. Filters may have added other streams to it. */
  readonly source?: MediaStream;
}

/** Audio between two filters, or before an encoder. */
export interface AudioLink {
  readonly kind: 'audio';
  readonly sampleRate: number;
  readonly channels: number;
  /** The length in seconds. Infinity: something else ends the audio. */
  readonly seconds: number;
}

export type Link = VideoLink | AudioLink;

/** Thrown if an estimate would have no basis. The message is a sentence for the client. */
export class NoEstimate extends Error {}

/** Throws `NoEstimate` for frames without a size. For a damaged file, ffprobe reports 0 by 0. */
export function requireSize({ width, height }: VideoLink): void {
  if (!(width > 0 && height > 0)) throw new NoEstimate('The input does not say how large its frames are.');
}

/**
 * The options of a command in their order. Each has the name without the dash and the value, which is '' for a flag.
 */
export type CommandOptions = readonly (readonly [name: string, value: string])[];

/** An ffmpeg command with one output, as the planner prints it. */
export interface Command {
  readonly inputs: readonly { readonly name: string; readonly options: CommandOptions }[];
  /** The options of the output, including global options. */
  readonly output: CommandOptions;
}

/**
 * Reads arguments that the planner printed. A word after an option is its value, unless the word is an option too. This
 * works because the planner prints full option names, and no values that start with a dash and a letter.
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

/** Returns the value of the last option with one of these names. */
export const lastOf = (options: CommandOptions, ...names: readonly string[]): string | undefined =>
  options.findLast(([name]) => names.includes(name))?.[1];

export const allOf = (options: CommandOptions, name: string): readonly string[] =>
  options.flatMap(([each, value]) => (each === name ? [value] : []));

/**
 * Returns the value of the last option that applies to a stream: to its index within its kind (`b:v:0`), to its kind
 * (`b:v`), or to all streams (`b`).
 */
export const ofStream = (
  options: CommandOptions,
  name: string,
  kind: 'v' | 'a' | 's',
  index: number,
): string | undefined => lastOf(options, name, `${name}:${kind}`, `${name}:${kind}:${index}`);
