import { version } from '@telecine/service/start/version.ts';
import type { Command } from 'commander';
import { EXIT } from './exit-codes.ts';
import { OrderedCommand } from './session/ordered-command.ts';

/** Declares the arguments, the options and the action of a command. */
type Declare = (command: OrderedCommand) => void;

/** Declares a command whose verbs call one operation each, and print its reply in the usual form. */
const operations = async () => ({ declare: (await import('./session/operation-verbs.ts')).addOperationVerbs });

/** The commands in the order of `telecine --help`. The code of a command is loaded when the command is called. */
const COMMANDS: readonly (readonly [
  usage: string,
  about: string,
  load: () => Promise<{ readonly declare: Declare }>,
])[] = [
  [
    'convert [options] <files...>',
    'convert media: upload files, convert them, download the result',
    () => import('./commands/convert.ts'),
  ],
  [
    'ffmpeg [ffmpeg options]',
    'run a command line of ffmpeg on the service, as scripts have it; --local before it: on this machine',
    () => import('./commands/ffmpeg.ts'),
  ],
  ['serve [options]', 'serve the API and run conversions', () => import('./commands/serve.ts')],
  [
    'worker',
    'run conversions of services on the same PostgreSQL database; serves only /health, /ready and /metrics',
    async () => ({ declare: (await import('./commands/serve.ts')).declareWorker }),
  ],
  [
    'doctor [options]',
    'check Node, settings, ffmpeg, sandbox, store and media root, and say how to fix each',
    () => import('./commands/doctor.ts'),
  ],
  ['client', 'add, list, change and revoke clients of the service', () => import('./commands/client.ts')],
  ['db', 'look at the database, migrate it, or move to PostgreSQL', () => import('./commands/db.ts')],
  [
    'backup <file>',
    'copy the SQLite database of the data folder to a new file, while the service runs',
    () => import('./commands/backup.ts'),
  ],
  [
    'restore [options] <file>',
    'make a backup the SQLite database of the data folder; the service must be stopped',
    async () => ({ declare: (await import('./commands/backup.ts')).declareRestore }),
  ],
  [
    'analyze [options] <file> <measure...>',
    'measure a file: loudness, silence, black, borders, bit rate, errors and more, or its quality against the original',
    () => import('./commands/analyze.ts'),
  ],
  ['files', 'move and rename files of the service, and create folders', () => import('./commands/files.ts')],
  ['jobs', 'list, show, cancel, retry and delete jobs, and print their logs', () => import('./commands/jobs.ts')],
  [
    'preview [options] <file>',
    'save an image of a file: a local file, which is uploaded, or server:path (default: a frame of its middle)',
    () => import('./commands/preview.ts'),
  ],
  [
    'probe [options] <file>',
    'show the format and streams of a file: a local file, which is uploaded, or server:path',
    () => import('./commands/probe.ts'),
  ],
  ['queue', 'pause and resume the queue (needs the scope admin)', operations],
  ['recipes', 'find conversions by name, for telecine convert --preset', () => import('./commands/recipes.ts')],
  [
    'share [options] <file or job>',
    'share a file of the service, or the outputs of a job, by a link that anyone can open',
    () => import('./commands/share.ts'),
  ],
  ['shares', 'list and revoke shared links', () => import('./commands/shares.ts')],
  [
    'upload [options] <files...>',
    'upload files to the media root of the service; the same command continues after an interruption',
    () => import('./commands/upload.ts'),
  ],
  ['usage', 'show what clients use of their quotas and of the disk', () => import('./commands/usage.ts')],
  [
    'watch',
    'watch folders: convert each file that lands there, and see what failed',
    () => import('./commands/watch.ts'),
  ],
  ['webhook', 'register webhooks, see their deliveries, and try them out', () => import('./commands/webhook.ts')],
  ['workers', 'list and drain workers (needs the scope admin)', () => import('./commands/workers.ts')],
  ['audit', 'export the audit log (needs the scope admin)', () => import('./commands/audit.ts')],
  [
    'mcp [options]',
    'MCP server on standard input and output, for MCP clients that start a command',
    () => import('./commands/mcp.ts'),
  ],
];

const EXAMPLES = `Examples:
  telecine convert in.mov out.mp4 -p c:v=libx264 -p crf=23
  telecine convert in.mov out.mp4 --preset target-size -a size=8
  telecine convert *.mov --to out/ -f mp4 --local
`;

/** Builds the command line. Loads only the code of the command that is named in `words`. */
export async function program(words: readonly string[]): Promise<Command> {
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  const called = first === 'help' ? second : first;
  const telecine = new OrderedCommand('telecine')
    .description('Self-hosted media conversion: JSON in, ffmpeg in the background, a real file out.')
    .version(version())
    .addHelpText('before', EXAMPLES);
  const usages = new Map<string, string>();
  for (const [usage, about, load] of COMMANDS) {
    const [name = ''] = usage.split(' ');
    const command = new OrderedCommand(name).description(about);
    usages.set(name, usage);
    telecine.addCommand(command);
    if (name === called) (await load()).declare(command);
  }
  return (
    telecine
      .configureHelp({ subcommandTerm: (command) => usages.get(command.name()) ?? 'help [command]' })
      // This exit code is for errors of the program itself, such as an unknown command. The commands set their own exit codes.
      .exitOverride(({ exitCode }) => process.exit(exitCode === EXIT.done ? EXIT.done : EXIT.refused))
  );
}
