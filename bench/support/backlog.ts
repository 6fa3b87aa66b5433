import { join } from 'node:path';
import type { JobQueue } from '../../src/jobs/ports.ts';
import { newJobId } from '../../src/jobs/submit/new-job-id.ts';
import { ticketQueue } from '../../src/queue/tickets.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { EXAMPLE_JSON } from './example.ts';

/** The number of jobs per transaction when the store is filled. */
const BATCH = 1000;

/** The store in a data folder, to add and claim jobs without a running service. */
export class Backlog {
  readonly store: Store;
  readonly #queue: JobQueue;

  private constructor(store: Store) {
    this.store = store;
    this.#queue = ticketQueue(store.database);
  }

  static async open(dataDir: string): Promise<Backlog> {
    return new Backlog(await openSqlite(join(dataDir, 'telecine.db')));
  }

  /** Adds `count` queued jobs of a client, as a submission does. */
  async add(count: number, clientId: string): Promise<void> {
    const { jobs, transactions } = this.store;
    for (let done = 0; done < count; done += BATCH)
      await transactions.run(async (tx) => {
        let fairnessRank = await jobs.nextFairnessRank(tx, clientId);
        for (let i = 0; i < Math.min(BATCH, count - done); i++, fairnessRank += 2) {
          const jobId = newJobId();
          await jobs.insert(tx, [
            { jobId, clientId, request: EXAMPLE_JSON, fairnessRank, createdAt: new Date().toISOString() },
          ]);
          await this.#queue.enqueue(tx, [{ jobId, clientId, fairnessRank }]);
        }
      });
  }

  /** The milliseconds to receive and claim the first queued job, on disk. Ends the job afterwards. */
  async claim(): Promise<number> {
    const { jobs, transactions } = this.store;
    const at = new Date().toISOString();
    const start = performance.now();
    const { delivery, claim } = await transactions.run(async (tx) => {
      const [delivery] = await this.#queue.take(tx, 1, 4);
      const claim = delivery && (await jobs.claim(tx, delivery.jobId, at));
      if (delivery === undefined || claim === undefined) throw new Error('There was nothing to claim.');
      return { delivery, claim };
    });
    const milliseconds = performance.now() - start;
    await transactions.run(async (tx) => {
      await this.#queue.remove(tx, delivery);
      await jobs.end(tx, claim, { status: 'COMPLETED', outputs: [] }, at, '');
    });
    return milliseconds;
  }
}
