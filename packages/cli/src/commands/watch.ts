import type { Watch, WatchChange, WatchDryRun, WatchedFile } from '@telecine/client/api.ts';
import { PRIORITY } from '@telecine/contract/domain/queue-order.ts';
import {
  POLL_SECONDS,
  WATCH_LIMITS,
  WATCHED_FILE_STATES,
  type WatchedFileState,
} from '@telecine/contract/domain/watch.ts';
import { failureGroups } from '@telecine/contract/domain/watch-text.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { numberIn, timeIn, wholeNumberIn } from '../session/command-options.ts';
import { pagesOf } from '../session/pages.ts';
import { addArgument, addParameter, addValue } from '../session/parameters.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { pathOnServer } from './convert/file-names.ts';
import { watchIdOf } from './watch/named-watch.ts';
import { type AddFlags, newWatchOf } from './watch/new-watch.ts';
import { type ChangeFlags, watchChangeOf } from './watch/watch-change.ts';
import { retryText, showAdded, showDryRun, showFiles, showWatch, showWatches } from './watch/watch-lines.ts';
import { wrongVerb } from './watch/wrong-verb.ts';

/** The most files in one page of a list. */
const PAGE = 500;

/** The most files that one call lists. */
const MOST_FILES = 100_000;

const HELP = `
  telecine watch add in/ --to out/ -f mp4 --preset web-h264 --dry-run   # what it would convert
  telecine watch add in/ --to 'out/{folder}{name}-{height}p.mp4' --name incoming --pattern '*.mov' --source done/
  telecine watch show incoming         # its state, and what failed with the fixes
  telecine watch retry incoming        # converts again what needs attention
  telecine watch change incoming --pattern '*.mov' --source done/
  telecine watch pause incoming        # also: resume, delete`;

const ADD_HELP = `
In names of outputs, {name} is the name of the file without its extension, {folder} the folders below the watched one
with a slash at the end, {date} the day, {width} and {height} the size of the video. A folder without a name needs -f, and
keeps those folders.`;

const CHANGE_HELP = `
--to, -f, --preset, -a, -p, -y and --priority describe the request for each file: together they replace the one that the
watch has. The folder cannot be changed: make another watch.`;

type WatchClient = Call<ServiceFlags>['client'];

interface FilesFlags extends ServiceFlags {
  readonly state?: WatchedFileState;
  readonly limit?: number;
}

export function declare(watch: Command): void {
  watch.addHelpText('after', HELP);
  const list = addVerb(
    watch.command('list', { isDefault: true }),
    'list your watches (the default)',
    ({ client, signal, flags }: Call<ServiceFlags & { readonly client?: string }>) =>
      client.watches({ signal, ...(flags.client !== undefined && { client: flags.client }) }),
    ({ watches }) => showWatches(watches),
  ).option('--client <name>', 'only those of this client (needs the scope admin; default for admin: all clients)');
  // Without a verb that it knows, commander takes all words as arguments of the default one.
  list.allowExcessArguments().hook('preAction', (_, { args: [word, ...others] }) => {
    if (word !== undefined) list.error(`error: ${wrongVerb(word, others, verbsOf(watch))}`);
  });
  declareAdd(watch);
  addVerb(
    watch.command('show <watch>'),
    'show the state of a watch, and its failures by reason',
    async ({ client, signal }, name = '') => {
      const found = await client.watch(await watchIdOf(client, name, signal), { signal });
      if (found.counts.needsAttention === 0) return { ...found, failures: [] };
      const query = { state: 'NEEDS_ATTENTION', limit: PAGE, signal } as const;
      return { ...found, failures: failureGroups((await client.watchedFiles(found.watchId, query)).files) };
    },
    showWatch,
  );
  addVerb(watch.command('files <watch>'), 'list files of a watch, by path', listFiles, ({ files, hasMore }) =>
    showFiles(files, hasMore),
  )
    .option('--state <state>', `only files in this state: ${WATCHED_FILE_STATES.join(', ')}`, readState)
    .option('--limit <count>', 'number of files, 1 to 100000', numberIn(1, MOST_FILES), 100);
  declareChange(watch);
  declareState(watch, 'pause', 'take and convert nothing; running jobs go on', 'PAUSED', 'is paused.');
  declareState(watch, 'resume', 'take files and convert them again', 'ACTIVE', 'is active.');
  addVerb(
    watch.command('retry <watch> [paths...]'),
    'convert files again: all that need attention, or these, even if they are converted',
    async ({ client, signal }, name: string, paths?: string | readonly string[]) => {
      const chosen = [paths ?? []].flat().map(pathOnServer);
      const id = await watchIdOf(client, name, signal);
      return client.retryWatch(id, { signal, ...(chosen.length > 0 && { paths: chosen }) });
    },
    ({ files }, name = '', paths: string | readonly string[] = []) => [retryText(files, name, paths.length)],
  );
  declareAct(
    watch,
    'delete',
    'delete a watch; its jobs and all files stay',
    (client, watchId, options) => client.removeWatch(watchId, options),
    (name) => `The watch ${name} is deleted. Its jobs and all files stay.`,
  );
}

/** Lists files of a watch, by path. Reads pages until there are `limit` files. */
async function listFiles(
  { client, signal, flags: { state, limit = PAGE } }: Call<FilesFlags>,
  name = '',
): Promise<{ readonly files: readonly WatchedFile[]; readonly hasMore: boolean }> {
  const watchId = await watchIdOf(client, name, signal);
  const files: WatchedFile[] = [];
  let hasMore = false;
  const read = (cursor: string | undefined) =>
    client.watchedFiles(watchId, {
      limit: Math.min(PAGE, limit - files.length),
      signal,
      ...(state !== undefined && { state }),
      ...(cursor !== undefined && { cursor }),
    });
  for await (const page of pagesOf(read)) {
    files.push(...page.files);
    hasMore = page.nextCursor !== undefined;
    if (files.length >= limit) break;
  }
  return { files, hasMore };
}

function declareAdd(watch: Command): void {
  const add = addVerb(
    watch.command('add <folder>'),
    'convert the files of a folder of the service, and each that lands there later, once',
    async ({ client, signal, flags }: Call<AddFlags>, folder = ''): Promise<Watch | WatchDryRun> => {
      const made = await newWatchOf(folder, flags);
      return flags.dryRun === true ? client.dryRunWatch(made, { signal }) : client.addWatch(made, { signal });
    },
    (made) => ('watchId' in made ? showAdded(made) : showDryRun(made)),
  );
  addRequestOptions(add).option('--name <name>', 'your own name for the watch');
  addSettings(add)
    .option('--no-subfolders', 'only files in the folder itself')
    .option('--changed', 'convert a file again when its content changes')
    .option('--new-only', 'ignore the files that are there now')
    .option('--dry-run', 'only say what would be converted now, with an estimate of time and size')
    .addHelpText('after', ADD_HELP);
}

function declareChange(watch: Command): void {
  const change = addVerb(
    watch.command('change <watch>'),
    'change settings of a watch; files that have jobs keep them',
    async ({ client, signal, flags }: Call<ChangeFlags>, name = '') => {
      const body = await watchChangeOf(flags);
      return client.changeWatch(await watchIdOf(client, name, signal), body, { signal });
    },
    (_, name) => [`The watch ${name} is changed.`],
  );
  addRequestOptions(change)
    .option('--name <name>', 'another name for the watch')
    .option('--no-name', 'remove the name');
  addSettings(change)
    .option('--no-pattern', 'all media')
    .option('--subfolders', 'also files in folders below')
    .option('--no-subfolders', 'only files in the folder itself')
    .option('--changed', 'convert a file again when its content changes')
    .option('--no-changed', 'convert each file once, whatever becomes of its content')
    .option('--no-exclude', 'leave no files out')
    .addHelpText('after', CHANGE_HELP);
}

/** The options that describe the request for each file. */
const addRequestOptions = (command: Command): Command =>
  command
    .option('--to <folder>', "where the outputs go: a folder, or names such as 'out/{folder}{name}.mp4'")
    .option('-f, --format <name>', 'the container format (default: by the extension of the output)')
    .option('--preset <name>', 'apply a recipe: see telecine recipes')
    .option('-a, --argument <name=value>', 'an argument of the recipe, repeatable', addArgument)
    .option('-p, --parameter <name=value>', 'an ffmpeg option of the output, repeatable', addParameter)
    .option('-y', 'replace existing outputs')
    .option(
      '--priority <level>',
      `from ${PRIORITY.min} to ${PRIORITY.max}: move its jobs back or forward in the queue`,
      wholeNumberIn(PRIORITY.min, PRIORITY.max),
    )
    .option('--request <file>', 'a whole request as JSON, for example with several outputs, instead of these options');

/** The settings that `add` and `change` have in common. */
function addSettings(command: Command): Command {
  const { settleSeconds, maxUnfinished, every } = WATCH_LIMITS;
  return command
    .option('--pattern <pattern>', "only files with such names, repeatable: '*.mov' (default: all media)", addValue)
    .option('--exclude <pattern>', "no files with such names, repeatable: '*_proxy.mov'", addValue)
    .option(
      '--source <what>',
      'what becomes of a converted file: keep, delete, or a folder to move it to, such as done/',
    )
    .option(
      '--settle <time>',
      `how long a file must stay the same until it is whole (default: ${settleSeconds.default}s)`,
      timeIn(`${settleSeconds.min}`, `${settleSeconds.max}`),
    )
    .option(
      '--every <time>',
      `how often the folder is listed (default: ${POLL_SECONDS.disk}s, in a bucket ${POLL_SECONDS.bucket}s)`,
      timeIn(`${every.min}`, `${every.max}`),
    )
    .option(
      '--max-unfinished <count>',
      `how many of its jobs may be unfinished (default: ${maxUnfinished.default})`,
      wholeNumberIn(maxUnfinished.min, maxUnfinished.max),
    );
}

const verbsOf = ({ commands }: Command): readonly string[] => commands.map((command) => command.name());

function readState(text: string): WatchedFileState {
  const state = WATCHED_FILE_STATES.find((one) => one === text.toUpperCase().replaceAll('-', '_'));
  if (state === undefined) throw new InvalidArgumentError(`Use one of: ${WATCHED_FILE_STATES.join(', ')}.`);
  return state;
}

/** A verb without options that does something with one watch. With `--json`, prints what `act` returns, by default the id of the watch. */
const declareAct = (
  watch: Command,
  verb: string,
  about: string,
  act: (client: WatchClient, watchId: string, options: { readonly signal: AbortSignal }) => Promise<unknown>,
  result: (name: string) => string,
): Command =>
  addVerb(
    watch.command(`${verb} <watch>`),
    about,
    async ({ client, signal }, name = '') => {
      const watchId = await watchIdOf(client, name, signal);
      return (await act(client, watchId, { signal })) ?? { watchId };
    },
    (_, name = '') => [result(name)],
  );

const declareState = (
  watch: Command,
  verb: string,
  about: string,
  state: NonNullable<WatchChange['state']>,
  result: string,
): Command =>
  declareAct(
    watch,
    verb,
    about,
    (client, watchId, options) => client.changeWatch(watchId, { state }, options),
    (name) => `The watch ${name} ${result}`,
  );
