import { type AuditLog, type AuditOperations, createAuditLog } from '../../audit/audit-log.ts';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/read-settings.ts';
import { readSecretSetting } from '../../config/secret-files.ts';
import { DAY_MS } from '../../domain/quantity.ts';
import type { UploadStore } from '../../files/ports.ts';
import type { BatchStore, DependencyStore } from '../../jobs/ports/job-records.ts';
import type { JobStore } from '../../jobs/ports/job-store.ts';
import type { Store } from '../../store/store.ts';
import { createMetrics, type MetricSources, type Metrics } from '../../telemetry/metrics.ts';
import type { Traces } from '../../telemetry/traces.ts';
import type { WebhookOutbox } from '../../webhooks/ports/outbox.ts';
import type { Log } from '../logger.ts';
import { version } from '../version.ts';
import { everyHour } from './background-tasks.ts';

export type Audit = AuditOperations & Pick<AuditLog, 'close'>;

/** Opens the audit log. Deletes records that are older than the setting every hour. */
export function openAudit(
  closers: AsyncDisposableStack,
  { auditDays }: Pick<Config, 'auditDays'>,
  log: Log['log'],
  store: Pick<Store, 'audit' | 'clients'>,
): Audit {
  const auditLog = createAuditLog({
    store: store.audit,
    // The lines in the log replace the records, also if the database cannot be reached.
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

/** The most jobs that wait, and batches, that a scrape counts. */
const COUNTED = 10_000;

/** The metrics of this process, and the token for reading them. */
export interface MetricsSource extends Metrics {
  readonly token?: string;
}

/** Creates the metrics. Throws `ConfigError` if the token of TELECINE_METRICS_TOKEN_FILE is missing or too short. */
export function openMetrics(
  config: Config,
  sources: Omit<
    MetricSources,
    'queueDepths' | 'openUploads' | 'webhookBacklog' | 'waitingJobs' | 'unfinishedBatches'
  > & {
    readonly jobs: Pick<JobStore, 'queueDepths'>;
    readonly dependencies: Pick<DependencyStore, 'countWaiting'>;
    readonly batches: Pick<BatchStore, 'countUnfinished'>;
    readonly uploads: Pick<UploadStore, 'countOpen'>;
    readonly outbox: Pick<WebhookOutbox, 'backlog'>;
  },
): MetricsSource {
  const { metricsTokenFile } = config;
  const token =
    metricsTokenFile === undefined ? undefined : readSecretSetting('TELECINE_METRICS_TOKEN_FILE', metricsTokenFile);
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH)
    throw new ConfigError(
      `TELECINE_METRICS_TOKEN_FILE: the token in ${metricsTokenFile} has ${token.length} characters. Use at least ${MIN_TOKEN_LENGTH}, for example of "openssl rand -hex 32".`,
    );
  const metrics = createMetrics({
    ...sources,
    openUploads: () => sources.uploads.countOpen(),
    queueDepths: () => sources.jobs.queueDepths(),
    waitingJobs: () => sources.dependencies.countWaiting(COUNTED),
    unfinishedBatches: () => sources.batches.countUnfinished(COUNTED),
    webhookBacklog: () => sources.outbox.backlog(),
  });
  return { ...metrics, ...(token !== undefined && { token }) };
}

/**
 * Opens the traces of this process, or resolves to undefined if they are off. Throws `ConfigError` if the file of
 * TELECINE_OTLP_HEADERS_FILE is missing or malformed.
 */
export async function openTraces(
  closers: AsyncDisposableStack,
  { otlpEndpoint, otlpHeadersFile, traceRatio }: Config,
  log: Log['log'],
  instanceId: string,
): Promise<Traces | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const headers = otlpHeadersFile === undefined ? {} : readHeaders(otlpHeadersFile);
  // The library takes 200 ms and 20 MB, so it is loaded only here.
  const { createTraces } = await import('../../telemetry/traces.ts');
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

/** RFC 9110, 5.1 and 5.5: a token, and visible characters of ASCII with spaces between them. */
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
