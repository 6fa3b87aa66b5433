import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { WATCHED_FILE_STATES, type WatchedFileState } from '@telecine/contract/domain/watch.ts';
import { failureGroups, filesText } from '@telecine/contract/domain/watch-text.ts';
import { type Command, Option } from 'commander';
import { numberIn } from '../session/command-options.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { pathOnServer } from './convert/file-names.ts';
import { watchIdOf } from './watch/named-watch.ts';
import { showDryRun, showFiles, showWatch, showWatches } from './watch/watch-lines.ts';
import { addSettings, newWatchOf, type WatchFlags, watchChangeOf } from './watch/watch-settings.ts';

/** The most files in one page of a list. */
const PAGE = 500;

const HELP = `
  telecine watch add in/ --to out/ -f mp4 --preset web-h264 --dry-run   # what it would convert
  telecine watch add in/ --to 'out/{folder}{name}-{height}p.mp4' --name incoming --patterns '*.mov' --source done/
  telecine watch show incoming         # its state, and what failed with the fixes
  telecine watch retry incoming        # converts again what needs attention
  telecine watch change incoming --patterns '*.mov' --source done/
  telecine watch pause incoming        # also: resume, delete`;

const OPTIONS_HELP = `
In names of outputs, {name} is the name of the file without its extension, {folder} the folders below the watched one,
{date} the day, {width} and {height} the size of the video. --to and the options of "telecine convert" describe the
request for each file: "change" replaces it as a whole.`;

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
      client.watches({ signal, client: flags.client }),
    ({ watches }) => showWatches(watches),
  ).option('--client <name>', 'only those of this client (needs the scope admin; default for admin: all clients)');
  // Without a verb that it knows, commander takes all words as arguments of the default one.
  list.allowExcessArguments().hook('preAction', (_, { args: [word] }) => {
    const verbs = watch.commands.map((command) => command.name()).join(', ');
    const see = `To see the watch "${word}": telecine watch show ${shellWord(word ?? '')}`;
    if (word !== undefined) list.error(`error: unknown command "${word}". Use one of: ${verbs}.\n${see}`);
  });
  const add = addVerb(
    watch.command('add <folder>'),
    'convert the files of a folder of the service, and each that lands there later, once',
    async ({ client, signal, flags }: Call<WatchFlags>, folder = '') => {
      const body = await newWatchOf(folder, flags);
      return flags.dryRun ? client.dryRunWatch(body, { signal }) : client.addWatch(body, { signal });
    },
    (made) => ('watchId' in made ? showWatch({ ...made, failures: [] }) : showDryRun(made)),
  );
  addSettings(add)
    .option('--dry-run', 'only say what would be converted now, with an estimate of time and size')
    .addHelpText('after', OPTIONS_HELP);
  const change = addWatchVerb(
    watch.command('change <watch>'),
    'change settings of a watch; files that have jobs keep them',
    async ({ client, signal, flags }: Call<WatchFlags>, watchId) =>
      client.changeWatch(watchId, await watchChangeOf(flags), { signal }),
    (_, name) => [`The watch ${name} is changed.`],
  );
  addSettings(change).addHelpText('after', OPTIONS_HELP);
  addWatchVerb(
    watch.command('show <watch>'),
    'show the state of a watch, and its failures by reason',
    async ({ client, signal }, watchId) => {
      const found = await client.watch(watchId, { signal });
      const { files } = await client.watchedFiles(watchId, { state: 'NEEDS_ATTENTION', limit: PAGE, signal });
      return { ...found, failures: failureGroups(files) };
    },
    showWatch,
  );
  addWatchVerb(
    watch.command('files <watch>'),
    'list files of a watch, by path',
    ({ client, signal, flags: { state, limit } }: Call<FilesFlags>, watchId) =>
      client.watchedFiles(watchId, { signal, state, limit }),
    ({ files, nextCursor }) => showFiles(files, nextCursor !== undefined),
  )
    .addOption(new Option('--state <state>', 'only files in this state').choices(WATCHED_FILE_STATES))
    .option('--limit <count>', `number of files, 1 to ${PAGE}`, numberIn(1, PAGE), 100);
  for (const [verb, state, about, result] of [
    ['pause', 'PAUSED', 'take and convert nothing; running jobs go on', 'is paused.'],
    ['resume', 'ACTIVE', 'take files and convert them again', 'is active.'],
  ] as const)
    addWatchVerb(
      watch.command(`${verb} <watch>`),
      about,
      ({ client, signal }, watchId) => client.changeWatch(watchId, { state }, { signal }),
      (_, name) => [`The watch ${name} ${result}`],
    );
  addWatchVerb(
    watch.command('retry <watch> [paths...]'),
    'convert files again: all that need attention, or these, even if they are converted',
    ({ client, signal }, watchId, paths) =>
      client.retryWatch(watchId, { signal, ...(paths.length > 0 && { paths: paths.map(pathOnServer) }) }),
    ({ files, reason }) => [reason ?? `${filesText(files)} will be converted again.`],
  );
  addWatchVerb(
    watch.command('delete <watch>'),
    'delete a watch; its jobs and all files stay',
    async ({ client, signal }, watchId) => {
      await client.removeWatch(watchId, { signal });
      return { watchId };
    },
    (_, name) => [`The watch ${name} is deleted. Its jobs and all files stay.`],
  );
}

/** Turns a command into a verb for one watch, which is named by its name, its folder or its id. */
const addWatchVerb = <T, F extends ServiceFlags>(
  command: Command,
  about: string,
  ask: (call: Call<F>, watchId: string, paths: readonly string[]) => Promise<T>,
  show: (value: T, name: string) => readonly string[],
): Command =>
  addVerb<T, F>(
    command,
    about,
    async (call, name = '', ...paths) => ask(call, await watchIdOf(call.client, name, call.signal), paths),
    show,
  );
