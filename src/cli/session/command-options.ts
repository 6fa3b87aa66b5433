import { type Command, InvalidArgumentError } from 'commander';
import { EXIT, EXIT_HELP } from '../exit-codes.ts';

/** Reads a number in a closed range. */
export const numberIn =
  (from: number, to: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= from && value <= to))
      throw new InvalidArgumentError(`Use a number from ${from} to ${to}.`);
    return value;
  };

/** Adds the options and the exit codes of all commands that call a service. */
export function addServiceOptions<T extends Command>(command: T): T {
  addUrlOption(command).option('--json', 'print JSON, for programs').addHelpText('after', EXIT_HELP);
  return command;
}

/** Adds `--url` and the exit code for invalid usage, for commands with their own output format. */
export function addUrlOption<T extends Command>(command: T): T {
  command
    .option('--url <address>', 'address of the service (default: TELECINE_URL, else http://127.0.0.1:8080)')
    .showHelpAfterError(`See "telecine ${nameOf(command)} --help".`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === EXIT.done ? EXIT.done : EXIT.refused));
  return command;
}

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
