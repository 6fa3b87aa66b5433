import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { DAY_MS } from '../../domain/quantity.ts';
import { fileOperations } from '../../files/file-operations.ts';
import { buildApp, buildHealthApp } from '../../http/app.ts';
import type { Health } from '../../http/deps.ts';
import type { ProbeOperations } from '../../jobs/probe.ts';
import type { RecipeOperations } from '../../recipes/operations.ts';
import type { Traces } from '../../telemetry/traces.ts';
import { workerOperations } from '../../workers/worker-operations.ts';
import type { Log } from '../logger.ts';
import { version } from '../version.ts';
import type { Audit } from './audit.ts';
import type { Auth } from './auth.ts';
import type { FindBuilds } from './builds.ts';
import { capabilitiesOf } from './capabilities.ts';
import { openClientAdministration, openDoctor } from './client-administration.ts';
import { connectionLimits } from './connection-limits.ts';
import { directOrigins } from './direct-origins.ts';
import { startFileChecks } from './file-checks.ts';
import { internalErrors } from './internal-errors.ts';
import type { Jobs } from './jobs.ts';
import { mcpEndpoint, mcpHosts } from './mcp.ts';
import type { MetricsSource } from './metrics.ts';
import { openPreviews } from './previews.ts';
import { readiness } from './readiness.ts';
import { logReadiness } from './readiness-log.ts';
import { openRecount } from './recount.ts';
import type { Storage } from './storage.ts';
import { requireTools, type Toolchain } from './toolchain.ts';
import { openUploads } from './uploads.ts';
import type { Webhooks } from './webhooks.ts';

/** Builds REST and MCP over the use cases, without listening. */
export function openHttp(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  deps: {
    readonly storage: Storage;
    /** The tools of this machine. undefined: it has none, and runs no jobs. */
    readonly tools: Promise<Toolchain | undefined>;
    readonly findBuilds: FindBuilds;
    /** Whether the service runs jobs or no other one can, so that it needs the tools. */
    readonly needsTools: boolean;
    readonly auth: Auth;
    readonly audit: Audit;
    readonly jobs: Jobs;
    readonly probes: ProbeOperations;
    readonly recipes: RecipeOperations;
    readonly metrics: MetricsSource;
    readonly webhooks: Pick<Webhooks, 'operations'>;
    readonly traces: Traces | undefined;
    readonly consoleFolder: string | undefined;
    readonly logRequest?: Log['logRequest'];
  },
): FastifyInstance {
  const { tools, findBuilds, needsTools, logRequest } = deps;
  const { store, media, files, uploadParts, checkStorage, dataSpace, openCounter } = deps.storage;
  const { tokens, clientContextOf, oauth } = deps.auth;
  const { operations, draining, endWaits } = deps.jobs;
  const rootOf = async (clientId: string) => (await clientContextOf(clientId)).root;
  const recount = openRecount(closers, deps.storage, rootOf, log);
  const { corsOrigins, linkSeconds, publicUrl, trustProxy } = config;
  const fileUseCases = fileOperations({
    store: files,
    stored: store.storedFiles,
    recount,
    used: store.usedLinks,
    jobs: {
      get: (caller, jobId) => operations.get(caller, jobId),
      outputs: store.jobs.outputs,
      rootOf,
    },
    maxBytes: config.maxUploadBytes,
  });
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
    workers: workerOperations({
      workers: store.workers,
      control: store.queueControl,
      queuedJobs: () => store.jobs.queueDepthsOfClients(),
      ...(deps.storage.isShared && { buildSeconds: (config.buildRetentionDays * DAY_MS) / 1000 }),
    }),
  };
  const uploads = openUploads(closers, config, log, { store, uploadParts, recount, metrics: deps.metrics });
  const checkedRootOf = async (clientId: string) => {
    const { root, isRevoked } = await clientContextOf(clientId);
    return isRevoked === true ? undefined : root;
  };
  const checks = { stored: store.storedFiles, store: files, rootOf: checkedRootOf, leases: store.leases };
  startFileChecks(closers, checks, log);
  const source = needsTools ? { tools: requireTools(tools) } : { findBuilds };
  const ready = readiness({ store, media, checkStorage, dataSpace, source, draining }, config);
  const app = buildApp({
    ...shared,
    tokens,
    sessions: tokens.sessions,
    history: deps.jobs.history,
    audit: deps.audit,
    clients: openClientAdministration(config, store),
    doctor: openDoctor(config, { store, runsJobs: needsTools }),
    mcp: mcpEndpoint({
      ...shared,
      version: version(),
      hosts: mcpHosts(config),
      onInternalError: internalErrors(log, { component: 'mcp' }),
    }),
    metrics: deps.metrics,
    ...(deps.traces && { traces: deps.traces }),
    draining,
    openCounter,
    logger: log,
    logRequest,
    uploads,
    health: healthOf(logReadiness(closers, ready, tools, log)),
    connectionLimits: connectionLimits(config.connectionLimits),
    ...(config.limits.requests && { submissionsPerMinute: config.limits.requests.submissionsPerMinute }),
    ...(oauth && { oauth }),
    ...(publicUrl && { publicUrl }),
    ...(deps.consoleFolder !== undefined && { consoleFolder: deps.consoleFolder, fileOrigins: directOrigins(config) }),
    ...(trustProxy && { trustProxy }),
    ...(corsOrigins && { corsOrigins }),
  });
  closers.defer(async () => {
    endWaits();
    await app.close();
  });
  return app;
}

/** Builds the app of a worker, which has only the health checks and metrics, without listening. */
export function openHealth(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  deps: {
    readonly storage: Storage;
    readonly tools: Promise<Toolchain>;
    readonly jobs: Pick<Jobs, 'draining'>;
    readonly metrics: MetricsSource;
    readonly logRequest?: Log['logRequest'];
  },
): FastifyInstance {
  const { tools, logRequest } = deps;
  const { store, media, dataSpace } = deps.storage;
  const { draining } = deps.jobs;
  const ready = readiness({ store, media, dataSpace, source: { tools }, draining }, config);
  const { publicUrl, trustProxy } = config;
  const app = buildHealthApp({
    metrics: deps.metrics,
    draining,
    logger: log,
    logRequest,
    health: healthOf(logReadiness(closers, ready, tools, log)),
    connectionLimits: connectionLimits(config.connectionLimits),
    ...(publicUrl && { publicUrl }),
    ...(trustProxy && { trustProxy }),
  });
  closers.defer(() => app.close());
  return app;
}

function healthOf(ready: Health['ready']): Health {
  const openedAt = performance.now();
  return { version: version(), uptimeSeconds: () => (performance.now() - openedAt) / 1000, ready };
}
