import { setTimeout as sleep } from 'node:timers/promises';
import type { Lane } from '@telecine/contract/domain/lane.ts';
import { rememberSuccess, shareRunning } from '@telecine/contract/domain/remember.ts';
import type { QueueDepth } from '../jobs/ports/job-store.ts';
import type { AttemptReport } from '../jobs/run/run-job.ts';

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

/** What each scrape reads. The values from the database may reject while the database is unavailable. */
export interface MetricSources {
  /** Returns the numbers of queued jobs in the whole installation. */
  readonly queueDepths: () => Promise<readonly QueueDepth[]>;
  /** Returns the number of unfinished webhook deliveries in the whole installation, and the age of the oldest one. */
  readonly webhookBacklog: () => Promise<{ readonly deliveries: number; readonly oldestSeconds: number }>;
  /** Returns how many jobs wait for other jobs, or 10,000 if there are more. */
  readonly waitingJobs: () => Promise<number>;
  /** Returns how many batches have unfinished jobs, or 10,000 if there are more. */
  readonly unfinishedBatches: () => Promise<number>;
  /** Returns the number of files of all watches, by state. */
  readonly watchedFiles: () => Promise<Readonly<Record<string, number>>>;
  /** Returns 1 for each check of this machine that passes, and 0 for one that fails. */
  readonly checks: () => Promise<Readonly<Record<string, number>>>;
  /** Returns the number of workers that report, by state. */
  readonly workers: () => Promise<Readonly<Record<string, number>>>;
  /** Returns 1 if an operator has paused the queue, and 0 if not. */
  readonly queuePaused: () => Promise<number>;
  /** Rejects if the database cannot be read or cannot commit. */
  readonly pingDatabase: () => Promise<unknown>;
  /** Returns how many workers were lost and not replaced. */
  readonly lostWorkers: () => number;
  /** Returns the space of each disk that this process writes to. A disk that does not reply is left out. */
  readonly disks: () => Promise<readonly DiskSpace[]>;
  readonly runningJobs: () => number;
  /** Returns the number of unfinished resumable uploads in the whole installation. */
  readonly openUploads: () => Promise<number>;
  /** The number of slots for concurrent conversions. 0 in a process that runs no jobs. */
  readonly slots: number;
  /** Returns how many slots conversions use, for each lane. A heavy conversion uses several. */
  readonly usedSlots: () => Readonly<Record<Lane, number>>;
}

export interface DiskSpace {
  readonly disk: 'scratch' | 'media' | 'data';
  readonly freeBytes: number;
  /** The bytes that the service keeps free. */
  readonly reserveBytes: number;
}

/** How many clients have failures of their own in the metrics. The others share one sample. */
const MAX_CLIENTS = 50;

const OTHER_CLIENTS = 'others';

/** How long a scrape waits for a value of the database. A scraper gives up after ten seconds and would lose all values. */
const MAX_READ_MS = 2000;

/** Wraps a read. Rejects if it lasts too long, as in an outage of the database. */
const bounded =
  <T>(read: () => Promise<T>) =>
  (): Promise<T> =>
    Promise.race([
      read(),
      sleep(MAX_READ_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('The read lasts too long.'))),
    ]);

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
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  // The event-loop lag is measured with a timer. The library's default of 10 ms would wake an idle process 100 times a
  // second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  // If the database is unavailable, the gauges of the installation have no samples, but the other metrics are still
  // reported.
  // Several gauges are collected at the same time, and one query counts all jobs for all of them.
  const queueDepths = shareRunning(() => bounded(sources.queueDepths)().catch((): readonly QueueDepth[] => []));
  const gaugeBy = (label: string, name: string, help: string, read: () => Promise<Readonly<Record<string, number>>>) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        this.reset();
        for (const [value, count] of Object.entries(await bounded(read)().catch(() => ({}))))
          this.set({ [label]: value }, count);
      },
    });
  const gaugeOfLanes = (name: string, help: string, numberOf: (depth: QueueDepth) => number) =>
    gaugeBy('lane', name, `${help} Every process reports the same.`, async () =>
      Object.fromEntries((await queueDepths()).map((depth) => [depth.lane, numberOf(depth)])),
    );
  const gaugeOfInstallation = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help: `${help} Every process reports the same.`,
      registers,
      async collect() {
        this.reset();
        await bounded(read)().then(
          (count) => this.set(count),
          () => this.remove(),
        );
      },
    });
  gaugeOfLanes('telecine_queue_jobs', 'Queued jobs of the installation, by lane.', ({ jobs }) => jobs);
  gaugeOfLanes(
    'telecine_queue_oldest_seconds',
    'Age of the oldest queued job in seconds, by lane.',
    ({ oldestSeconds }) => oldestSeconds,
  );
  const webhookBacklog = shareRunning(sources.webhookBacklog);
  gaugeOfInstallation(
    'telecine_webhook_outbox_deliveries',
    'Unfinished deliveries of webhooks, counted up to 10,000.',
    async () => (await webhookBacklog()).deliveries,
  );
  gaugeOfInstallation(
    'telecine_webhook_outbox_oldest_seconds',
    'Age of the oldest unfinished delivery of webhooks in seconds.',
    async () => (await webhookBacklog()).oldestSeconds,
  );
  gaugeOfInstallation(
    'telecine_resumable_uploads_open',
    'Unfinished resumable uploads of the installation.',
    sources.openUploads,
  );
  gaugeOfInstallation(
    'telecine_jobs_waiting',
    'Jobs of the installation that wait for other jobs, counted up to 10,000. They are not queued.',
    sources.waitingJobs,
  );
  gaugeOfInstallation(
    'telecine_batches_unfinished',
    'Batches of the installation with unfinished jobs, counted up to 10,000.',
    sources.unfinishedBatches,
  );
  gaugeBy(
    'state',
    'telecine_watched_files',
    'Files of watched folders of the installation, by state. Counted once a minute. Every process reports the same.',
    sources.watchedFiles,
  );
  gaugeBy(
    'check',
    'telecine_ready',
    'Checks of the machine of this process, as in /ready: 1 if the check passes, 0 if it fails.',
    sources.checks,
  );
  gaugeBy(
    'state',
    'telecine_workers',
    'Workers of the installation: running (they take jobs) or unready (a check of their machine fails). Every process reports the same.',
    sources.workers,
  );
  const ping = bounded(shareRunning(sources.pingDatabase));
  gaugeOfInstallation('telecine_queue_paused', '1 if an operator has paused the queue, else 0.', sources.queuePaused);
  const gaugeOfProcess = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  gaugeOfProcess(
    'telecine_workers_lost',
    'Workers that were lost in the last ten minutes, and that none on their host has replaced. Use max: a process counts what it has seen.',
    sources.lostWorkers,
  );
  gaugeOfProcess(
    'telecine_database_up',
    '1 if the database of this process accepts a write within two seconds, else 0.',
    () =>
      ping().then(
        () => 1,
        () => 0,
      ),
  );
  const disks = shareRunning(sources.disks);
  const gaugeOfDisks = (name: string, help: string, numberOf: (space: DiskSpace) => number) =>
    gaugeBy('disk', name, help, async () =>
      Object.fromEntries((await disks()).map((space) => [space.disk, numberOf(space)])),
    );
  gaugeOfDisks(
    'telecine_disk_free_bytes',
    'Free bytes of the disks that this process writes to: scratch (conversions), media (the media root), data (the data folder).',
    ({ freeBytes }) => freeBytes,
  );
  gaugeOfDisks(
    'telecine_disk_reserve_bytes',
    'Bytes of a disk that stay free: with less, no job starts.',
    ({ reserveBytes }) => reserveBytes,
  );
  const clients = new Set<string>();
  new Gauge({
    name: 'telecine_jobs_running',
    help: 'Jobs that this process runs.',
    registers,
    collect() {
      this.set(sources.runningJobs());
    },
  });
  new Gauge({
    name: 'telecine_job_slots',
    help: 'Ordinary conversions that this process may run at once; 0 if it runs no jobs.',
    registers,
  }).set(sources.slots);
  gaugeBy(
    'lane',
    'telecine_job_slots_used',
    'Slots that the conversions of this process use, by lane and weight.',
    async () => sources.usedSlots(),
  );
  return {
    registry,
    requests: new Histogram({
      name: 'telecine_http_request_seconds',
      help: 'Time from the first byte of a request to the end of its reply in seconds, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: HTTP_SECONDS,
      registers,
    }),
    deliveries: new Counter({
      name: 'telecine_webhook_attempts_total',
      help: 'Attempts to deliver webhooks, by result: delivered, retried, failed (given up), dropped (no receiver any more) or returned (the service stopped).',
      labelNames: ['result'],
      registers,
    }),
    eventsOverLimit: new Counter({
      name: 'telecine_webhook_events_over_limit_total',
      help: 'Events of clients that have too many deliveries of webhooks, by what became of them: GIVEN_UP (stored, to be replayed) or NOT_STORED.',
      labelNames: ['storage'],
      registers,
    }),
    watchScans: new Histogram({
      name: 'telecine_watch_scan_seconds',
      help: 'Time of scans of watched folders in seconds, by end (complete, unreachable).',
      labelNames: ['end'],
      buckets: JOB_SECONDS,
      registers,
    }),
    refusals: new Counter({
      name: 'telecine_http_refusals_total',
      help: 'Connections and requests that were refused, or connections that were closed, by reason: address (too many without a token), full (all connections in use), replaced (closed for a newer connection), pipelining, stalled (nothing of the reply was read), client (too many running requests) or bytes (no memory for bodies and replies).',
      labelNames: ['reason'],
      registers,
    }),
    accepted: new Counter({ name: 'telecine_jobs_accepted_total', help: 'Accepted jobs.', registers }),
    attempts: new Counter({
      name: 'telecine_attempts_total',
      help: 'Finished attempts of jobs, by the status of the job after it (PENDING: queued again) and failure code.',
      labelNames: ['status', 'code'],
      registers,
    }),
    failed: new Counter({
      name: 'telecine_client_failures_total',
      help: `Jobs of this process that failed, by client. After ${MAX_CLIENTS} clients, further ones count as "${OTHER_CLIENTS}".`,
      labelNames: ['client'],
      registers,
    }),
    labelOf: (clientId: string): string => {
      if (clients.size < MAX_CLIENTS) clients.add(clientId);
      return clients.has(clientId) ? clientId : OTHER_CLIENTS;
    },
    findings: new Counter({
      name: 'telecine_findings_total',
      help: 'Warnings about jobs that have ended, by the rule that found them.',
      labelNames: ['rule'],
      registers,
    }),
    queued: new Histogram({
      name: 'telecine_job_queued_seconds',
      help: 'Time from the acceptance of a job to the start of its first attempt in seconds.',
      buckets: JOB_SECONDS,
      registers,
    }),
    phases: new Histogram({
      name: 'telecine_phase_seconds',
      help: 'Duration of the phases of attempts in seconds, by phase (STAGING, SAMPLING, CONVERTING, PUBLISHING).',
      labelNames: ['phase'],
      buckets: JOB_SECONDS,
      registers,
    }),
    speed: new Histogram({
      name: 'telecine_conversion_speed',
      help: 'Speed of finished conversions in seconds of media per second.',
      buckets: SPEEDS,
      registers,
    }),
    uploads: new Counter({
      name: 'telecine_resumable_uploads_total',
      help: 'Resumable uploads of this process, by event (created, finished, removed, expired).',
      labelNames: ['event'],
      registers,
    }),
  };
}
