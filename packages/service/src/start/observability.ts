import { statfs } from 'node:fs/promises';
import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import { NO_WATCHED_FILES, WATCHED_FILE_STATES, type WatchedCounts } from '@telecine/contract/domain/watch.ts';
import { type AuditLog, type AuditOperations, createAuditLog } from '../audit/audit-log.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/read-settings.ts';
import { readSecretSetting } from '../config/secret-files.ts';
import type { ScratchSpace } from '../jobs/ports/media-store.ts';
import type { Store } from '../store/store.ts';
import type { MetricSources } from '../telemetry/gauges.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { Traces } from '../telemetry/traces.ts';
import { LIVE_SECONDS } from '../workers/ports/worker-store.ts';
import { isUnready, takesJobs } from '../workers/worker-operations.ts';
import { everyHour } from './background-tasks.ts';
import type { Log } from './logger.ts';
import type { MachineChecks } from './machine-checks.ts';
import { version } from './version.ts';

export type Audit = AuditOperations & Pick<AuditLog, 'close'>;

/** Opens the audit log. Deletes old records every hour. */
export function openAudit(
  closers: AsyncDisposableStack,
  { auditDays }: Pick<Config, 'auditDays'>,
  log: Log['log'],
  store: Pick<Store, 'audit' | 'clients'>,
): Audit {
  const auditLog = createAuditLog({
    store: store.audit,
    onLost: (records, err) => {
      for (const record of records) log.error({ component: 'audit', record }, 'audit record not stored');
      log.error({ component: 'audit', records: records.length, err }, 'audit records not stored');
    },
  });
  closers.defer(() => auditLog.close());
  if (auditDays > 0) {
    const forget = () => store.audit.forgetBefore(new Date(Date.now() - auditDays * DAY_MS).toISOString());
    closers.use(everyHour(forget, log, { startsNow: true }));
  }
  return {
    ...auditLog,
    list: (query) => store.audit.list(query),
    isClient: async (name) => (await store.clients.get(name)) !== undefined,
  };
}

const MIN_TOKEN_LENGTH = 16;

/** How many waiting jobs and how many unfinished batches a scrape counts at most. */
const COUNTED = 10_000;

/** How long scrapes show the same number of watched files. */
const WATCHED_FILES_MS = 60_000;

/** The metrics of this process, and the token that protects them. */
export interface MetricsSource extends Metrics {
  readonly token?: string;
}

/** Reads the space of the disks that a process writes to. One call at a time reads a disk: a disk may hang. */
export function diskSpaces(
  config: Pick<Config, 'storage' | 'mediaRoot' | 'dataDir' | 'minFreeBytes' | 'minFreeDataBytes'>,
  media: Pick<ScratchSpace, 'freeBytes'>,
): MetricSources['disks'] {
  const { storage, mediaRoot, dataDir, minFreeBytes, minFreeDataBytes } = config;
  const freeIn = (folder: string) => async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  const disks = [
    { disk: 'scratch', read: media.freeBytes, reserveBytes: minFreeBytes },
    { disk: 'data', read: freeIn(dataDir), reserveBytes: minFreeDataBytes },
    ...(storage === undefined
      ? ([{ disk: 'media', read: freeIn(mediaRoot), reserveBytes: minFreeBytes }] as const)
      : []),
  ] as const;
  const reads = disks.map(({ read, ...rest }) =>
    shareRunning(async () => [{ ...rest, freeBytes: await read() }] as const),
  );
  return async () => (await Promise.all(reads.map((read) => read().catch(() => [])))).flat();
}

/** Creates the metrics. Throws `ConfigError` if the token in TELECINE_METRICS_TOKEN_FILE is missing or too short. */
export function openMetrics(
  { metricsTokenFile }: Pick<Config, 'metricsTokenFile'>,
  store: Store,
  machine: Pick<MachineChecks, 'results'>,
  ofProcess: Pick<MetricSources, 'runningJobs' | 'usedSlots' | 'slots' | 'disks' | 'lostWorkers'>,
): MetricsSource {
  const token =
    metricsTokenFile === undefined ? undefined : readSecretSetting('TELECINE_METRICS_TOKEN_FILE', metricsTokenFile);
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH)
    throw new ConfigError(
      `TELECINE_METRICS_TOKEN_FILE: the token in ${metricsTokenFile} has ${token.length} characters. Use a token of at least ${MIN_TOKEN_LENGTH} characters, for example the output of "openssl rand -hex 32".`,
    );
  const countAll = async (): Promise<WatchedCounts> => {
    const totals = { ...NO_WATCHED_FILES };
    for (const { watchId } of await store.watches.list()) {
      const counts = await store.watches.counts(watchId);
      for (const state of WATCHED_FILE_STATES) totals[state] += counts[state];
    }
    return totals;
  };
  let watchedFiles: { readonly at: number; readonly counts: Promise<WatchedCounts> } | undefined;
  const countWatchedFiles = (): Promise<WatchedCounts> => {
    // The count reads a whole index, so concurrent and frequent scrapes share it.
    const at = performance.now();
    if (watchedFiles === undefined || at - watchedFiles.at > WATCHED_FILES_MS)
      watchedFiles = { at, counts: countAll() };
    return watchedFiles.counts;
  };
  const metrics = createMetrics({
    ...ofProcess,
    pingDatabase: () => store.ping(),
    queuePaused: async () => ((await store.queueControl.pausedAt()) === undefined ? 0 : 1),
    openUploads: () => store.resumableUploads.countOpen(),
    queueDepths: () => store.jobs.queueDepths(),
    waitingJobs: () => store.dependencies.countWaiting(COUNTED),
    unfinishedBatches: () => store.batches.countUnfinished(COUNTED),
    webhookBacklog: () => store.webhookOutbox.backlog(),
    watchedFiles: countWatchedFiles,
    checks: async () =>
      Object.fromEntries(Object.entries(await machine.results()).map(([name, { ok }]) => [name, Number(ok)])),
    workers: async () => {
      const live = await store.workers.seenWithin(LIVE_SECONDS);
      return { running: live.filter(takesJobs).length, unready: live.filter(isUnready).length };
    },
  });
  return { ...metrics, ...(token !== undefined && { token }) };
}

/** Opens the traces of this process if they are on. Throws `ConfigError` if TELECINE_OTLP_HEADERS_FILE is missing or malformed. */
export async function openTraces(
  closers: AsyncDisposableStack,
  { otlpEndpoint, otlpHeadersFile, traceRatio }: Config,
  log: Log['log'],
  instanceId: string,
): Promise<Traces | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const headers = otlpHeadersFile === undefined ? {} : readHeaders(otlpHeadersFile);
  // The library takes 200 ms and 20 MB to load, so load it only here.
  const { createTraces } = await import('../telemetry/traces.ts');
  const traces = createTraces({
    endpoint: otlpEndpoint,
    headers,
    ratio: traceRatio,
    version: version(),
    instanceId,
    onExportFailed: (err) => log.warn({ component: 'traces', err }, 'traces could not be sent'),
  });
  closers.defer(traces.close);
  return traces;
}

/** A header line (RFC 9110, 5.1 and 5.5): the name is a token, and the value is visible ASCII with inner spaces. */
const FIELD = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/;

function readHeaders(path: string): Readonly<Record<string, string>> {
  const lines = readSecretSetting('TELECINE_OTLP_HEADERS_FILE', path).split(/\r?\n/);
  return Object.fromEntries(
    lines.flatMap((line, index) => {
      if (line.trim() === '') return [];
      const [, name, value] = FIELD.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new ConfigError(
          `TELECINE_OTLP_HEADERS_FILE: line ${index + 1} of ${path} is not a header field. Write one "name: value" per line.`,
        );
      return [[name, value]];
    }),
  );
}
