import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import { devicesText } from '@telecine/ffmpeg/devices/devices.ts';
import { limitsText } from '@telecine/ffmpeg/sandbox/cgroup/job-cgroups.ts';
import { weaknessOf } from '@telecine/ffmpeg/sandbox/sandbox.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Failpoint } from '../config/failpoint.ts';
import { probeOperations } from '../jobs/ffmpeg/probes.ts';
import { openBuilds } from '../workers/builds.ts';
import { openRegistration } from '../workers/worker-registration.ts';
import { type Auth, clientContexts, openAuth } from './auth.ts';
import { internalErrors } from './background-tasks.ts';
import type { DiscoveredTools } from './discover-tools.ts';
import { consoleFolder, openHealth, openHttp } from './http.ts';
import { type Jobs, openJobs } from './jobs.ts';
import type { Log } from './logger.ts';
import { watchWorkers } from './lost-workers.ts';
import { machineChecks } from './machine-checks.ts';
import { diskSpaces, openAudit, openMetrics, openTraces } from './observability.ts';
import { openRecipes } from './recipes.ts';
import { openStorage } from './storage.ts';
import { openToolchain, requireTools } from './toolchain.ts';
import { version } from './version.ts';
import { openWebhooks } from './webhooks.ts';

/**
 * `all`: serves the API and runs jobs. `api`: serves the API, but runs no jobs. `worker`: runs jobs, and serves only health checks and
 * metrics.
 */
export type Role = 'all' | 'api' | 'worker';

/** The complete service. It does not listen yet. */
export interface Service {
  readonly app: FastifyInstance;
  /** Resolves when ffmpeg is found and the worker runs. Rejects if the service cannot run, for example without ffmpeg. */
  readonly started: Promise<void>;
  /** The sign-in of the admin; see `Auth`. undefined: the service has no console. */
  readonly signIn: Pick<Auth, 'makeSignInCode' | 'isFirstStart'> | undefined;
  /** Stops claiming jobs. Running jobs have `seconds` to finish. The service still replies to requests during this time. */
  drain(seconds: number): Promise<void>;
  /** Closes the subsystems, the last one first. */
  close(): Promise<void>;
}

/** The functions that open the subsystems. Each registers the resources that must be closed in `closers`. */
export const SUBSYSTEMS = { openStorage, openAuth, openJobs, openHttp } as const;

export interface ServiceOptions {
  readonly role: Role;
  readonly logRequest?: Log['logRequest'];
  /** The folder for catalogues of ffmpeg. Default: a subfolder of the data folder. */
  readonly cataloguesFolder?: string | undefined;
  /** Tools that were already found while the code of the service was loading. */
  readonly discoveredTools?: DiscoveredTools;
  /** Tests can replace the factories. */
  readonly subsystems?: typeof SUBSYSTEMS;
}

/** The library of the metrics is loaded this long after the start, or at the first scrape if this comes earlier. */
const METRICS_DELAY_MS = 250;

/** Opens the subsystems in order, because each one uses the earlier ones. If one fails, closes the earlier ones. */
export async function openService(
  config: Config,
  log: Log['log'],
  { role, logRequest, cataloguesFolder, discoveredTools: discovered, subsystems = SUBSYSTEMS }: ServiceOptions,
): Promise<Service> {
  const failpoint = (reached: Failpoint): void => {
    const [point, signal = 'SIGKILL'] = config.failpoint?.split(':') ?? [];
    if (reached === point) process.kill(process.pid, signal);
  };
  const runsJobs = role !== 'api';
  await using opening = new AsyncDisposableStack();
  const storage = await subsystems.openStorage(opening, config, log, {
    runsJobs,
    onLinked: () => failpoint('after-link'),
  });
  // If the database is shared, another service may run the jobs.
  const needsTools = runsJobs || !storage.isShared;
  const tools = openToolchain(config, log, {
    isRequired: needsTools,
    ...{ cataloguesFolder, discovered },
  });
  const required = requireTools(tools);
  const { store, isShared } = storage;
  const builds = openBuilds({
    own: needsTools ? required : undefined,
    store,
    isShared,
    buildSeconds: (config.buildRetentionDays * DAY_MS) / 1000,
  });
  const machine = machineChecks(storage, runsJobs ? required : undefined, config);
  const registration = openRegistration(opening, config, {
    ...{ store, isShared, machine, media: storage.media, version: version() },
    onError: internalErrors(log, { component: 'registration' }),
  });
  const audit = openAudit(opening, config, log, store);
  const auth = role === 'worker' ? undefined : await subsystems.openAuth(opening, config, log, storage, audit);
  let running: Pick<Jobs, 'running' | 'usedSlots'> = {
    running: () => 0,
    usedSlots: () => ({ full: 0, light: 0, fetch: 0 }),
  };
  const metrics = openMetrics(config, store, machine, {
    runningJobs: () => running.running(),
    usedSlots: () => running.usedSlots(),
    slots: runsJobs ? config.concurrency : 0,
    disks: diskSpaces(config, storage.media),
    lostWorkers: isShared ? watchWorkers(opening, store.workers, log) : () => 0,
  });
  const traces = await openTraces(opening, config, log, registration.workerId);
  const webhooks = await openWebhooks(opening, config, log, { storage, delivers: role !== 'worker', metrics });
  const probes = probeOperations(opening, storage, tools, config);
  const recipes = await openRecipes(config, { probes, ownRecipes: store.ownRecipes, findBuilds: builds.find });
  const jobs = await subsystems.openJobs(opening, config, log, {
    ...{ storage, machine, builds, registration, metrics, traces, webhooks, probes },
    tools: required,
    clientContextOf: auth?.clientContextOf ?? clientContexts(config, storage),
    applyPreset: recipes.applyPreset,
    // A probe of a file in an object store copies the whole file. So inputs there are not probed before a job is accepted.
    ...(config.storage === undefined && { probe: probes.probe }),
    convertsHere: needsTools,
    failpoint,
  });
  running = jobs;
  const page = consoleFolder(config);
  if (config.console && page === undefined && role !== 'worker')
    log.warn({ fix: 'Run "npm run setup", and start the service again.' }, 'the web console is not built');
  const app =
    auth === undefined
      ? openHealth(opening, config, log, { storage, machine, tools: required, jobs, metrics, logRequest })
      : subsystems.openHttp(opening, config, log, {
          ...{ storage, machine, tools, needsTools, auth, audit, jobs, probes, metrics, traces, webhooks, logRequest },
          findBuilds: builds.find,
          recipes: recipes.operations,
          failpoint,
          consoleFolder: page,
        });
  const closers = opening.move();

  const start = async (): Promise<void> => {
    const found = await tools;
    if (found === undefined || jobs.draining()) return;
    const { build, sandbox, devices, speech, cgroups } = found;
    const weakness = sandbox.kind === 'none' ? undefined : weaknessOf(sandbox);
    log.info(
      {
        version: build.version,
        path: build.path,
        sandbox: sandbox.kind,
        weakness,
        limits: limitsText(cgroups),
        devices: devicesText(devices),
      },
      'ffmpeg found',
    );
    for (const { type, name, reason, fix } of devices.failed)
      log.warn({ device: `${type}:${name}`, reason, fix }, 'device not used');
    if (speech.unused !== undefined) log.warn(speech.unused, 'speech model not used');
    if (sandbox.kind === 'none')
      log.warn({ reason: sandbox.reason, fix: sandbox.fix }, 'conversions run without a sandbox');
    if (runsJobs) await jobs.startWorker();
  };
  const started = start();
  // Load the metrics library after the start, because loading would delay the start and the first requests.
  started.then(
    () => setTimeout(() => metrics.load().catch(() => {}), METRICS_DELAY_MS).unref(),
    () => {},
  );
  return {
    app,
    started,
    signIn: page === undefined ? undefined : auth,
    drain: (seconds) => jobs.drain(seconds),
    close: () => {
      // Answer the requests that wait for workers. Their connections are closed after this.
      return closers.disposeAsync();
    },
  };
}
