import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/read-settings.ts';
import type { UploadStore } from '../../files/ports.ts';
import type { BatchStore, DependencyStore } from '../../jobs/ports/job-records.ts';
import type { JobStore } from '../../jobs/ports/job-store.ts';
import { createMetrics, type MetricSources, type Metrics } from '../../telemetry/metrics.ts';
import type { WebhookOutbox } from '../../webhooks/ports.ts';
import { readSecretSetting } from './secret-setting.ts';

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
