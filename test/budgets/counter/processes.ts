import { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { caller, count } from './counts.ts';

interface Spawned extends ChildProcess {
  spawn(options: { readonly file: string; readonly args?: readonly string[] }): unknown;
}

const running = new Set<ChildProcess>();

/** The number of processes that run. One that the service does not wait for, such as the crash reaper, is not counted. */
export const runningProcesses = (): number => running.size;

/** Whether the service has started this process and waits for it. */
export const isChild = (pid: number): boolean => [...running].some((child) => child.pid === pid);

/** Counts the processes and threads that the service itself starts, and not those that they start. */
export function countProcesses(): void {
  const prototype = ChildProcess.prototype as Spawned;
  const { spawn, unref } = prototype;
  prototype.spawn = function (this: Spawned, options) {
    count('processes started', `${options.file} ${options.args?.slice(1).join(' ')}${caller()}`);
    running.add(this);
    this.once('close', () => running.delete(this));
    return Reflect.apply(spawn, this, [options]);
  };
  prototype.unref = function (this: Spawned) {
    running.delete(this);
    Reflect.apply(unref, this, []);
  };
  const { binding } = process as unknown as { binding(name: 'spawn_sync'): { spawn(options: unknown): unknown } };
  const sync = binding('spawn_sync');
  const { spawn: spawnSync } = sync;
  sync.spawn = (options) => {
    count('processes started', `${(options as { file: string }).file}${caller()}`);
    return spawnSync(options);
  };
  const threads = process.getBuiltinModule('node:worker_threads');
  threads.Worker = class extends threads.Worker {
    constructor(...args: ConstructorParameters<typeof threads.Worker>) {
      super(...args);
      count('processes started', `thread ${args[0]}`);
    }
  };
  syncBuiltinESMExports();
}
