import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';
import type { ClientCredentials } from './api-client.ts';
import type { TestServer } from './server.ts';

interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  /** A program and its first arguments, which is to run it. */
  readonly launcher?: readonly string[];
  /** The folder that it is called in. */
  readonly cwd?: string;
  /** By default it has no input. */
  readonly stdin?: 'pipe';
}

/** A command that runs. */
interface RunningCli {
  readonly child: ChildProcess;
  /** Resolves once it has written this to either output; rejects when it ends without. */
  wrote(text: string): Promise<void>;
  readonly ended: Promise<CliResult>;
}

/** Runs the command line as a person would, with these settings and none of the outer ones. Never throws. */
export const runCli = (
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  launcher: readonly string[] = [],
): Promise<CliResult> => startCli(args, settings, { launcher }).ended;

/** As `telecine`, for whoever does something meanwhile. */
export function startCli(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  { launcher = [], cwd, stdin }: CliOptions = {},
): RunningCli {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('TELECINE_') && name !== 'PORT');
  const { entry, compileCache } = inject('program');
  const env = { ...Object.fromEntries(outer), NODE_COMPILE_CACHE: compileCache, ...settings };
  const [file = process.execPath, ...words] = [...launcher, process.execPath, entry, ...args];
  const child = spawn(file, words, {
    env,
    stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      child.emit('wrote');
    });
  const ended = once(child, 'close').then(([code]): CliResult => ({ code: (code as number | null) ?? 128, ...said }));
  return {
    child,
    ended,
    wrote: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (said.stdout.includes(text) || said.stderr.includes(text)) resolve();
        };
        child.on('wrote', look);
        ended.then(() => reject(new Error(`It ended without "${text}": ${said.stdout}${said.stderr}`)), reject);
        look();
      }),
  };
}

type Folders = Pick<TestServer, 'dataDir' | 'mediaRoot'>;

/** `telecine client …` on the folders of a server, which may run meanwhile. Throws where it is refused. */
export async function runClientCommand(server: Folders, ...args: readonly string[]): Promise<string> {
  const settings = { TELECINE_DATA_DIR: server.dataDir, TELECINE_MEDIA_ROOT: server.mediaRoot };
  const { code, stdout, stderr } = await runCli(['client', ...args], settings);
  if (code !== 0) throw new Error(`telecine client ${args.join(' ')} → ${code}\n${stderr}`);
  return stdout;
}

export async function addClient(server: Folders, name: string, ...more: readonly string[]): Promise<ClientCredentials> {
  return JSON.parse(await runClientCommand(server, 'add', name, '--json', ...more)) as ClientCredentials;
}
