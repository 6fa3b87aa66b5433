import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Exit, startService } from '../../scripts/lib/service.ts';
import { testFolder } from './folders.ts';

/** A service as its users run it: a process of its own, listening on a free loopback port. */
export interface TestServer {
  readonly url: string;
  readonly dataDir: string;
  readonly mediaRoot: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** All that it has logged so far. */
  log(): string;
  readonly exited: Promise<Exit>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<Exit>;
  /** SIGKILL to the whole process group, or to the main process alone; waits for its end. */
  kill9(whom: 'group' | 'main'): Promise<Exit>;
}

export interface TestServerOptions {
  /** Settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Given to start again on what an earlier server left; else fresh folders are made. */
  readonly dataDir?: string;
  readonly mediaRoot?: string;
  /** After `serve`. */
  readonly args?: readonly string[];
  /** What runs the service, with its first arguments: another user's identity, or other eyes. */
  readonly launcher?: readonly string[];
  /** The Node that its entry is started by; this one by default. */
  readonly node?: string;
  /** What to wait for: that it answers, or (the default) that it runs jobs too. */
  readonly until?: 'listening' | 'started';
}

const running = new Set<TestServer>();

/** Starts a server and resolves when it has started. What a test leaves running is killed after its file. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { dataDir, mediaRoot } = await folders(options);
  // Another user could not write to what this one puts there.
  if (options.launcher === undefined) await seedCatalogues(dataDir);
  const service = await startService({
    dataDir,
    mediaRoot,
    ownGroup: true,
    program: inject('program'),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.args === undefined ? {} : { args: options.args }),
    ...(options.launcher === undefined ? {} : { launcher: options.launcher }),
    ...(options.node === undefined ? {} : { node: options.node }),
    ...(options.until === undefined ? {} : { until: options.until }),
  });
  const server: TestServer = {
    url: service.url,
    dataDir,
    mediaRoot,
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
  running.add(server);
  void service.exited.then(() => running.delete(server));
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

/** Leaves a fresh data folder that is there as if a service had asked this ffmpeg before. */
export async function seedCatalogues(dataDir: string): Promise<void> {
  const known = inject('catalogues');
  const kept = join(dataDir, 'catalogues');
  if (known !== undefined && existsSync(dataDir) && !existsSync(kept)) await cp(known, kept, { recursive: true });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** For the set-up file alone: nothing that a test file started outlives it. */
export async function killServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.kill9('group')));
}

// A test process that is itself ended early must not leave servers behind either.
process.once('exit', () => {
  for (const server of running) killGroup(server.pid);
});
