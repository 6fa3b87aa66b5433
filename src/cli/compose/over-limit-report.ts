import type { Metrics } from '../../telemetry/metrics.ts';
import type { RecordEventDeps } from '../../webhooks/record-job-end.ts';
import type { Log } from '../logger.ts';

/** How long a client is not logged again. */
const PAUSE_MS = 10 * 60_000;

/** The most clients that are remembered. */
const MAX_CLIENTS = 1000;

/** Counts the events of clients that have too many deliveries, and logs each such client at most every ten minutes. */
export function overLimitReport(
  log: Pick<Log['log'], 'warn'>,
  metrics: Pick<Metrics, 'countEventOverLimit'>,
  now: () => number = performance.now.bind(performance),
): RecordEventDeps['onOverLimit'] {
  const loggedAt = new Map<string, number>();
  return (client, storage) => {
    metrics.countEventOverLimit(storage);
    if (now() - (loggedAt.get(client) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
    if (loggedAt.size >= MAX_CLIENTS) loggedAt.clear();
    loggedAt.set(client, now());
    log.warn({ client, storage }, 'client has too many webhook deliveries');
  };
}
