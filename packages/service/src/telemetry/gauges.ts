import { setTimeout as sleep } from 'node:timers/promises';
import type { Lane } from '@telecine/contract/domain/lane.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import type { Registry } from 'prom-client';
import type { QueueDepth } from '../jobs/ports/job-store.ts';

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

type Counts = Readonly<Record<string, number>>;

/** Returns functions that add a gauge. If a read of the database fails, its gauge has no samples, but others are reported. */
function gaugeFunctions({ Gauge }: typeof import('prom-client'), registry: Registry) {
  const registers = [registry];
  return {
    addWithLabel: (label: string, name: string, help: string, read: () => Promise<Counts>) =>
      new Gauge({
        ...{ name, help, labelNames: [label], registers },
        async collect() {
          this.reset();
          for (const [value, count] of Object.entries(await bounded(read)().catch((): Counts => ({}))))
            this.set({ [label]: value }, count);
        },
      }),
    addOfInstallation: (name: string, help: string, read: () => Promise<number>) =>
      new Gauge({
        ...{ name, help: `${help} Every process reports the same.`, registers },
        async collect() {
          this.reset();
          await bounded(read)().then(
            (count) => this.set(count),
            () => this.remove(),
          );
        },
      }),
    addOfProcess: (name: string, help: string, read: () => number | Promise<number>) =>
      new Gauge({
        ...{ name, help, registers },
        async collect() {
          this.set(await read());
        },
      }),
  };
}

/** Adds the gauges, whose values each scrape reads. */
export function addGauges(prom: typeof import('prom-client'), registry: Registry, sources: MetricSources): void {
  const gauges = gaugeFunctions(prom, registry);
  addGaugesOfInstallation(gauges, sources);
  addGaugesOfProcess(gauges, sources);
}

type Gauges = ReturnType<typeof gaugeFunctions>;

function addGaugesOfInstallation({ addOfInstallation, addWithLabel }: Gauges, sources: MetricSources): void {
  // Several gauges are collected at the same time, and one query counts all jobs for all of them.
  const queueDepths = shareRunning(() => bounded(sources.queueDepths)().catch((): readonly QueueDepth[] => []));
  const addOfLanes = (name: string, help: string, numberOf: (depth: QueueDepth) => number) =>
    addWithLabel('lane', name, `${help} Every process reports the same.`, async () =>
      Object.fromEntries((await queueDepths()).map((depth) => [depth.lane, numberOf(depth)])),
    );
  addOfLanes('telecine_queue_jobs', 'Queued jobs of the installation, by lane.', ({ jobs }) => jobs);
  addOfLanes(
    'telecine_queue_oldest_seconds',
    'Age of the oldest queued job in seconds, by lane.',
    ({ oldestSeconds }) => oldestSeconds,
  );
  const webhookBacklog = shareRunning(sources.webhookBacklog);
  addOfInstallation(
    'telecine_webhook_outbox_deliveries',
    'Unfinished deliveries of webhooks, counted up to 10,000.',
    async () => (await webhookBacklog()).deliveries,
  );
  addOfInstallation(
    'telecine_webhook_outbox_oldest_seconds',
    'Age of the oldest unfinished delivery of webhooks in seconds.',
    async () => (await webhookBacklog()).oldestSeconds,
  );
  addOfInstallation(
    'telecine_resumable_uploads_open',
    'Unfinished resumable uploads of the installation.',
    sources.openUploads,
  );
  addOfInstallation(
    'telecine_jobs_waiting',
    'Jobs of the installation that wait for other jobs, counted up to 10,000. They are not queued.',
    sources.waitingJobs,
  );
  addOfInstallation(
    'telecine_batches_unfinished',
    'Batches of the installation with unfinished jobs, counted up to 10,000.',
    sources.unfinishedBatches,
  );
  addOfInstallation('telecine_queue_paused', '1 if an operator has paused the queue, else 0.', sources.queuePaused);
  addWithLabel(
    'state',
    'telecine_watched_files',
    'Files of watched folders of the installation, by state. Counted once a minute. Every process reports the same.',
    sources.watchedFiles,
  );
  addWithLabel(
    'state',
    'telecine_workers',
    'Workers of the installation: running (they take jobs) or unready (a check of their machine fails). Every process reports the same.',
    sources.workers,
  );
}

function addGaugesOfProcess({ addOfProcess, addWithLabel }: Gauges, sources: MetricSources): void {
  addWithLabel(
    'check',
    'telecine_ready',
    'Checks of the machine of this process, as in /ready: 1 if the check passes, 0 if it fails.',
    sources.checks,
  );
  addOfProcess(
    'telecine_workers_lost',
    'Workers that were lost in the last ten minutes, and that none on their host has replaced. Use max: a process counts what it has seen.',
    sources.lostWorkers,
  );
  const ping = bounded(shareRunning(sources.pingDatabase));
  addOfProcess(
    'telecine_database_up',
    '1 if the database of this process accepts a write within two seconds, else 0.',
    () =>
      ping().then(
        () => 1,
        () => 0,
      ),
  );
  const disks = shareRunning(sources.disks);
  const addOfDisks = (name: string, help: string, numberOf: (space: DiskSpace) => number) =>
    addWithLabel('disk', name, help, async () =>
      Object.fromEntries((await disks()).map((space) => [space.disk, numberOf(space)])),
    );
  addOfDisks(
    'telecine_disk_free_bytes',
    'Free bytes of the disks that this process writes to: scratch (conversions), media (the media root), data (the data folder).',
    ({ freeBytes }) => freeBytes,
  );
  addOfDisks(
    'telecine_disk_reserve_bytes',
    'Bytes of a disk that stay free: with less, no job starts.',
    ({ reserveBytes }) => reserveBytes,
  );
  addOfProcess('telecine_jobs_running', 'Jobs that this process runs.', sources.runningJobs);
  addOfProcess(
    'telecine_job_slots',
    'Ordinary conversions that this process may run at once; 0 if it runs no jobs.',
    () => sources.slots,
  );
  addWithLabel(
    'lane',
    'telecine_job_slots_used',
    'Slots that the conversions of this process use, by lane and weight.',
    async () => sources.usedSlots(),
  );
}
