import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { Log } from '../logger.ts';
import { openAuth } from './auth.ts';
import { openHttp } from './http.ts';
import { openJobs } from './jobs.ts';
import { openStorage } from './storage.ts';
import { openToolchain } from './toolchain.ts';

/** The whole service, not yet listening. */
export interface Service {
  readonly app: FastifyInstance;
  /** Resolves when ffmpeg was found and the worker runs. Rejects where the service cannot do its work. */
  readonly started: Promise<void>;
  /** Claims no more jobs; those that run get `seconds`. Requests are answered meanwhile. */
  drain(seconds: number): Promise<void>;
  /** Closes what was opened, in reverse. */
  close(): Promise<void>;
}

/** What opens each subsystem. A factory registers with its `closers` what is to be closed. */
export const SUBSYSTEMS = { openStorage, openToolchain, openAuth, openJobs, openHttp } as const;

export interface ServiceOptions {
  /** False: accepts and shows jobs, and leaves running them to another service. */
  readonly runsJobs: boolean;
  readonly logRequest?: Log['logRequest'];
  /** For tests. */
  readonly subsystems?: typeof SUBSYSTEMS;
}

/** Opens the subsystems, each over those before it. Where one fails, those before it are closed again. */
export async function openService(
  config: Config,
  log: Log['log'],
  { runsJobs, logRequest, subsystems = SUBSYSTEMS }: ServiceOptions,
): Promise<Service> {
  const failpoint = (reached: Config['failpoint']): void => {
    // As a power cut would.
    if (reached === config.failpoint && reached !== undefined) process.kill(process.pid, 'SIGKILL');
  };
  await using opening = new AsyncDisposableStack();
  const storage = await subsystems.openStorage(opening, config, log, {
    runsJobs,
    onLinked: () => failpoint('after-link'),
  });
  const tools = subsystems.openToolchain(opening, config, log);
  const auth = await subsystems.openAuth(opening, config, log, storage);
  const jobs = await subsystems.openJobs(opening, config, log, {
    storage,
    tools,
    clientContextOf: auth.clientContextOf,
    failpoint,
  });
  const app = subsystems.openHttp(opening, config, log, { storage, tools, auth, jobs, logRequest });
  const closers = opening.move();

  const start = async (): Promise<void> => {
    const { build, sandbox } = await tools;
    log.info({ version: build.version, path: build.path, sandbox: sandbox.kind }, 'ffmpeg found');
    if (sandbox.kind === 'none')
      log.warn({ reason: sandbox.reason, fix: sandbox.fix }, 'conversions run without a sandbox');
    if (runsJobs) await jobs.startWorker();
  };
  const started = start();
  return {
    app,
    started,
    drain: (seconds) => jobs.drain(seconds),
    close: () => closers.disposeAsync(),
  };
}
