/** The jobs that were started together. */
export interface StartedJobs {
  readonly jobIds: readonly string[];
}

type Listener = () => void;

let started: StartedJobs = { jobIds: [] };
const listeners = new Set<Listener>();

/** The jobs that this tab has started last, whichever page it shows now. */
export const startedJobs = {
  get: (): StartedJobs => started,
  set(jobIds: readonly string[]): void {
    started = { jobIds };
    for (const listener of listeners) listener();
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
