import type { Job, LiveEvent } from '@telecine/client';

/** Whether events arrive. `lost`: the page shows the past until the service can be reached again. */
export type Connection = 'connecting' | 'live' | 'lost';

/** The newest known state of each job, kept up to date by the events of one stream. */
export class LiveJobs {
  readonly #jobs = new Map<string, Job>();
  readonly #deleted = new Set<string>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #listWatchers = new Set<() => void>();
  #seen: readonly string[] = [];
  #connection: Connection = 'connecting';

  get connection(): Connection {
    return this.#connection;
  }

  /** The ids of all jobs that the stream has named. */
  get seen(): readonly string[] {
    return this.#seen;
  }

  get(jobId: string): Job | undefined {
    return this.#jobs.get(jobId);
  }

  isDeleted(jobId: string): boolean {
    return this.#deleted.has(jobId);
  }

  setConnection(connection: Connection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    this.#notifyLists();
  }

  apply(event: LiveEvent): void {
    this.setConnection('live');
    switch (event.type) {
      case 'deleted':
        this.#deleted.add(event.data.jobId);
        this.#notify(event.data.jobId);
        this.#notifyLists();
        break;
      case 'batch':
      case 'reset':
      case 'ready':
        break;
      default: {
        const job = event.data;
        const isNew = !this.#jobs.has(job.jobId);
        this.#jobs.set(job.jobId, job);
        if (isNew) {
          this.#seen = [...this.#seen, job.jobId];
          this.#notifyLists();
        }
        this.#notify(job.jobId);
      }
    }
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

  /** Calls `onChange` when a job was created or deleted, or the connection changes. */
  watchList(onChange: () => void): () => void {
    this.#listWatchers.add(onChange);
    return () => this.#listWatchers.delete(onChange);
  }

  #notify(jobId: string): void {
    for (const onChange of this.#watchers.get(jobId) ?? []) onChange();
  }

  #notifyLists(): void {
    for (const onChange of this.#listWatchers) onChange();
  }
}
