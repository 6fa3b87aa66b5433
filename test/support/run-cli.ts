import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { inject } from 'vitest';
import type { ClientCredentials } from './api-client.ts';
import { endWithTests } from './end-with-tests.ts';
import type { TestServer } from './server.ts';

interface CliResult {
  /** As a shell reports it: 128 and the number of the signal that ended the command. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  /** The program that runs the command, with its first arguments. */
  readonly launcher?: readonly string[];
  /** The working directory. */
  readonly cwd?: string;
  /** By default the command has no standard input. */
  readonly stdin?: 'pipe';
}

/** A running command. */
interface RunningCli {
  readonly child: ChildProcess;
  /** Resolves when stdout or stderr contains `text`. Rejects if the command ends without it. */
  wrote(text: string): Promise<void>;
  readonly ended: Promise<CliResult>;
}

/** Runs the command line with these settings and no TELECINE_ variable of the test process. Never throws. */
export const runCli = (
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  launcher: readonly string[] = [],
): Promise<CliResult> => startCli(args, settings, { launcher }).ended;

/** Starts a command as `runCli` does, for tests that act while it runs. */
export function startCli(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  { launcher = [], cwd, stdin }: CliOptions = {},
): RunningCli {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('TELECINE_') && name !== 'PORT');
  const { entry, compileCache } = inject('program');
  const caches = inject('caches');
  const env = {
    ...Object.fromEntries(outer),
    NODE_COMPILE_CACHE: compileCache,
    ...(caches && { XDG_CACHE_HOME: caches }),
    ...settings,
  };
  const [file = process.execPath, ...cliArgs] = [...launcher, process.execPath, entry, ...args];
  const child = spawn(file, cliArgs, {
    env,
    stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  endWithTests(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      child.emit('wrote');
    });
  const ended = once(child, 'close').then(
    ([code, signal]): CliResult => ({ code: code ?? 128 + constants.signals[signal as NodeJS.Signals], ...output }),
  );
  return {
    child,
    ended,
    wrote: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (output.stdout.includes(text) || output.stderr.includes(text)) resolve();
        };
        child.on('wrote', check);
        ended.then(
          () => reject(new Error(`The command ended without "${text}": ${output.stdout}${output.stderr}`)),
          reject,
        );
        check();
      }),
  };
}

type Folders = Pick<TestServer, 'dataDir' | 'mediaRoot'> & Partial<Pick<TestServer, 'settings'>>;

/** Runs `telecine client …` on the folders of a server, which may be running. Throws if the command fails. */
export async function runClientCommand(server: Folders, ...args: readonly string[]): Promise<string> {
  const settings = { TELECINE_DATA_DIR: server.dataDir, TELECINE_MEDIA_ROOT: server.mediaRoot, ...server.settings };
  const { code, stdout, stderr } = await runCli(['client', ...args], settings);
  if (code !== 0) throw new Error(`telecine client ${args.join(' ')} → ${code}\n${stderr}`);
  return stdout;
}

/** Adds a client. Without `--root` in `more`, it shares the media root of the service. */
export async function addClient(server: Folders, name: string, ...more: readonly string[]): Promise<ClientCredentials> {
  const root = more.includes('--root') ? [] : ['--root', '.'];
  return JSON.parse(await runClientCommand(server, 'add', name, '--json', ...root, ...more)) as ClientCredentials;
}
