import { join } from 'node:path';
import type { JobQueue } from '../../src/jobs/ports.ts';
import { newJobId } from '../../src/jobs/submit/new-job-id.ts';
import { ticketQueue } from '../../src/queue/tickets.ts';
import { openSqlite, type Store } from '../../src/store/open.ts';
import { EXAMPLE_JSON } from './example.ts';

/** Jobs of one transaction while filling. */
const BATCH = 1000;

/** The store of a data folder, for what is put into it and taken from it without a service. */
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

  /** Puts `count` waiting jobs of a client into the line, the way a submission does. */
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

  /** Milliseconds that taking the first in line and claiming it takes, on disk; the job is ended afterwards. */
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
