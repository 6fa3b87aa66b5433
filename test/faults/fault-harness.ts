import { lstat, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ApiClient, adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putClip } from '../support/media.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { scratchProcesses } from '../support/scratch-processes.ts';
import { startServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { databasePath, findLeftovers, type ServiceFolders, temporaryFolderEnv } from './service-state.ts';

/** A running service and its admin client. */
export interface RunningService {
  readonly server: TestServer;
  readonly api: ApiClient;
}

/** Folders on which a test starts one service after the other. */
export interface FaultHarness extends ServiceFolders {
  start(
    env?: Readonly<Record<string, string>>,
    more?: Pick<TestServerOptions, 'args' | 'until'>,
  ): Promise<RunningService>;
  /** Starts a service that kills itself at `failpoint`. Resolves when it is dead. */
  crash(failpoint: string, env?: Readonly<Record<string, string>>): Promise<void>;
  /** Waits as `waitForFfmpeg` does and suspends ffmpeg. Returns a function that resumes it. */
  pauseFfmpeg(jobId: string, fence?: number): Promise<() => void>;
  /**
   * Resolves when ffmpeg has opened the output of a job, long before its first progress, or when the job has ended, as a
   * short one may unseen. `fence`: that of the attempt.
   */
  waitForFfmpeg(jobId: string, fence?: number): Promise<void>;
  put(path: string, content: string): Promise<void>;
  /** The inode of a file in the media root. undefined: there is no such file. */
  inode(path: string): Promise<bigint | undefined>;
  /** When the lease of a job's ticket expires. */
  leaseEnd(jobId: string): Date;
  /** A job's row in the database. */
  row(jobId: string): Record<string, unknown> | undefined;
  /** Changes the database while no service runs. */
  updateDatabase(sql: string): void;
  /** Waits until no scratch folder, hidden file, ticket or process is left. Throws with those that are. */
  expectNoLeftovers(): Promise<void>;
}

/** The inputs of a harness. The voice as .m4a is a light job; as .mp4, which could hold a film, it waits for a slot. */
export const VOICE = 'in/voice.wav';
export const LONG = 'in/long.mp4';

/** A conversion that takes a few tenths of a second, for tests that suspend it while it runs. */
export const shortJob = (output: string) => ({
  input: LONG,
  output,
  parameters: { 'c:v': 'libx264', preset: 'slow', threads: '1', t: '1', 'c:a': 'aac' },
});

/**
 * A conversion of more than a minute, for tests that end it before. The encoder buffers no frames, so that ffmpeg has
 * little left to write on SIGTERM.
 */
export const longJob = (output: string) => ({
  input: LONG,
  output,
  parameters: {
    'c:v': 'libx264',
    preset: 'slower',
    tune: 'zerolatency',
    threads: '1',
    'c:a': 'aac',
    stream_loop: '60',
  },
});

/** Sends a signal to a process that may have ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export async function createFaultHarness(): Promise<FaultHarness> {
  const folder = await realpath(await testFolder('faults'));
  const folders = { dataDir: join(folder, 'data'), mediaRoot: join(folder, 'media'), tmpDir: join(folder, 'tmp') };
  for (const each of [folders.dataDir, folders.tmpDir]) await mkdir(each);
  await putClip(folders.mediaRoot, 'wav', 2, VOICE);
  await putClip(folders.mediaRoot, '480p', 5, LONG);
  const query = <T>(use: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(databasePath(folders));
    try {
      return use(db);
    } finally {
      db.close();
    }
  };
  const serve = (env: Readonly<Record<string, string>>, more: Pick<TestServerOptions, 'args' | 'until'>) =>
    startServer({
      ...folders,
      ...more,
      env: {
        ...temporaryFolderEnv(folders),
        TELECINE_CONCURRENCY: '1',
        ...NO_RATE_LIMITS,
        TELECINE_MIN_FREE_DISK: '1M',
        ...env,
      },
    });
  const jobRow: FaultHarness['row'] = (jobId) =>
    query((db) => db.prepare('select * from jobs where job_id = ?').get(jobId));
  const waitForFfmpeg: FaultHarness['waitForFfmpeg'] = async (jobId, fence = 1) => {
    const folder = join(folders.mediaRoot, `.telecine/jobs/${jobId}.${fence}/out`);
    await waitUntil(`ffmpeg to begin job ${jobId}`, async () => {
      const names = await readdir(folder).catch(() => []);
      return names.length > 0 || jobRow(jobId)?.['completed_at'] != null ? true : undefined;
    });
  };
  return {
    ...folders,
    async start(env = {}, more = {}) {
      const server = await serve(env, more);
      return { server, api: await adminClient(server) };
    },
    async crash(failpoint, env = {}) {
      const started = serve({ ...env, TELECINE_FAILPOINT: failpoint }, { until: 'listening' });
      const exit = await started.then(
        ({ exited }) => exited,
        (error: unknown) => {
          if (!String(error).includes('(SIGKILL)')) throw error;
          return { signal: 'SIGKILL' };
        },
      );
      if (exit.signal !== 'SIGKILL') throw new Error(`The service was not killed: ${JSON.stringify(exit)}`);
    },
    waitForFfmpeg,
    async pauseFfmpeg(jobId, fence) {
      await waitForFfmpeg(jobId, fence);
      const running = await scratchProcesses(folders.mediaRoot, jobId);
      const sendAll = (name: NodeJS.Signals) => () => {
        for (const { pid } of running) signal(pid, name);
      };
      sendAll('SIGSTOP')();
      return sendAll('SIGCONT');
    },
    async put(path, content) {
      await mkdir(dirname(join(folders.mediaRoot, path)), { recursive: true });
      await writeFile(join(folders.mediaRoot, path), content);
    },
    inode: (path) =>
      lstat(join(folders.mediaRoot, path), { bigint: true }).then(
        ({ ino }) => ino,
        () => undefined,
      ),
    row: jobRow,
    leaseEnd: (jobId) =>
      query((db) => new Date(String(db.prepare('select due_at from tickets where job_id = ?').get(jobId)?.['due_at']))),
    updateDatabase: (sql) => query((db) => db.exec(sql)),
    async expectNoLeftovers() {
      let leftovers: readonly string[] = [];
      const check = async (): Promise<true | undefined> => {
        leftovers = await findLeftovers(folders);
        return leftovers.length === 0 ? true : undefined;
      };
      await waitUntil('nothing to be left', check, 10).catch((cause: unknown) => {
        throw new Error(`Left over: ${leftovers.join('; ')}`, { cause });
      });
    },
  };
}
