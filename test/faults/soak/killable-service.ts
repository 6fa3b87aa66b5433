import type { ChildProcess } from 'node:child_process';
import { type Program, type Service, startService } from '../../../scripts/lib/service.ts';

/** Whom a SIGKILL goes to: the service's process group, or its main process alone. */
export type KillTarget = 'group' | 'main';

/** A service that is there to be killed. */
export interface KillableService {
  /** Once it listens; rejects where it was killed before. */
  readonly listening: Promise<Service>;
  kill(whom: KillTarget): void;
  /** SIGTERM: it begins to drain. */
  terminate(): void;
  /** Once its main process is gone. */
  readonly gone: Promise<void>;
}

const alive = new Set<ChildProcess>();

/** A soak that is itself ended early leaves no service behind. */
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
    kill: (whom) => signal((leader) => (whom === 'group' ? -leader : leader), 'SIGKILL'),
    terminate: () => signal((leader) => leader, 'SIGTERM'),
  };
}
