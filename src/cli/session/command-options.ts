import { type Command, InvalidArgumentError } from 'commander';
import { EXIT, EXIT_HELP } from '../exit-codes.ts';

/** Reads a number in a closed range. */
export const numberIn =
  (from: number, to: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= from && value <= to))
      throw new InvalidArgumentError(`It is from ${from} to ${to}.`);
    return value;
  };

/** What each command that talks to a service takes and how it ends. Wrong usage ends with its own code. */
export function addServiceOptions<T extends Command>(command: T): T {
  addUrlOption(command).option('--json', 'print JSON, for programs').addHelpText('after', EXIT_HELP);
  return command;
}

/** The same, of a command whose output has its own form. */
export function addUrlOption<T extends Command>(command: T): T {
  command
    .option('--url <address>', 'the service; else TELECINE_URL, else http://127.0.0.1:8080')
    .showHelpAfterError(`See "telecine ${nameOf(command)} --help".`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === EXIT.done ? EXIT.done : EXIT.refused));
  return command;
}

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
