import type { Job, LiveEvent } from '@telecine/client';
import { KeyWatchers } from '../ui/key-watchers.ts';

/**
 * Whether the event stream is connected. `lost`: the page shows old states until the service can be reached again. `denied`: the client may
 * not read jobs.
 */
export type Connection = 'connecting' | 'live' | 'lost' | 'denied';

/** How long changes of lists are collected before the lists are updated. */
const GATHER_MS = 50;

interface Entry {
  /** The number of the change that set this entry. */
  readonly change: number;
  /** undefined: the job was deleted. */
  readonly job: Job | undefined;
}

/** The newest known state of jobs, kept up to date by the events of one stream. */
export class LiveJobs {
  /** Ordered by their last change, oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #watchers = new KeyWatchers();
  readonly #listWatchers = new Set<() => void>();
  readonly #schedule: (run: () => void) => void;
  #changes = 0;
  #revision = 0;
  #isScheduled = false;
  #connection: Connection = 'connecting';

  /** @param schedule Calls `run` once after a short time. */
  constructor(schedule: (run: () => void) => void = (run) => void setTimeout(run, GATHER_MS)) {
    this.#schedule = schedule;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** This number changes when a job was created, deleted or forgotten, or has another status. */
  get revision(): number {
    return this.#revision;
  }

  /** The number of the last change of a job. Each change has a greater number than the change before. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The jobs in no particular order. Deleted jobs are omitted. */
  jobs(): readonly Job[] {
    return [...this.#entries.values()].flatMap(({ job }) => job ?? []);
  }

  get(jobId: string): Job | undefined {
    return this.#entries.get(jobId)?.job;
  }

  isDeleted(jobId: string): boolean {
    const entry = this.#entries.get(jobId);
    return entry !== undefined && entry.job === undefined;
  }

  setConnection(connection: Connection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    this.#notifyLists();
  }

  apply(event: LiveEvent): void {
    this.setConnection('live');
    switch (event.type) {
      // Ignore the jobs of a snapshot, which can be a long queue: the lists are read again after it.
      case 'snapshot':
      case 'ready':
      case 'reset':
      case 'batch':
      case 'watch':
        break;
      case 'deleted':
        this.#set(event.data.jobId, undefined);
        break;
      default:
        this.#set(event.data.jobId, event.data);
    }
  }

  /** Forgets the jobs that have not changed after the change with this number. Call it when the lists were read after that change. */
  forget(change: number): void {
    const forgotten: string[] = [];
    for (const [jobId, entry] of this.#entries) {
      if (entry.change > change) break;
      forgotten.push(jobId);
    }
    for (const jobId of forgotten) this.#entries.delete(jobId);
    for (const jobId of forgotten) this.#watchers.notify(jobId);
    if (forgotten.length > 0) this.#changeLists();
  }

  /** Calls `onChange` when this job changes. Returns a function that stops this. */
  watch(jobId: string, onChange: () => void): () => void {
    return this.#watchers.watch(jobId, onChange);
  }

  /** Calls `onChange` when the revision or the connection changes. Changes at about the same time cause one call. */
  watchList(onChange: () => void): () => void {
    this.#listWatchers.add(onChange);
    return () => this.#listWatchers.delete(onChange);
  }

  #set(jobId: string, job: Job | undefined): void {
    const before = this.#entries.get(jobId);
    // Move the entry to the end of the map, which has the newest changes.
    this.#entries.delete(jobId);
    this.#entries.set(jobId, { change: ++this.#changes, job });
    if (before === undefined || before.job?.status !== job?.status) this.#changeLists();
    this.#watchers.notify(jobId);
  }

  /** Delays the call of `onChange`, so that a list of thousands of jobs is not sorted again for each of many changes. */
  #changeLists(): void {
    this.#revision += 1;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      this.#notifyLists();
    });
  }

  #notifyLists(): void {
    for (const onChange of this.#listWatchers) onChange();
  }
}
