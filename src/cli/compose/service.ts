import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { limitsText } from '../../ffmpeg/sandbox/cgroup/job-cgroups.ts';
import { weaknessOf } from '../../ffmpeg/sandbox/sandbox.ts';
import type { Log } from '../logger.ts';
import { openAuth } from './auth.ts';
import { openHttp } from './http.ts';
import { openJobs } from './jobs.ts';
import { openStorage } from './storage.ts';
import { openToolchain } from './toolchain.ts';

/** The whole service, not yet listening. */
export interface Service {
  readonly app: FastifyInstance;
  /**
   * Resolves once ffmpeg is found and the worker runs. Rejects if the service cannot run, for example without ffmpeg.
   */
  readonly started: Promise<void>;
  /** Claims no more jobs. Running jobs have `seconds` to finish; meanwhile the service replies to requests. */
  drain(seconds: number): Promise<void>;
  /** Closes the subsystems in reverse order. */
  close(): Promise<void>;
}

/** The factories of the subsystems. Each registers the resources to close with `closers`. */
export const SUBSYSTEMS = { openStorage, openToolchain, openAuth, openJobs, openHttp } as const;

export interface ServiceOptions {
  /** If false, the service accepts and shows jobs, but does not run them. */
  readonly runsJobs: boolean;
  readonly logRequest?: Log['logRequest'];
  /** Tests can replace the factories. */
  readonly subsystems?: typeof SUBSYSTEMS;
}

/** Opens the subsystems in order; each uses the previous ones. If one fails to open, the previous ones are closed. */
export async function openService(
  config: Config,
  log: Log['log'],
  { runsJobs, logRequest, subsystems = SUBSYSTEMS }: ServiceOptions,
): Promise<Service> {
  const failpoint = (reached: Config['failpoint']): void => {
    // SIGKILL simulates a crash.
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
    const { build, sandbox, cgroups } = await tools;
    const weakness = sandbox.kind === 'none' ? undefined : weaknessOf(sandbox);
    log.info(
      { version: build.version, path: build.path, sandbox: sandbox.kind, weakness, limits: limitsText(cgroups) },
      'ffmpeg found',
    );
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
