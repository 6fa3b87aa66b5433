import type { NewWatch, WatchChange } from '@telecine/client/api.ts';
import { POLL_SECONDS, WATCH_LIMITS } from '@telecine/contract/domain/watch.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { usageError } from '../../session/command-failed.ts';
import { timeIn, wholeNumberIn } from '../../session/command-options.ts';
import { readJsonFile } from '../../session/json-file.ts';
import { addValue } from '../../session/parameters.ts';
import { outputMembers } from '../convert/conversion-order.ts';
import { pathOnServer } from '../convert/file-names.ts';
import { templateOf } from '../convert/many/output-template.ts';
import { type ConvertFlags, commonOf } from '../convert/order-flags.ts';
import { addConversionOptions } from '../convert.ts';

/** The options of `telecine watch add` and `change`, as commander passes them. */
export interface WatchFlags extends ConvertFlags {
  /** The file of a whole request as JSON. */
  readonly request?: string;
  readonly newOnly?: true;
  /** The settings. */
  readonly [attribute: string]: unknown;
}

const { settleSeconds, maxUnfinished, every } = WATCH_LIMITS;

const seconds = timeIn('1', `${every.max}`);

/** The options of the settings, each with the name of the member that it sets. The service checks the values. */
const SETTINGS = {
  name: new Option('--name <name>', 'your own name for the watch'),
  patterns: new Option('--pattern <pattern>', "only files with such names, repeatable: '*.mov'").argParser(addValue),
  exclude: new Option('--exclude <pattern>', "no files with such names, repeatable: '*_proxy.mov'").argParser(addValue),
  subfolders: new Option('--no-subfolders', 'only files in the folder itself'),
  source: new Option('--source <what>', 'converted files: keep, delete, or a folder to move them to: done/').argParser(
    readSource,
  ),
  changed: new Option('--changed', 'convert a file again when its content changes').preset('convert'),
  settleSeconds: new Option(
    '--settle <time>',
    `how long until a file is whole (default: ${settleSeconds.default}s)`,
  ).argParser(seconds),
  every: new Option(
    '--every <time>',
    `how often the folder is listed (default: ${POLL_SECONDS.disk}s, in a bucket ${POLL_SECONDS.bucket}s)`,
  ).argParser(seconds),
  maxUnfinished: new Option(
    '--max-unfinished <count>',
    `how many of its jobs may be unfinished (default: ${maxUnfinished.default})`,
  ).argParser(wholeNumberIn(1, maxUnfinished.max)),
};

/** Adds the options of the settings, and those of `telecine convert` for the request. */
const addSettings = (command: Command): Command =>
  Object.values<Option>(SETTINGS).reduce(
    (all, one) => all.addOption(one),
    addConversionOptions(command)
      .option('--to <folder>', "where the outputs go: a folder, or names such as 'out/{folder}{name}.mp4'")
      .option(
        '--request <file>',
        'a whole request as JSON, such as one with several outputs, instead of these options',
      ),
  );

export const addNewOptions = (add: Command): Command =>
  addSettings(add)
    .option('--new-only', 'ignore the files that are there now')
    .option('--dry-run', 'only say what would be converted now, with an estimate of time and size');

export const addChangeOptions = (change: Command): Command =>
  // Without `--subfolders` before it, `--no-subfolders` has a default.
  addSettings(change.option('--subfolders', 'also files in folders below'))
    .option('--no-name', 'remove the name')
    .option('--no-pattern', 'all media')
    .option('--no-exclude', 'leave no files out')
    .addOption(new Option('--no-changed', 'convert each file once, whatever becomes of its content').preset('ignore'));

/** Reads the settings that were sent. A false of `--no-…` removes a setting that can be absent. */
const settingsOf = (flags: WatchFlags): object =>
  Object.fromEntries(
    Object.entries<Option>(SETTINGS).flatMap(([member, one]) => {
      const value = flags[one.attributeName()];
      return value === undefined ? [] : [[member, value === false && member !== 'subfolders' ? null : value]];
    }),
  );

/** Reads the watch that the flags describe. The service checks it. Throws `CommandFailed`. */
export async function newWatchOf(folder: string, flags: WatchFlags): Promise<NewWatch> {
  const request = await requestOf(flags);
  if (request === undefined) throw noOutput();
  const existing = flags.newOnly && { existing: 'ignore' as const };
  // `server:` alone is the media root.
  return { folder: pathOnServer(folder) || '/', ...settingsOf(flags), ...existing, request };
}

/** Reads what the flags change of a watch. The service checks it: it also rejects a change of nothing. Throws `CommandFailed`. */
export async function watchChangeOf(flags: WatchFlags): Promise<WatchChange> {
  const request = await requestOf(flags);
  return { ...settingsOf(flags), ...(request && { request }) };
}

/** Reads the request for each file. undefined: no flag is about it. Throws `CommandFailed`. */
async function requestOf(flags: WatchFlags): Promise<NewWatch['request'] | undefined> {
  const { request, to, format } = flags;
  if (request !== undefined) return readJsonFile<NewWatch['request']>(request, 'a request');
  const members = outputMembers(commonOf(flags));
  // A folder keeps the folders below the watched one.
  const name = flags['subfolders'] === false ? '{name}' : '{folder}{name}';
  if (to !== undefined) return { output: templateOf(pathOnServer(to), format, { name }), ...members };
  if (Object.keys(members).length > 0) throw noOutput();
  return undefined;
}

const noOutput = () =>
  usageError(
    'NO_OUTPUT',
    'The names of the outputs are missing.',
    "Add their folder and format, such as --to out/ -f mp4. Or name them: --to 'out/{folder}{name}.mp4'.",
  );

/** Reads `--source`. Only a text with a slash is a folder: otherwise, "move" would be one. */
function readSource(text: string): NewWatch['source'] {
  if (text === 'keep' || text === 'delete') return text;
  if (text.includes('/')) return { moveTo: pathOnServer(text) };
  throw new InvalidArgumentError(`Use keep, delete, or a folder with a slash at its end: ${text}/.`);
}
