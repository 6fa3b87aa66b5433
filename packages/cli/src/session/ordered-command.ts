import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Command } from 'commander';

/** A file on the command line, or an option with its value. */
export type OrderedArgument =
  | { readonly kind: 'file'; readonly text: string }
  | {
      readonly kind: 'option';
      readonly name: string;
      readonly value: string;
      /** The option as the user wrote it, such as `-i` and `ss=5`. */
      readonly argv: readonly string[];
    };

export const isFile = (word: OrderedArgument): word is OrderedArgument & { readonly kind: 'file' } =>
  word.kind === 'file';

/** Whether an argument is one of these options. `names`: long names without dashes. */
export const isOption = (
  word: OrderedArgument | undefined,
  ...names: readonly string[]
): word is OrderedArgument & { readonly kind: 'option' } => word?.kind === 'option' && names.includes(word.name);

/** A command that records the order of its options and files. The order matters, as for ffmpeg. */
export class OrderedCommand extends Command {
  #argv: readonly string[] = [];

  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    this.#argv = argv;
    return super.parseOptions(argv);
  }

  /**
   * Returns all arguments in order, after parsing. `files`: all files that commander found. They are needed because `parseOptions` does not
   * receive the files before the first option.
   */
  words(files: readonly string[]): readonly OrderedArgument[] {
    const options = this.options.map(({ long = '', short, required }) => [
      long.replace(/^--/, ''),
      { type: required ? 'string' : 'boolean', ...(short !== undefined && { short: short.slice(1) }) } as const,
    ]);
    const { tokens } = parseArgs({
      args: [...this.#argv],
      options: Object.fromEntries(options) as NonNullable<ParseArgsConfig['options']>,
      allowPositionals: true,
      // Do not check the options again: commander has already reported errors.
      strict: false,
      tokens: true,
    });
    const parsed = tokens.flatMap((token): readonly OrderedArgument[] => {
      if (token.kind === 'positional') return [{ kind: 'file', text: token.value }];
      if (token.kind !== 'option') return [];
      const { name, rawName, value } = token;
      return [{ kind: 'option', name, value: value ?? '', argv: [rawName, ...(value === undefined ? [] : [value])] }];
    });
    const before = files.length - parsed.filter(({ kind }) => kind === 'file').length;
    return [...files.slice(0, before).map((text): OrderedArgument => ({ kind: 'file', text })), ...parsed];
  }
}
