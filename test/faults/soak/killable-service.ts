import type { ChildProcess } from 'node:child_process';
import { type Program, type ServiceProcess, startService } from '../../../scripts/lib/service.ts';

/** What a SIGKILL is sent to: the process group of the service, or only its main process. */
export type KillTarget = 'group' | 'main';

/** A service that a test kills. */
export interface KillableService {
  /** Resolves when it listens. Rejects if it was killed before. */
  readonly listening: Promise<ServiceProcess>;
  kill(whom: KillTarget): void;
  /** Sends SIGTERM, on which the service drains. */
  terminate(): void;
  /** Resolves when its main process has ended. */
  readonly gone: Promise<void>;
}

const alive = new Set<ChildProcess>();

/** Kills the service when this process exits early. */
export function killOnExit(child: ChildProcess): void {
  alive.add(child);
  child.once('exit', () => alive.delete(child));
}
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export interface KillableServiceOptions {
  readonly dataDir: string;
  readonly mediaRoot: string;
  readonly program?: Program | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export function startKillableService(options: KillableServiceOptions): KillableService {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  let pid: number | undefined;
  const listening = startService({
    ...options,
    ownGroup: true,
    until: 'listening',
    onSpawn: (child) => {
      killOnExit(child);
      pid = child.pid;
      child.once('exit', () => {
        pid = undefined;
        resolve();
      });
    },
  });
  const signal = (target: (pid: number) => number, name: NodeJS.Signals): void => {
    if (pid !== undefined) process.kill(target(pid), name);
  };
  return {
    listening,
    gone,
    kill: (target) => signal((leader) => (target === 'group' ? -leader : leader), 'SIGKILL'),
    terminate: () => signal((leader) => leader, 'SIGTERM'),
  };
}
