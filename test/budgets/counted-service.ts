import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { adminLogin } from '../../scripts/lib/api.ts';
import { type Program, startService } from '../../scripts/lib/service.ts';
import { endWithTests } from '../support/end-with-tests.ts';

/** The module that counts, for Node's option `--import`. */
export const COUNTER = resolve(import.meta.dirname, 'counter/main.ts');
/** Not bin/telecine.js, which may run a bundle. */
const ENTRY = resolve(import.meta.dirname, '../../packages/cli/src/main.ts');

/** For each counted name: what was counted, and how often. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A service of the sources of this tree that counts what it does. Its clock stands still. */
export interface CountedService {
  readonly url: string;
  readonly mediaRoot: string;
  /** A bearer token of the admin client. */
  readonly token: string;
  /** What it did until it was ready. */
  readonly start: Counts;
  /** Returns what the service does from `act` on, until it is quiet. */
  count(act: () => Promise<unknown>): Promise<Counts>;
  /** Returns a new bearer token of the admin client. */
  login(): Promise<string>;
  /** Moves its clock, so that what it has cached expires. */
  passTime(ms: number): Promise<void>;
  kill(): Promise<void>;
}

interface Options {
  readonly folder: string;
  /** The built program, which is started first. */
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  /** Called before the start that is counted. */
  readonly beforeStart: () => Promise<void>;
}

/** Starts a service twice on the same folders, and counts from the second start on: the first makes the database. */
export async function startCounted({ folder, program, env, beforeStart }: Options): Promise<CountedService> {
  const dataDir = join(folder, 'data');
  const mediaRoot = join(folder, 'media');
  const options = { dataDir, mediaRoot, env, onSpawn: endWithTests };
  const first = await startService({ ...options, program });
  await first.stop();
  await beforeStart();
  const sources = { entry: ENTRY, compileCache: program.compileCache };
  const service = await startService({ ...options, program: sources, nodeArgs: ['--import', COUNTER], ipc: true });
  const start = await countsOf(service.child);
  const login = async (): Promise<string> => (await adminLogin(service.url, dataDir)).accessToken;
  const token = await login();
  return {
    url: service.url,
    mediaRoot,
    token,
    login,
    start,
    async count(act) {
      await countsOf(service.child);
      await act();
      return countsOf(service.child);
    },
    async passTime(ms) {
      await countsOf(service.child, ms);
    },
    async kill() {
      service.child.kill('SIGKILL');
      await service.exited;
    },
  };
}

/** Returns what a process that imported `COUNTER` has done since the last call, once it is quiet. */
export async function countsOf(child: ChildProcess, passedMs = 0): Promise<Counts> {
  const { promise, resolve, reject } = Promise.withResolvers<Counts>();
  const fail = (): void => reject(new Error('The process ended while it was counted.'));
  child.once('message', resolve);
  child.once('exit', fail);
  child.send(passedMs);
  try {
    return await promise;
  } finally {
    child.off('message', resolve);
    child.off('exit', fail);
  }
}
