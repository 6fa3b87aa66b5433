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

/** The value of the last option that applies to a stream: by index (`b:v:0`), by kind (`b:v`), or to all streams (`b`). */
export const ofStream = (
  options: CommandOptions,
  name: string,
  { link: { kind }, index }: { readonly link: { readonly kind: 'video' | 'audio' }; readonly index: number },
): string | undefined => lastOf(options, name, `${name}:${kind[0]}`, `${name}:${kind[0]}:${index}`);
