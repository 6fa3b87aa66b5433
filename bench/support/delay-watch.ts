import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The worst delays of another client, in milliseconds. */
export interface Delays {
  readonly health: number;
  readonly job: number;
}

/** A client in its own thread that requests `/health` and a job again and again. */
export class DelayWatch {
  readonly #thread: Worker;

  /** @param path The path of a job. */
  constructor(url: string, path: string, token: string) {
    this.#thread = new Worker(new URL('./delay-watch-thread.ts', import.meta.url), {
      workerData: { url, path, token },
    });
  }

  /** The worst delays since the last call. */
  async take(): Promise<Delays> {
    const answer = once(this.#thread, 'message');
    this.#thread.postMessage(undefined);
    const [[health = 0, job = 0]] = (await answer) as [readonly number[]];
    return { health, job };
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
