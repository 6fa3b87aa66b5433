import type { NewWatch, WatchChange } from '@telecine/client/api.ts';
import { WATCH_LIMITS } from '@telecine/contract/domain/watch.ts';
import { newWatchBody } from '@telecine/contract/wire/watch.ts';
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
  /** The settings. */
  readonly [attribute: string]: unknown;
}

const seconds = timeIn('1', `${WATCH_LIMITS.every.max}`);

/** How the values of options are read that are not texts. The service checks them. */
const READERS: { readonly [member: string]: (text: string, before: never) => unknown } = {
  ...{ patterns: addValue, exclude: addValue, source: readSource, settleSeconds: seconds, every: seconds },
  subfolders: readBoolean,
  maxUnfinished: wholeNumberIn(1, WATCH_LIMITS.maxUnfinished.max),
};

const { folder: _, request: __, ...settings } = newWatchBody.shape;

/** Adds an option for each setting, named like it, and those of `telecine convert` for the request. */
export function addSettings(command: Command): Command {
  addConversionOptions(command)
    .option('--to <folder>', "where the outputs go: a folder, or names such as 'out/{folder}{name}.mp4'")
    .option('--request <file>', 'a whole request as JSON, such as one with several outputs, instead of these options');
  for (const [member, schema] of Object.entries(settings)) {
    const flag = member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = new Option(`--${flag} <value>`, schema.meta()?.description ?? schema.unwrap().description);
    const read = READERS[member];
    const { options } = schema.unwrap() as { readonly options?: readonly string[] };
    command.addOption(
      read === undefined && options
        ? option.choices(options)
        : option.argParser((read ?? String) as (text: string) => unknown),
    );
  }
  return command;
}

/** Reads the watch that the flags describe. The service checks it. Throws `CommandFailed`. */
export async function newWatchOf(folder: string, flags: WatchFlags): Promise<NewWatch> {
  const { request = noOutput(), ...sent } = await watchChangeOf(flags);
  // `server:` alone is the media root.
  return { folder: pathOnServer(folder) || '/', ...(sent as object), request };
}

/**
 * Reads what the flags change of a watch. An empty name, pattern or exclude removes the setting. The service checks it: it also rejects a change
 * of nothing. Throws `CommandFailed`.
 */
export async function watchChangeOf(flags: WatchFlags): Promise<WatchChange> {
  const sent = Object.keys(settings).flatMap((member) => {
    const value = flags[member];
    return value === undefined ? [] : [[member, String(value) === '' ? null : value]];
  });
  const request = await requestOf(flags);
  return { ...Object.fromEntries(sent), ...(request && { request }) };
}

/** Reads the request for each file. undefined: no flag is about it. Throws `CommandFailed`. */
async function requestOf(flags: WatchFlags): Promise<NewWatch['request'] | undefined> {
  const { request, to, format } = flags;
  if (request !== undefined) return readJsonFile<NewWatch['request']>(request, 'a request');
  const members = outputMembers(commonOf(flags));
  // A folder keeps the folders below the watched one.
  const name = flags['subfolders'] === false ? '{name}' : '{folder}{name}';
  if (to !== undefined) return { output: templateOf(pathOnServer(to), format, { name }), ...members };
  return Object.keys(members).length > 0 ? noOutput() : undefined;
}

function noOutput(): never {
  throw usageError(
    'NO_OUTPUT',
    'The names of the outputs are missing.',
    "Add their folder and format, such as --to out/ -f mp4. Or name them: --to 'out/{folder}{name}.mp4'.",
  );
}

function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Use true or false.');
}

/** Reads `--source`. Only a text with a slash is a folder: otherwise, "move" would be one. */
function readSource(text: string): NewWatch['source'] {
  if (text === 'keep' || text === 'delete') return text;
  if (text.includes('/')) return { moveTo: pathOnServer(text) };
  throw new InvalidArgumentError(`Use keep, delete, or a folder with a slash at its end: ${text}/.`);
}
