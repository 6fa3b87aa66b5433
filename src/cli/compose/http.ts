import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { fileOperations } from '../../files/file-operations.ts';
import { buildApp } from '../../http/app.ts';
import type { Log } from '../logger.ts';
import { version } from '../version.ts';
import type { Auth } from './auth.ts';
import type { Jobs } from './jobs.ts';
import { mcpEndpoint, mcpHosts } from './mcp.ts';
import { probeOperations } from './prober.ts';
import { readiness } from './readiness.ts';
import { logReadiness } from './readiness-log.ts';
import type { Storage } from './storage.ts';
import { capabilitiesOf, type Toolchain } from './toolchain.ts';

/** Builds REST and MCP over the use cases, without listening. */
export function openHttp(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  deps: {
    readonly storage: Storage;
    readonly tools: Promise<Toolchain>;
    readonly auth: Auth;
    readonly jobs: Jobs;
    readonly logRequest?: Log['logRequest'];
  },
): FastifyInstance {
  const { tools, logRequest } = deps;
  const { store, media, files, dataSpace } = deps.storage;
  const { tokens, clientContextOf, oauth } = deps.auth;
  const { operations, draining, endWaits } = deps.jobs;
  const { linkSeconds, publicUrl, trustProxy } = config;
  const shared = {
    jobs: operations,
    probes: probeOperations(media, tools, config),
    capabilities: capabilitiesOf(tools),
    files: fileOperations({
      store: files,
      jobs: {
        get: (caller, jobId) => operations.get(caller, jobId),
        rootOf: async (clientId) => (await clientContextOf(clientId)).root,
      },
      maxBytes: config.maxUploadBytes,
    }),
    links: tokens.links,
    linkSeconds,
  };
  const openedAt = performance.now();
  const app = buildApp({
    ...shared,
    tokens,
    mcp: mcpEndpoint({
      ...shared,
      version: version(),
      hosts: mcpHosts(config),
      onInternalError: (err) => log.error({ component: 'mcp', err }, 'internal error'),
    }),
    logger: log,
    logRequest,
    health: {
      version: version(),
      uptimeSeconds: () => (performance.now() - openedAt) / 1000,
      ready: logReadiness(closers, readiness({ store, media, dataSpace, tools, draining }, config), tools, log),
    },
    ...(config.limits.requests && { submissionsPerMinute: config.limits.requests.submissionsPerMinute }),
    ...(oauth && { oauth }),
    ...(publicUrl && { publicUrl }),
    ...(trustProxy && { trustProxy }),
  });
  closers.defer(async () => {
    endWaits();
    await app.close();
  });
  return app;
}
