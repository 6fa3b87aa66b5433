/**
 * Requests `/health`, and a path with a token, every few milliseconds, each on its own connection. Replies to each message of its parent
 * thread with the worst delays since the last message.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, path, token } = workerData as { readonly url: string; readonly path: string; readonly token: string };

const PAUSE_MS = 3;

/** Delays of one path, each with the time at which its request was sent. */
class Watch {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #path: string;
  #worst = 0;
  #sent: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async run(): Promise<never> {
    for (;;) {
      this.#sent = performance.now();
      await this.#ask();
      this.#worst = Math.max(this.#worst, performance.now() - this.#sent);
      this.#sent = undefined;
      await sleep(PAUSE_MS);
    }
  }

  #ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      get(`${url}${this.#path}`, { agent: this.#agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${this.#path} answers ${response.statusCode}`));
        response
          .once('close', resolve)
          .on('error', () => resolve())
          .resume();
        // Ignore the error: if the service has closed the connection, the next request opens a new one.
      }).on('error', () => resolve());
    });
  }

  /** Returns the worst delay since the last call. Waits first if a request has no reply yet. */
  async take(): Promise<number> {
    while (this.#sent !== undefined) await sleep(1);
    const worst = this.#worst;
    this.#worst = 0;
    return worst;
  }
}

const watches = [new Watch('/health'), new Watch(path)];
for (const watch of watches) void watch.run();
parentPort?.on('message', async () => {
  parentPort?.postMessage(await Promise.all(watches.map((watch) => watch.take())));
});
