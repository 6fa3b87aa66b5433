import { readFile } from 'node:fs/promises';
import type { NewWatch } from '@telecine/client/api.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { withSlash } from '@telecine/contract/domain/media-path.ts';
import { describeJsonError } from '@telecine/contract/wire/json-error.ts';
import { usageError } from '../../session/command-failed.ts';
import type { CommandParameters } from '../../session/parameters.ts';
import type { ServiceFlags } from '../../session/service-verbs.ts';
import { pathOnServer } from '../convert/file-names.ts';
import { templateIn } from '../convert/many/output-template.ts';
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
  /** False with `--no-subfolders`. */
  readonly subfolders: boolean;
  readonly source?: string;
  readonly changed?: true;
  readonly newOnly?: true;
  readonly settle?: number;
  readonly maxUnfinished?: number;
  readonly hours?: NonNullable<NewWatch['activeHours']>;
  readonly timeZone?: string;
  readonly dryRun?: true;
}

type WatchRequest = NewWatch['request'];

/** Reads the watch that the flags describe. The service checks it. Throws `CommandFailed`. */
export async function newWatchOf(folder: string, flags: AddFlags): Promise<NewWatch> {
  const { name, pattern, subfolders, source, changed, newOnly, settle, maxUnfinished, hours, timeZone } = flags;
  return definedMembers<NewWatch>({
    folder: withSlash(pathOnServer(folder)),
    name,
    patterns: pattern && [...pattern],
    subfolders: subfolders ? undefined : false,
    request: await readRequestFlags(flags, subfolders),
    source: source === undefined ? undefined : sourceOf(source),
    changed: changed && 'convert',
    existing: newOnly && 'ignore',
    settleSeconds: settle,
    maxUnfinished,
    activeHours: hours && [...hours],
    timeZone: timeZone ?? (hours && zoneHere()),
  });
}

/** Hours without a zone are those of the clock on this machine. */
export const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const sourceOf = (text: string): NonNullable<NewWatch['source']> =>
  text === 'keep' || text === 'delete' ? text : { moveTo: withSlash(pathOnServer(text)) };

/** The options of `add` and `change` that describe the request for each file. */
export type RequestFlags = Pick<
  AddFlags,
  'to' | 'parameter' | 'preset' | 'argument' | 'format' | 'y' | 'priority' | 'request'
>;

/** Reads the request for each file. Throws `CommandFailed`. */
export const readRequestFlags = async (flags: RequestFlags, subfolders: boolean): Promise<WatchRequest> =>
  flags.request === undefined ? requestOf(flags, subfolders) : readRequest(flags.request);

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
export function outputTemplate(to: string, format: string | undefined, subfolders: boolean): string {
  if (to.includes('{name}')) return to;
  if (/[^/.][^/]*\.[^./]+$/.test(to))
    throw usageError(
      'NOT_A_FOLDER',
      `--to ${to} would be the name of all outputs.`,
      `Name all files: --to '${to.replace(/[^/]*(?=\.[^.]*$)/, '{name}')}'.`,
    );
  const folder = withSlash(to);
  if (format === undefined)
    throw usageError(
      'NO_FORMAT',
      '--to names a folder, and the format of the outputs is missing.',
      `Add their format, such as -f mp4. Or name them: --to '${folder}{folder}{name}.mp4'.`,
    );
  return templateIn(folder, format).replace('{name}', subfolders ? '{folder}{name}' : '{name}');
}

/** Reads a request from a JSON file. The service checks the content. */
async function readRequest(file: string): Promise<WatchRequest> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError('NO_FILE', `${file} cannot be read (${reason}).`, 'Name a file with a request as JSON.');
  });
  try {
    return JSON.parse(text) as WatchRequest;
  } catch {
    throw usageError('INVALID_JSON', `${file} is not a request: ${describeJsonError(text)}.`, 'Correct the JSON.');
  }
}
