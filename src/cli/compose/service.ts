import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ensureAdmin } from '../../auth/ensure-admin.ts';
import { openTokens } from '../../auth/tokens.ts';
import type { Config } from '../../config/config.ts';
import { policyWith } from '../../domain/policy.ts';
import { endOrphanProcesses } from '../../ffmpeg/process/orphan-processes.ts';
import { fileOperations } from '../../files/file-operations.ts';
import { buildApp } from '../../http/app.ts';
import { jobOperations } from '../../jobs/job-operations.ts';
import type { Terms } from '../../jobs/ports.ts';
import { recoverJobs } from '../../jobs/run/recover.ts';
import { startWorker, type Worker } from '../../jobs/run/worker.ts';
import { beginAfter } from '../../jobs/submit/new-job-id.ts';
import { IDEMPOTENCY_HOURS } from '../../jobs/submit/submit.ts';
import { localFiles } from '../../media/local/files/local-files.ts';
import { localMedia } from '../../media/local/store.ts';
import { ticketQueue } from '../../queue/tickets.ts';
import { holdDataFolder } from '../../store/data-folder.ts';
import { holdMediaRoot } from '../process/media-root-lock.ts';
import { guardScratch } from '../process/start-reaper.ts';
import { version } from '../version.ts';
import { removeAdminClient, writeAdminClient } from './admin-client.ts';
import { capabilities } from './capabilities.ts';
import { converter, planners } from './conversions.ts';
import { externalIssuer } from './external-issuer.ts';
import { failpoint } from './failpoint.ts';
import { logJobs } from './job-log.ts';
import { entryThread } from './job-writer/thread.ts';
import type { Log } from './logger.ts';
import { mcpDoor } from './mcp.ts';
import { mcpHosts } from './mcp-hosts.ts';
import { ADMIN_CLIENT_FILE, readSecretFile } from './own-files.ts';
import { probing } from './prober.ts';
import { readiness } from './readiness.ts';
import { ownPlaces, refuseOwn } from './reserved-paths.ts';
import { openStore } from './store.ts';
import { openTools } from './toolchain.ts';

/** The whole service, not yet listening. */
export interface Service {
  readonly app: FastifyInstance;
  /** Resolves when ffmpeg was found and asked, and the worker runs. Rejects where the service cannot do its work. */
  readonly started: Promise<void>;
  /** No new claims; what runs gets `seconds`. Answers go on meanwhile. */
  drain(seconds: number): Promise<void>;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** Puts the parts together. `withWorker` false: takes and shows jobs, and runs none. */
export async function openService(
  config: Config,
  { log, accessLog }: Pick<Log, 'log' | 'accessLog'>,
  withWorker: boolean,
): Promise<Service> {
  const now = (): Date => new Date();
  const onFault = (error: unknown): void => log.error({ err: error }, 'fault');
  const letGo = [holdDataFolder(config.dataDir)];
  const store = await openStore(config);
  for (const { jobId } of await store.jobs.list({ limit: 1 })) beginAfter(jobId);
  await mkdir(config.mediaRoot, { recursive: true });
  const mediaRoot = realpathSync(config.mediaRoot);
  const own = ownPlaces(config);
  refuseOwn(mediaRoot, own);
  const tools = openTools(config, onFault);

  const at = failpoint(config.failpoint);
  let scratchRoot: string | undefined;
  const media = await localMedia({
    mediaRoot,
    dataDir: config.dataDir,
    own,
    ...(withWorker && {
      hold: (room: string) => {
        letGo.push(holdMediaRoot(mediaRoot, room, log));
        scratchRoot = room;
      },
    }),
    endProcessesIn: endOrphanProcesses,
    log,
    at: (point) => {
      if (point === 'linked') at('after-link');
    },
  });
  const { clients, refreshTokens, signingKeys } = store;
  const given = config.adminSecretFile === undefined ? undefined : readSecretFile(config.adminSecretFile);
  const admin = await ensureAdmin({
    clients,
    refreshTokens,
    now: Date.now,
    given,
    keeper: {
      keep: async (credentials) => {
        writeAdminClient(config.dataDir, credentials);
      },
      discard: async () => removeAdminClient(config.dataDir),
    },
  });
  if (admin === 'created' && given === undefined)
    log.info({ path: join(config.dataDir, ADMIN_CLIENT_FILE) }, 'admin client written');
  const policy = policyWith({}, config.clientLimits);
  const issuer = externalIssuer(config);
  const tokens = await openTokens({
    clients,
    refreshTokens,
    signingKeys,
    now: Date.now,
    issuer: 'telecine',
    audience: 'telecine',
    mediaRoot,
    policy,
    failureLimits: config.limits.tokenFailures,
    ...(issuer && { external: issuer.external }),
  });

  const queue = ticketQueue(store.database);
  const termsOf = async (clientId: string): Promise<Terms> => {
    const client = await clients.get(clientId);
    return { root: client?.root ?? mediaRoot, policy: policyWith(policy, client?.limits) };
  };
  let worker: Worker | undefined;
  let draining = false;
  const { planner, pathPlanner } = planners(tools);
  const shared = {
    transactions: store.transactions,
    jobs: store.jobs,
    queue,
    media,
    planner,
    termsOf,
    now,
  };
  const thread = entryThread(config.dataDir, store, onFault);
  const jobs = jobOperations({
    ...shared,
    entryThread: thread,
    pathPlanner,
    idempotency: store.idempotency,
    pendingLimits: config.limits.requests,
    onQueued: () => worker?.ring(),
    onCancelRequested: (jobId) => worker?.cancel(jobId),
  });

  const { minFreeBytes } = config;
  const files = fileOperations({
    store: await localFiles({ mediaRoot, dataDir: config.dataDir, own, minFreeBytes, log }),
    jobs: {
      get: (caller, jobId) => jobs.get(caller, jobId),
      rootOf: async (clientId) => (await termsOf(clientId)).root,
    },
    maxBytes: config.maxUploadBytes,
  });

  const start = async (): Promise<void> => {
    const { build, sandbox } = await tools;
    log.info({ version: build.version, path: build.path, sandbox: sandbox.kind }, 'ffmpeg');
    if (sandbox.kind === 'none')
      log.warn(
        { reason: sandbox.reason, fix: sandbox.fix },
        'conversions run without a sandbox, behind the checks alone',
      );
    if (!withWorker || draining) return;
    await recoverJobs(shared);
    if (scratchRoot !== undefined) letGo.push(await guardScratch(scratchRoot, log));
    if (draining) return;
    worker = startWorker({
      ...shared,
      convert: converter(tools, config),
      slots: config.concurrency,
      minFreeBytes: config.minFreeBytes,
      at,
      onAttemptEnded: logJobs(log),
      onFault: (jobId, error) => log.error({ jobId, err: error }, 'fault'),
    });
  };
  const started = start();

  const forget = (): void => {
    const before = new Date(Date.now() - IDEMPOTENCY_HOURS * HOUR_MS).toISOString();
    Promise.all([store.idempotency.forget(before), tokens.sweep()]).catch(onFault);
  };
  const hourly = setInterval(forget, HOUR_MS);

  const probes = probing(media, tools, config);
  const capable = capabilities(tools);
  const startedAt = performance.now();
  const app = buildApp({
    jobs,
    probes,
    capabilities: capable,
    tokens,
    files,
    links: tokens.links,
    linkSeconds: config.linkSeconds,
    mcp: mcpDoor({
      jobs,
      probes,
      capabilities: capable,
      files,
      links: tokens.links,
      linkSeconds: config.linkSeconds,
      version: version(),
      hosts: mcpHosts(config),
      onFault,
    }),
    logger: log,
    ...(accessLog && { accessLog }),
    health: {
      version: version(),
      uptimeSeconds: () => (performance.now() - startedAt) / 1000,
      ready: readiness({ store, media, tools, draining: () => draining }, config),
    },
    ...(config.limits.requests && { submissionsPerMinute: config.limits.requests.submissionsPerMinute }),
    ...(issuer && { oauth: issuer.oauth }),
    ...(config.publicUrl && { publicUrl: config.publicUrl }),
    ...(config.trustProxy && { trustProxy: config.trustProxy }),
  });

  return {
    app,
    started,
    drain: async (seconds) => {
      draining = true;
      // Told to end while it starts: nothing may be at work when the store is closed.
      await started.catch(() => {});
      await worker?.drain(seconds);
    },
    close: async () => {
      clearInterval(hourly);
      await app.close();
      await tools.then(({ catalogue }) => catalogue.flush()).catch(() => {});
      await thread.close();
      await store.close();
      for (const release of letGo) release();
    },
  };
}
