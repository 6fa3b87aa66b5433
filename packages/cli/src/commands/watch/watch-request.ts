import type { NewWatch } from '@telecine/client/api.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { usageError } from '../../session/command-failed.ts';
import { readJsonFile } from '../../session/json-file.ts';
import type { Sent } from '../../session/operation-verbs.ts';
import { outputMembers } from '../convert/conversion-order.ts';
import { pathOnServer } from '../convert/file-names.ts';
import { templateOf } from '../convert/many/output-template.ts';
import { type ConvertFlags, commonOf } from '../convert/order-flags.ts';
import { addConversionOptions } from '../convert.ts';

/** The options of `telecine watch add` and `change` that are in no schema. */
interface RequestFlags extends ConvertFlags {
  /** The file of a whole request as JSON. */
  readonly request?: string;
  readonly source?: NewWatch['source'];
}

const HELP = `
In names of outputs, {name} is the name of the file without its extension, {folder} the folders below the watched one,
{date} the day, {width} and {height} the size of the video. --to and the options of "telecine convert" describe the
request for each file: "change" replaces it as a whole. An empty --name, --pattern or --exclude removes the setting.`;

/** Adds the options of `telecine convert` for the request, and those for what happens to a source. */
export const addRequestOptions = (command: Command): Command =>
  addConversionOptions(command)
    .option('--to <folder>', "where the outputs go: a folder, or names such as 'out/{folder}{name}.mp4'")
    .option('--request <file>', 'a whole request as JSON, such as one with several outputs, instead of these options')
    .option('--source <what>', 'what becomes of a converted file: keep, delete, or a folder such as done/', readSource)
    .addHelpText('after', HELP);

/** Completes a new watch by the request and the source of the options. Throws `CommandFailed` without names of outputs. */
export async function withRequest(sent: Sent, flags: RequestFlags): Promise<Sent> {
  const { body, ...others } = await withRequestChange(sent, flags);
  return { ...others, body: { ...body, request: body?.['request'] ?? noOutput() } };
}

/** Completes a change of a watch in the same way. Settings that no option names stay as they are. */
export async function withRequestChange(sent: Sent, flags: RequestFlags): Promise<Sent> {
  const request = await requestOf(flags, sent.body?.['subfolders'] === false);
  const { source } = flags;
  return { ...sent, body: { ...sent.body, ...(source && { source }), ...(request && { request }) } };
}

/** Reads the request for each file. undefined: no flag is about it. Throws `CommandFailed`. */
async function requestOf(flags: RequestFlags, isFlat: boolean): Promise<NewWatch['request'] | undefined> {
  const { request, to, format } = flags;
  if (request !== undefined) return readJsonFile<NewWatch['request']>(request, 'a request');
  const members = outputMembers(commonOf(flags));
  // A folder keeps the folders below the watched one.
  const name = isFlat ? '{name}' : '{folder}{name}';
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

/** Reads `--source`. Only a text with a slash is a folder: otherwise, "move" would be one. */
function readSource(text: string): NewWatch['source'] {
  if (text === 'keep' || text === 'delete') return text;
  if (text.includes('/')) return { moveTo: pathOnServer(text) };
  throw new InvalidArgumentError(`Use keep, delete, or a folder with a slash at its end: ${text}/.`);
}
