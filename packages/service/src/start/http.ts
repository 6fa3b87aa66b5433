import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@telecine/contract/domain/finding.ts';
import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { mergeCatalogues } from '@telecine/ffmpeg/catalogue/merge-catalogues.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Failpoint } from '../config/failpoint.ts';
import { fileOperations } from '../files/file-operations.ts';
import { buildApp, buildHealthApp } from '../http/app.ts';
import type { Health } from '../http/deps.ts';
import { type CapabilityOperations, capabilityOperations } from '../jobs/capabilities/capabilities.ts';
import type { ProbeOperations } from '../jobs/probe.ts';
import type { RecipeOperations } from '../recipes/operations.ts';
import type { Traces } from '../telemetry/traces.ts';
import type { FindBuilds } from '../workers/builds.ts';
import { workerOperations } from '../workers/worker-operations.ts';
import type { Auth } from './auth.ts';
import { internalErrors } from './background-tasks.ts';
import { adminSecretFinder, openClientAdministration } from './clients.ts';
import { connectionLimits } from './connection-limits.ts';
import type { CheckedStore } from './doctor-checks.ts';
import { openUploads, startBinSweeps, startStorageSums } from './files.ts';
import type { Jobs } from './jobs.ts';
import type { Log } from './logger.ts';
import type { MachineChecks } from './machine-checks.ts';
import { mcpEndpoint, mcpHosts } from './mcp.ts';
import type { Audit, MetricsSource } from './observability.ts';
import { openPreviews } from './previews.ts';
import { logReadiness, readiness } from './readiness.ts';
import { openShares } from './shares.ts';
import type { Storage } from './storage.ts';
import { requireTools } from './toolchain.ts';
import { version } from './version.ts';
import { openWatches } from './watches.ts';
import type { Webhooks } from './webhooks.ts';

/** Builds REST and MCP on top of the use cases. Does not listen yet. */
export function openHttp(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  deps: BaseParts & {
    readonly findBuilds: FindBuilds;
    /** Whether the service needs ffmpeg on this machine: it runs jobs, or no other service can run them. */
    readonly needsTools: boolean;
    readonly auth: Auth;
    readonly audit: Audit;
    readonly jobs: Jobs;
    readonly probes: ProbeOperations;
    readonly recipes: RecipeOperations;
    readonly webhooks: Webhooks;
    readonly traces: Traces | undefined;
    readonly consoleFolder: string | undefined;
    readonly failpoint: (reached: Failpoint) => void;
  },
): FastifyInstance {
  const { tools, findBuilds, needsTools } = deps;
  const { store, files, openCounter } = deps.storage;
  const { tokens, clientContextOf, oauth } = deps.auth;
  const { operations, endWaits } = deps.jobs;
  const rootOf = async (clientId: string) => (await clientContextOf(clientId)).root;
  const { corsOrigins, linkSeconds } = config;
  const fileUseCases = fileOperations({
    store: files,
    stored: store.storedFiles,
    unfinished: store.jobs,
    keepSeconds: config.binSeconds,
    jobs: {
      get: (caller, jobId) => operations.get(caller, jobId),
      outputs: store.jobs.outputs,
      outputsNear: store.jobs.outputsNear,
      rootOf,
    },
  });
  const shares = openShares(closers, log, { storage: deps.storage, files: fileUseCases, links: tokens.links });
  const watches = openWatches(closers, config, log, { ...deps, files: fileUseCases, clientContextOf });
  const previews = openPreviews(config, log, {
    storage: deps.storage,
    tools,
    files: fileUseCases,
    jobs: operations,
    clientContextOf,
  });
  const shared = {
    jobs: operations,
    probes: deps.probes,
    previews,
    recipes: deps.recipes,
    capabilities: capabilitiesOf(findBuilds),
    files: fileUseCases,
    links: tokens.links,
    linkSeconds,
    heartbeatSeconds: config.eventHeartbeatSeconds,
    webhooks: deps.webhooks.operations(operations),
    watches,
    workers: workerOperations({
      workers: store.workers,
      control: store.queueControl,
      queuedJobs: () => store.jobs.queueDepthsOfClients(),
      ...(deps.storage.isShared && { buildSeconds: (config.buildRetentionDays * DAY_MS) / 1000 }),
    }),
  };
  startBinSweeps(closers, config, log, deps.storage, rootOf);
  startStorageSums(closers, log, deps.storage, rootOf);
  const uploads = openUploads(closers, config, log, deps.storage, deps.metrics);
  const source = needsTools ? { tools: requireTools(tools) } : { findBuilds };
  const app = buildApp({
    ...baseOf(closers, config, log, deps, source),
    ...shared,
    tokens,
    sessions: tokens.sessions,
    findAdminSecret: adminSecretFinder(config, store.clients),
    history: deps.jobs.history,
    audit: deps.audit,
    clients: openClientAdministration(config, store),
    shares,
    doctor: openDoctor(config, { store, runsJobs: needsTools }),
    mcp: mcpEndpoint({
      ...shared,
      shares,
      version: version(),
      hosts: mcpHosts(config),
      onInternalError: internalErrors(log, { component: 'mcp' }),
    }),
    ...(deps.traces && { traces: deps.traces }),
    openCounter,
    uploads,
    ...(oauth && { oauth }),
    ...(deps.consoleFolder !== undefined && { consoleFolder: deps.consoleFolder, fileOrigins: directOrigins(config) }),
    ...(corsOrigins && { corsOrigins }),
  });
  closers.defer(async () => {
    endWaits();
    await app.close();
  });
  return app;
}

/** Builds the app of a worker: only health checks and metrics. Does not listen yet. */
export function openHealth(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  deps: BaseParts & { readonly tools: Promise<Toolchain> },
): FastifyInstance {
  const app = buildHealthApp(baseOf(closers, config, log, deps, deps));
  closers.defer(() => app.close());
  return app;
}

/** The dependencies that the apps of all roles share. */
interface BaseParts {
  readonly storage: Storage;
  readonly machine: MachineChecks;
  /** The tools of this machine. Resolves to undefined if there are none; the service then runs no jobs. */
  readonly tools: Promise<Toolchain | undefined>;
  readonly jobs: Pick<Jobs, 'draining'>;
  readonly metrics: MetricsSource;
  readonly logRequest?: Log['logRequest'];
}

function baseOf(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  { storage: { store }, machine, tools, jobs: { draining }, metrics, logRequest }: BaseParts,
  source: Parameters<typeof readiness>[0]['source'],
) {
  const { publicUrl, trustProxy } = config;
  const ready = readiness({ store, machine, source, draining });
  const openedAt = performance.now();
  const health: Health = {
    version: version(),
    uptimeSeconds: () => (performance.now() - openedAt) / 1000,
    ready: logReadiness(closers, ready, tools, log),
  };
  return {
    ...{ metrics, draining, logRequest, health },
    logger: log,
    connectionLimits: connectionLimits(config.serviceLimits),
    ...(publicUrl && { publicUrl }),
    ...(trustProxy && { trustProxy }),
  };
}

/** The capabilities that at least one ffmpeg build offers. */
function capabilitiesOf(findBuilds: FindBuilds): CapabilityOperations {
  let builds: readonly Catalogue[] = [];
  let merged: Catalogue | undefined;
  return capabilityOperations(async () => {
    const { recent, away } = await findBuilds();
    const found = [...recent, ...away];
    if (merged === undefined || found.length !== builds.length || found.some((one, index) => one !== builds[index])) {
      builds = found;
      merged = mergeCatalogues(found);
    }
    return merged;
  });
}

/**
 * The origins to which downloads are redirected. Pages of the console may show files from these origins. With `{bucket}.`, the plain host is
 * used too, if the bucket name cannot be part of a host name.
 */
export function directOrigins({
  storage,
  storagePublicEndpoint: endpoint,
}: Pick<Config, 'storage' | 'storagePublicEndpoint'>): readonly string[] {
  if (storage === undefined || endpoint === undefined) return [];
  const hosts = ['//', `//${storage.bucket}.`].map((start) => endpoint.replace('//{bucket}.', start));
  return [...new Set(hosts.map((address) => new URL(address).origin))];
}

/** Where the built console can be: next to the bundled program, or in the output of `npm run build:console`. */
const PLACES = ['console', '../../../../dist/console'].map((place) => join(import.meta.dirname, place));

/** The folder of the built console. undefined: the console is turned off or not built. */
export const consoleFolder = ({ console }: Pick<Config, 'console'>): string | undefined =>
  console ? PLACES.find((place) => existsSync(join(place, 'index.html'))) : undefined;

/** Runs the checks of `telecine doctor` in a running service. Concurrent requests share one run. */
function openDoctor(
  config: Config,
  { store, runsJobs }: { readonly store: CheckedStore; readonly runsJobs: boolean },
): () => Promise<readonly Finding[]> {
  return shareRunning(async () => {
    const { runChecks } = await import('./doctor-checks.ts');
    return runChecks(config, { store, ...(!runsJobs && { worker: false }) });
  });
}
