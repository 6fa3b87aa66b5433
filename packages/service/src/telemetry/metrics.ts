import { rememberSuccess } from '@telecine/contract/domain/remember.ts';
import type { AttemptReport } from '../jobs/run/run-job.ts';
import { addGauges, type MetricSources } from './gauges.ts';

interface HttpSample {
  readonly method: string;
  /** The pattern of the route, such as `/api/conversion/:jobId`. undefined: no route matches. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

/** Counts and reports metrics of this process. Methods that count return at once and never throw. */
export interface Metrics {
  countRequest(sample: HttpSample): void;
  countAcceptedJob(): void;
  /**
   * Counts the start of an attempt. `queuedSeconds`: how long the job was queued before its first attempt. undefined:
   * this is a later attempt.
   */
  countStart(queuedSeconds: number | undefined): void;
  countAttempt(
    report: Pick<AttemptReport, 'status' | 'failure' | 'phaseSeconds' | 'speed' | 'warnings'> & {
      readonly job: Pick<AttemptReport['job'], 'clientId' | 'warnings'>;
    },
  ): void;
  /** Counts an event of a resumable upload, such as `finished`. */
  countUpload(event: string): void;
  /** Counts a rejected connection or request, by the reason. */
  countRefusal(reason: string): void;
  /** Counts an attempt to deliver a webhook event, by its result. */
  countDelivery(result: string): void;
  /** Counts a scan of a watched folder. `end`: whether it was complete. */
  countWatchScan(end: 'complete' | 'unreachable', seconds: number): void;
  /** Counts an event of a client that has too many unfinished deliveries. `storage`: what happened to the event. */
  countEventOverLimit(storage: string): void;
  /** Imports the metrics library, which takes about 50 ms of processor time. Until then, samples stay in memory. */
  load(): Promise<void>;
  /** Returns the metrics in the text format of Prometheus. */
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

/** How many clients have failures of their own in the metrics. The others share one sample. */
const MAX_CLIENTS = 50;

const OTHER_CLIENTS = 'others';

const HTTP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3600, 10_800];
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

type Instruments = Awaited<ReturnType<typeof createInstruments>>;

/** Creates the metrics of this process. The first call of `load` or `text` imports the metrics library. */
export function createMetrics(sources: MetricSources): Metrics {
  let instruments: Instruments | undefined;
  let early: ((to: Instruments) => void)[] = [];

  const load = rememberSuccess(async () => {
    const loaded = await createInstruments(sources);
    instruments = loaded;
    for (const record of early) record(loaded);
    early = [];
    return loaded;
  });
  const record = (sample: (to: Instruments) => void): void => {
    if (instruments === undefined) early.push(sample);
    else sample(instruments);
  };

  return {
    countRequest: ({ method, route = 'none', status, seconds }) =>
      record(({ requests }) => requests.observe({ method, route, status }, seconds)),
    countAcceptedJob: () => record(({ accepted }) => accepted.inc()),
    countStart: (queuedSeconds) =>
      record(({ queued }) => {
        if (queuedSeconds !== undefined) queued.observe(queuedSeconds);
      }),
    countAttempt: ({ job, status, failure, phaseSeconds, speed, warnings = [] }) =>
      record((to) => {
        to.attempts.inc({ status, code: failure?.code ?? '' });
        if (status === 'FAILED') to.failed.inc({ client: to.labelOf(job.clientId) });
        // If the job is queued again, its warnings are counted later, when it ends.
        const ofJob = status === 'PENDING' ? [] : [...(job.warnings ?? []), ...warnings];
        for (const { rule } of ofJob) if (rule !== undefined) to.findings.inc({ rule });
        for (const [phase, seconds] of Object.entries(phaseSeconds)) to.phases.observe({ phase }, seconds);
        if (speed !== undefined) to.speed.observe(speed);
      }),
    countRefusal: (reason) => record(({ refusals }) => refusals.inc({ reason })),
    countUpload: (event) => record(({ uploads }) => uploads.inc({ event })),
    countDelivery: (result) => record(({ deliveries }) => deliveries.inc({ result })),
    countWatchScan: (end, seconds) => record(({ watchScans }) => watchScans.observe({ end }, seconds)),
    countEventOverLimit: (storage) => record(({ eventsOverLimit }) => eventsOverLimit.inc({ storage })),
    load: async () => void (await load()),
    text: async () => {
      const { registry } = await load();
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

async function createInstruments(sources: MetricSources) {
  const prom = await import('prom-client');
  const registry = new prom.Registry();
  const registers = [registry];
  // The event-loop lag is measured with a timer. The library's default of 10 ms would wake an idle process 100 times a
  // second.
  prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  addGauges(prom, registry, sources);
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new prom.Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new prom.Histogram({ name, help, labelNames, buckets, registers });
  return {
    registry,
    labelOf: clientLabels(),
    requests: histogram(
      'telecine_http_request_seconds',
      'Time from the first byte of a request to the end of its reply in seconds, by method, route and status.',
      HTTP_SECONDS,
      ['method', 'route', 'status'],
    ),
    deliveries: counter(
      'telecine_webhook_attempts_total',
      'Attempts to deliver webhooks, by result: delivered, retried, failed (given up), dropped (no receiver any more) or returned (the service stopped).',
      ['result'],
    ),
    eventsOverLimit: counter(
      'telecine_webhook_events_over_limit_total',
      'Events of clients that have too many deliveries of webhooks, by what became of them: GIVEN_UP (stored, to be replayed) or NOT_STORED.',
      ['storage'],
    ),
    watchScans: histogram(
      'telecine_watch_scan_seconds',
      'Time of scans of watched folders in seconds, by end (complete, unreachable).',
      JOB_SECONDS,
      ['end'],
    ),
    refusals: counter(
      'telecine_http_refusals_total',
      'Connections and requests that were refused, or connections that were closed, by reason: address (too many without a token), full (all connections in use), replaced (closed for a newer connection), pipelining, stalled (nothing of the reply was read), client (too many running requests) or bytes (no memory for bodies and replies).',
      ['reason'],
    ),
    accepted: counter('telecine_jobs_accepted_total', 'Accepted jobs.'),
    attempts: counter(
      'telecine_attempts_total',
      'Finished attempts of jobs, by the status of the job after it (PENDING: queued again) and failure code.',
      ['status', 'code'],
    ),
    failed: counter(
      'telecine_client_failures_total',
      `Jobs of this process that failed, by client. After ${MAX_CLIENTS} clients, further ones count as "${OTHER_CLIENTS}".`,
      ['client'],
    ),
    findings: counter('telecine_findings_total', 'Warnings about jobs that have ended, by the rule that found them.', [
      'rule',
    ]),
    queued: histogram(
      'telecine_job_queued_seconds',
      'Time from the acceptance of a job to the start of its first attempt in seconds.',
      JOB_SECONDS,
    ),
    phases: histogram(
      'telecine_phase_seconds',
      'Duration of the phases of attempts in seconds, by phase (STAGING, SAMPLING, CONVERTING, PUBLISHING).',
      JOB_SECONDS,
      ['phase'],
    ),
    speed: histogram(
      'telecine_conversion_speed',
      'Speed of finished conversions in seconds of media per second.',
      SPEEDS,
    ),
    uploads: counter(
      'telecine_resumable_uploads_total',
      'Resumable uploads of this process, by event (created, finished, removed, expired).',
      ['event'],
    ),
  };
}

/** Returns a function that returns the label of a client: its id, or one shared label for all clients after the first ones. */
function clientLabels(): (clientId: string) => string {
  const clients = new Set<string>();
  return (clientId) => {
    if (clients.size < MAX_CLIENTS) clients.add(clientId);
    return clients.has(clientId) ? clientId : OTHER_CLIENTS;
  };
}
