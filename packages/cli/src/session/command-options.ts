import { readTime } from '@telecine/service/config/setting.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, EXIT_HELP } from '../exit-codes.ts';
import { PROGRESS_FORMS } from '../output/progress-display.ts';

export const numberIn =
  (from: number, to: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= from && value <= to))
      throw new InvalidArgumentError(`Use a number from ${from} to ${to}.`);
    return value;
  };

export const wholeNumberIn =
  (from: number, to: number) =>
  (text: string): number => {
    const value = numberIn(from, to)(text);
    if (!Number.isInteger(value)) throw new InvalidArgumentError(`Use a whole number from ${from} to ${to}.`);
    return value;
  };

/** Reads a time in whole seconds or with a unit. `from` and `to` are the smallest and the largest allowed time: `1m`, `3650d`. */
export const timeIn =
  (from: string, to: string) =>
  (text: string): number => {
    const [least, most] = [readTime(from), readTime(to)];
    let seconds: number | undefined;
    try {
      seconds = readTime(text.trim());
    } catch {}
    if (seconds !== undefined && seconds >= least && seconds <= most) return seconds;
    throw new InvalidArgumentError(
      `Use whole seconds from ${least} to ${most}, or a whole number with s, m, h or d, such as 90m, 48h or 30d.`,
    );
  };

/** The option `--progress` for commands that transfer files or wait for jobs. */
export const progressOption = (): Option =>
  new Option(
    '--progress <form>',
    'how to show progress on standard error (default: bar on a terminal, else lines)',
  ).choices(PROGRESS_FORMS);

/** Adds the options and the exit codes that all client commands of a service need. */
export function addServiceOptions<T extends Command>(command: T): T {
  addUrlOption(command).option('--json', 'print JSON, for programs').addHelpText('after', EXIT_HELP);
  return command;
}

/** Adds `--url` and the exit code for invalid usage to a command that has its own output format. */
export function addUrlOption<T extends Command>(command: T): T {
  command
    .option(
      '--url <address>',
      'address of the service (default: TELECINE_URL, else port 8080 or TELECINE_PORT of this machine)',
    )
    .showHelpAfterError(`See "telecine ${nameOf(command)} --help".`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === EXIT.done ? EXIT.done : EXIT.refused));
  return command;
}

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
