import type { Job, LiveEvent } from '@telecine/client';

/**
 * Whether events arrive. `lost`: the page shows the past until the service can be reached again. `denied`: the client may not
 * read jobs.
 */
export type Connection = 'connecting' | 'live' | 'lost' | 'denied';

/** How long changes of lists are gathered before they are told, in milliseconds. */
const GATHER_MS = 50;

interface Entry {
  /** The number of the change that made it. */
  readonly change: number;
  /** undefined: the job was deleted. */
  readonly job: Job | undefined;
}

/** The newest known state of jobs, kept up to date by the events of one stream. */
export class LiveJobs {
  /** The one that changed longest ago comes first. */
  readonly #entries = new Map<string, Entry>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #listWatchers = new Set<() => void>();
  readonly #schedule: (run: () => void) => void;
  #changes = 0;
  #revision = 0;
  #isScheduled = false;
  #connection: Connection = 'connecting';

  /** `schedule`: calls `run` once, soon. */
  constructor(schedule: (run: () => void) => void = (run) => void setTimeout(run, GATHER_MS)) {
    this.#schedule = schedule;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Changes whenever a list may: a job was created, deleted or forgotten, or has another status. */
  get revision(): number {
    return this.#revision;
  }

  /** The number of the last change. */
  get changes(): number {
    return this.#changes;
  }

  /** How many jobs it holds. */
  get size(): number {
    return this.#entries.size;
  }

  /** The jobs that it holds, in no order. */
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
      // After a snapshot, which can have all jobs of a long queue, the lists are read again.
      case 'snapshot':
      case 'ready':
      case 'reset':
      case 'batch':
        break;
      case 'deleted':
        this.#set(event.data.jobId, undefined);
        break;
      default:
        this.#set(event.data.jobId, event.data);
    }
  }

  /** Forgets what has not changed since the change of this number. Call it when the lists were read again after that change. */
  forget(change: number): void {
    const forgotten: string[] = [];
    for (const [jobId, entry] of this.#entries) {
      if (entry.change > change) break;
      forgotten.push(jobId);
    }
    for (const jobId of forgotten) this.#entries.delete(jobId);
    for (const jobId of forgotten) this.#notify(jobId);
    if (forgotten.length > 0) this.#changeLists();
  }

  /** Calls `onChange` when this job changes. Returns a function that ends this. */
  watch(jobId: string, onChange: () => void): () => void {
    const watchers = this.#watchers.get(jobId) ?? new Set();
    this.#watchers.set(jobId, watchers.add(onChange));
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0) this.#watchers.delete(jobId);
    };
  }

  /** Calls `onChange` when the revision or the connection changes, for changes at the same time once. */
  watchList(onChange: () => void): () => void {
    this.#listWatchers.add(onChange);
    return () => this.#listWatchers.delete(onChange);
  }

  #set(jobId: string, job: Job | undefined): void {
    const before = this.#entries.get(jobId);
    // The end of the map is for the newest.
    this.#entries.delete(jobId);
    this.#entries.set(jobId, { change: ++this.#changes, job });
    if (before === undefined || before.job?.status !== job?.status) this.#changeLists();
    this.#notify(jobId);
  }

  #notify(jobId: string): void {
    for (const onChange of this.#watchers.get(jobId) ?? []) onChange();
  }

  /** A list of thousands is not sorted again for each of the many changes of a busy moment. */
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
