/** A short task, such as a probe, that a machine without ffmpeg leaves to a worker. */
export interface OpenTask {
  /** A UUID (version 7). */
  readonly taskId: string;
  readonly kind: string;
  readonly clientId: string;
  /** JSON. */
  readonly request: string;
}

export interface TaskTurns {
  /** Clients that get no task. */
  readonly full: readonly string[];
  /** Clients that get a task only if no other client has one. */
  readonly served: readonly string[];
}

/** Stores tasks whose callers wait for the result. Times are by the clock of the database. A crash may undo a write. */
export interface TaskStore {
  /** Stores a task, whose caller waits `seconds` for the result. */
  add(task: OpenTask, seconds: number): Promise<void>;
  /**
   * Hands out the oldest task that `turns` allows. A task is handed out again if its lease has ended. Concurrent calls
   * never get the same task.
   */
  take(kind: string, workerId: string, leaseSeconds: number, turns?: TaskTurns): Promise<OpenTask | undefined>;
  /** Returns those of `kinds` that have a task which no worker has. */
  openKinds(kinds: readonly string[]): Promise<readonly string[]>;
  /** Renews a lease. Resolves to false if the task was removed or another worker has it. */
  renew(taskId: string, workerId: string, leaseSeconds: number): Promise<boolean>;
  /** Stores the result as JSON. Does nothing if the task was removed or another worker has it. */
  finish(taskId: string, workerId: string, result: string): Promise<void>;
  /** Returns the result. undefined: there is none yet. */
  result(taskId: string): Promise<string | undefined>;
  /** Removes a task. Resolves to true if no worker has taken it. */
  remove(taskId: string): Promise<boolean>;
  removeExpired(): Promise<void>;
}
