import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Program, type ServiceProcess, startService } from '../../../scripts/lib/service.ts';
import { killOnExit } from '../soak/killable-service.ts';
import type { StoreNetwork } from './store-network.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** What a member runs: `serve` serves the API and runs jobs, `worker` only runs jobs. */
export type MemberCommand = 'serve' | 'worker';

/** A process of the cluster, with its own data folder and its own network to the database. */
export interface Member {
  readonly name: string;
  readonly command: MemberCommand;
  readonly network: TcpProxy;
  /** The network to the object store, if the cluster has one. */
  readonly storeNetwork: StoreNetwork | undefined;
  readonly folder: string;
  /** The address; undefined while it does not run. */
  url(): string | undefined;
  /** The logs of all its processes. */
  log(): string;
  start(): Promise<void>;
  /** Sends SIGKILL to the process group, or only to the main process, and waits for the exit. */
  kill(target: 'group' | 'main'): Promise<void>;
  /** Sends a signal to the main process. */
  signal(name: NodeJS.Signals): void;
  /** Sends SIGTERM, on which it drains. Resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Sets its clock wrong, if it was started with `libfaketime`. */
  setClock(offsetSeconds: number): Promise<void>;
}

export interface MemberOptions {
  readonly name: string;
  readonly command: MemberCommand;
  readonly args?: readonly string[];
  /** An empty folder. */
  readonly folder: string;
  readonly mediaRoot: string;
  readonly network: TcpProxy;
  readonly storeNetwork: StoreNetwork | undefined;
  readonly program?: Program | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** The path of libfaketime. Without it the clock cannot be set. */
  readonly libfaketime?: string | undefined;
}

export async function createMember(options: MemberOptions): Promise<Member> {
  const { name, command, args = [], folder, mediaRoot, network, program, libfaketime } = options;
  const [dataDir, tmpDir, clockFile] = [join(folder, 'data'), join(folder, 'tmp'), join(folder, 'clock')];
  for (const each of [dataDir, tmpDir]) await mkdir(each, { recursive: true });
  const setClock = (seconds: number): Promise<void> => writeFile(clockFile, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  await setClock(0);
  const env = {
    ...options.env,
    TMPDIR: tmpDir,
    ...(libfaketime && {
      LD_PRELOAD: libfaketime,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_CACHE_DURATION: '1',
      // Timers measure with the monotonic clock, which nobody can set.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }),
  };
  const earlierLogs: string[] = [];
  let service: ServiceProcess | undefined;
  let child: ChildProcess | undefined;

  const ended = (): void => {
    if (service !== undefined) earlierLogs.push(service.log());
    service = undefined;
  };
  return {
    name,
    command,
    network,
    storeNetwork: options.storeNetwork,
    folder,
    setClock,
    url: () => service?.url,
    log: () => [...earlierLogs, service?.log() ?? ''].join('\n'),
    async start() {
      service = await startService({
        dataDir,
        mediaRoot,
        program,
        command,
        args,
        env,
        ownGroup: true,
        onSpawn: (spawned) => {
          killOnExit(spawned);
          child = spawned;
        },
      });
    },
    async kill(target) {
      const running = service;
      if (running === undefined) return;
      process.kill(target === 'group' ? -running.pid : running.pid, 'SIGKILL');
      await running.exited;
      ended();
    },
    signal: (signal) => void child?.kill(signal),
    async stop() {
      const running = service;
      if (running === undefined) return null;
      const { code } = await running.stop();
      ended();
      return code;
    },
  };
}
