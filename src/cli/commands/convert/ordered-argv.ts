import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Command } from 'commander';

/** A word of the command line that is no option, or an option with its value. */
export type OrderedArgument =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'option'; readonly name: string; readonly value: string };

/** A command that knows in which order its options and files were given: to ffmpeg's users that has a meaning. */
export class OrderedCommand extends Command {
  #argv: readonly string[] = [];

  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    this.#argv = argv;
    return super.parseOptions(argv);
  }

  /**
   * After parsing: all that was given. `files` are those that commander found; the first of them may have come before
   * any option, and then were not part of what was parsed here.
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
      // What is wrong, commander has said.
      strict: false,
      tokens: true,
    });
    const parsed = tokens.flatMap((token): readonly OrderedArgument[] => {
      if (token.kind === 'positional') return [{ kind: 'file', text: token.value }];
      return token.kind === 'option' ? [{ kind: 'option', name: token.name, value: token.value ?? '' }] : [];
    });
    const before = files.length - parsed.filter(({ kind }) => kind === 'file').length;
    return [...files.slice(0, before).map((text): OrderedArgument => ({ kind: 'file', text })), ...parsed];
  }
}
