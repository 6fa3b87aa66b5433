import type { NewWatch } from '@telecine/client/api.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { usageError } from '../../session/command-failed.ts';
import { readJsonFile } from '../../session/json-file.ts';
import type { CommandParameters } from '../../session/parameters.ts';
import type { ServiceFlags } from '../../session/service-verbs.ts';
import { pathOnServer } from '../convert/file-names.ts';
import { templateOf } from '../convert/many/output-template.ts';
import { presetOf } from '../convert/order-flags.ts';

/** The options of `telecine watch add`, as commander passes them. */
export interface AddFlags extends ServiceFlags {
  readonly to?: string;
  readonly parameter?: CommandParameters;
  readonly preset?: string;
  readonly argument?: Readonly<Record<string, string>>;
  readonly format?: string;
  readonly y?: true;
  readonly priority?: number;
  /** The file of a whole request as JSON. */
  readonly request?: string;
  readonly name?: string;
  readonly pattern?: readonly string[];
  readonly exclude?: readonly string[];
  /** False with `--no-subfolders`. */
  readonly subfolders: boolean;
  readonly source?: string;
  readonly changed?: true;
  readonly newOnly?: true;
  readonly settle?: number;
  readonly maxUnfinished?: number;
  readonly every?: number;
  readonly dryRun?: true;
}

type WatchRequest = NewWatch['request'];

/** Reads the watch that the flags describe. The service checks it. Throws `CommandFailed`. */
export async function newWatchOf(folder: string, flags: AddFlags): Promise<NewWatch> {
  const { name, pattern, exclude, subfolders, source, changed, newOnly, settle, maxUnfinished, every } = flags;
  return definedMembers<NewWatch>({
    folder: folderOnServer(folder),
    name,
    patterns: pattern && [...pattern],
    exclude: exclude && [...exclude],
    subfolders: subfolders ? undefined : false,
    request: await readRequestFlags(flags, subfolders),
    source: source === undefined ? undefined : sourceOf(source),
    changed: changed && 'convert',
    existing: newOnly && 'ignore',
    settleSeconds: settle,
    maxUnfinished,
    every,
  });
}

/** Reads `--source`. Throws `CommandFailed` for a word that is not meant as a folder. */
export function sourceOf(text: string): NonNullable<NewWatch['source']> {
  if (text === 'keep' || text === 'delete') return text;
  const fix = NO_FOLDERS[text];
  if (fix !== undefined)
    throw usageError(
      'INVALID_SOURCE',
      `--source ${text} would move converted files to a folder "${text}".`,
      `Write ${fix}. For a folder of this name: --source ${text}/.`,
    );
  return { moveTo: folderOnServer(text) };
}

/** Words for the source that are no folders. */
const NO_FOLDERS: Readonly<Record<string, string>> = {
  move: '--source done/',
  remove: '--source delete',
  none: '--source keep',
};

/** Reads the path of a folder on the service. `server:` alone is the media root. */
const folderOnServer = (text: string): string => pathOnServer(text) || '/';

/** The options of `add` and `change` that describe the request for each file. */
export type RequestFlags = Pick<
  AddFlags,
  'to' | 'parameter' | 'preset' | 'argument' | 'format' | 'y' | 'priority' | 'request'
>;

/** Reads the request for each file. Throws `CommandFailed`. */
export const readRequestFlags = async (flags: RequestFlags, subfolders: boolean): Promise<WatchRequest> =>
  flags.request === undefined ? requestOf(flags, subfolders) : readJsonFile<WatchRequest>(flags.request, 'a request');

function requestOf(flags: RequestFlags, subfolders: boolean): WatchRequest {
  const { to, parameter, format, y, priority } = flags;
  if (to === undefined)
    throw usageError(
      'NO_OUTPUT',
      'The names of the outputs are missing.',
      "Add their folder and format, such as --to out/ -f mp4. Or name them: --to 'out/{folder}{name}.mp4'.",
    );
  const parameters = { ...parameter, ...(y && { y: '' }) };
  return definedMembers<WatchRequest>({
    output: outputTemplate(pathOnServer(to), format, subfolders),
    format,
    parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
    preset: presetOf(flags),
    priority,
  });
}

/** Returns the template of `--to`. A folder needs a format, and keeps the folders below the watched one. Throws `CommandFailed`. */
export const outputTemplate = (to: string, format: string | undefined, subfolders: boolean): string =>
  templateOf(to, format, { name: subfolders ? '{folder}{name}' : '{name}' });
