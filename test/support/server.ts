import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Exit, type Program, startService } from '../../scripts/lib/service.ts';
import { watchAttempts } from './attempt-watcher.ts';
import { endWithTests } from './end-with-tests.ts';
import { testFolder } from './folders.ts';
import { lastingPrograms } from './lasting-programs.ts';
import { shareContract } from './openapi-contract.ts';
import { enginesOf } from './test-engines.ts';
import type { TestMedia } from './test-media.ts';

/** A running service: a process of its own that listens on a free loopback port. */
export interface TestServer {
  readonly url: string;
  readonly dataDir: string;
  readonly mediaRoot: string;
  /** The files of the clients, wherever the server stores them. */
  readonly media: TestMedia;
  /** The folder with the scratch folders of jobs. */
  readonly scratchParent: string;
  /** The PostgreSQL database, if the server has one. */
  readonly databaseUrl?: string;
  /** The settings of its folders, database and storage, for commands. */
  readonly settings: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly child: ChildProcess;
  /** The log so far. */
  log(): string;
  readonly exited: Promise<Exit>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Exit>;
  /** On a common server: the folder of this test file, with which the names of its clients begin too. */
  readonly part?: string;
  /** Sends SIGKILL to the process group or only to the main process, and waits for the exit. */
  kill9(whom: 'group' | 'main'): Promise<Exit>;
}

export interface TestServerOptions {
  /** Environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Set to restart on the folders of an earlier server. By default folders are new. */
  readonly dataDir?: string;
  readonly mediaRoot?: string;
  /** `serve` (the default) or `worker`. */
  readonly command?: 'serve' | 'worker';
  /** Arguments after the command. */
  readonly args?: readonly string[];
  /** The program that runs the service, with its first arguments: to change the user or the mounts. */
  readonly launcher?: readonly string[];
  /** Another copy of the program than that of the run. */
  readonly program?: Program;
  /** The Node binary that starts the service. By default that of the tests. */
  readonly node?: string;
  /** Leave it running after the test file, until the process ends. */
  readonly outlivesFile?: boolean;
  /** Wait until the service answers requests, or (the default) until it runs jobs as well. */
  readonly until?: 'listening' | 'started';
}

const running = new Set<TestServer>();
/** The servers that run until the process ends. */
const lasting = new Set<TestServer>();

/** Starts a server and waits until it has started. It is killed after the test file if it is still running. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { dataDir, mediaRoot } = await folders(options);
  const { settings, media, databaseUrl, isOnDisk } = await enginesOf(dataDir, mediaRoot);
  // With a launcher, the service may run as another user, who could not write to these files.
  if (options.launcher === undefined) await seedCatalogues(dataDir);
  const service = await startService({
    dataDir,
    mediaRoot,
    ownGroup: true,
    onSpawn: (child) => {
      endWithTests(child, { isGroup: true });
      watchAttempts(child);
    },
    program: options.program ?? inject('program'),
    env: { ...settings, ...options.env },
    ...(options.command === undefined ? {} : { command: options.command }),
    ...(options.args === undefined ? {} : { args: options.args }),
    ...(options.launcher === undefined ? {} : { launcher: options.launcher }),
    ...(options.node === undefined ? {} : { node: options.node }),
    ...(options.until === undefined ? {} : { until: options.until }),
  });
  shareContract(service.url, { ...settings, ...options.env });
  const server: TestServer = {
    url: service.url,
    dataDir,
    mediaRoot,
    media,
    scratchParent: isOnDisk ? mediaRoot : dataDir,
    ...(databaseUrl !== undefined && { databaseUrl }),
    settings: { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: mediaRoot, ...settings },
    pid: service.pid,
    child: service.child,
    log: service.log,
    exited: service.exited,
    stop: () => service.stop(),
    kill9(whom) {
      if (whom === 'group') killGroup(service.pid);
      else service.child.kill('SIGKILL');
      return service.exited;
    },
  };
  const started = options.outlivesFile ? lasting : running;
  started.add(server);
  if (options.outlivesFile) lastingPrograms.add(server.pid);
  void service.exited.then(() => {
    started.delete(server);
    lastingPrograms.delete(server.pid);
  });
  return server;
}

async function folders(options: TestServerOptions): Promise<{ dataDir: string; mediaRoot: string }> {
  const { dataDir, mediaRoot } = options;
  if (dataDir !== undefined && mediaRoot !== undefined) return { dataDir, mediaRoot };
  const folder = await testFolder('server');
  const result = { dataDir: dataDir ?? join(folder, 'data'), mediaRoot: mediaRoot ?? join(folder, 'media') };
  for (const each of [result.dataDir, result.mediaRoot]) await mkdir(each, { recursive: true });
  return result;
}

/** Copies the catalogue of the installed ffmpeg into a new data folder, so that the service need not query ffmpeg. */
export async function seedCatalogues(dataDir: string): Promise<void> {
  const known = inject('catalogues');
  const catalogues = join(dataDir, 'catalogues');
  if (known !== undefined && existsSync(dataDir) && !existsSync(catalogues))
    await cp(known, catalogues, { recursive: true });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Called after each test file. */
export async function killServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.kill9('group')));
}

// Kill them also when the test process itself ends early.
process.once('exit', () => {
  for (const server of [...running, ...lasting]) killGroup(server.pid);
});
