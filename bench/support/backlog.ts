import { join } from 'node:path';
import { sql } from 'kysely';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import type { JobQueue } from '../../packages/service/src/jobs/ports/job-queue.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import { type BossQueue, bossQueue } from '../../packages/service/src/queue/boss.ts';
import { ticketQueue } from '../../packages/service/src/queue/tickets.ts';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { EXAMPLE_JSON } from './example.ts';
import { cpuSeconds } from './processes.ts';

/** The number of jobs per transaction when the store is filled. */
const BATCH = 1000;

/** A store, to add and claim jobs without a running service. */
export class Backlog {
  readonly store: Store;
  readonly #secondsBySession = new Map<number, number>();
  readonly #queue: JobQueue & Partial<Pick<BossQueue, 'close'>>;

  private constructor(store: Store, queue: JobQueue) {
    this.store = store;
    this.#queue = queue;
  }

  /** Opens the SQLite store in a data folder. */
  static async open(dataDir: string): Promise<Backlog> {
    const store = await openSqlite(join(dataDir, 'telecine.db'));
    return new Backlog(store, ticketQueue(store.database));
  }

  static async openPostgres(url: string): Promise<Backlog> {
    const onError = (error: unknown): void => console.error(error);
    const store = await openPostgres({ url, onOutage: onError, isPatient: true });
    return new Backlog(store, await bossQueue(store.database, { onError }));
  }

  async close(): Promise<void> {
    await this.#queue.close?.();
    await this.store.close();
  }

  /** Adds `count` queued jobs of a client, as a submission does. */
  async add(count: number, clientId: string): Promise<void> {
    const { jobs, transactions } = this.store;
    for (let done = 0; done < count; done += BATCH)
      await transactions.run(async (tx) => {
        const tickets = Array.from({ length: Math.min(BATCH, count - done) }, () => ({
          ...{ jobId: newJobId(), clientId, priority: 0 },
          ...ORDINARY,
        }));
        const createdAt = new Date().toISOString();
        await jobs.insert(
          tx,
          tickets.map((ids) => ({ ...ids, request: EXAMPLE_JSON, createdAt })),
        );
        await this.#queue.enqueue(tx, tickets);
      });
  }

  /**
   * The seconds of processor time of the PostgreSQL sessions with this database so far. Time that a session used after the last call and
   * before its end is missing: a pool closes idle sessions.
   */
  async processorSeconds(): Promise<number> {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database()`.execute(this.store.database.reader);
    for (const { pid } of rows) this.#secondsBySession.set(pid, cpuSeconds(pid));
    return [...this.#secondsBySession.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  /** Whether a client has queued jobs. */
  async hasQueued(clientId: string): Promise<boolean> {
    return (await this.store.jobs.countPending(clientId, 1)) > 0;
  }

  /** The milliseconds to look for a job while all clients are at their limit. */
  async findNone(limits: ReadonlyMap<string, number>): Promise<number> {
    const start = performance.now();
    const found = await this.store.transactions.run((tx) =>
      this.#queue.take(tx, {
        slots: 1,
        perClient: Number.POSITIVE_INFINITY,
        ofClients: limits,
        lanes: ['full', 'light'],
        has: () => true,
      }),
    );
    if (found.length > 0) throw new Error('A client is not at its limit.');
    return performance.now() - start;
  }

  /**
   * The milliseconds to receive and claim the first queued job, on disk. Ends the job afterwards. `only`: repeats this, and adds up the
   * milliseconds, until the job is of this client.
   */
  async claim(only?: string): Promise<number> {
    const { jobs, transactions } = this.store;
    const at = new Date().toISOString();
    const start = performance.now();
    const { delivery, claim } = await transactions.run(async (tx) => {
      const [delivery] = await this.#queue.take(tx, {
        slots: 1,
        perClient: Number.POSITIVE_INFINITY,
        lanes: ['full', 'light'],
        has: () => true,
      });
      if (delivery === undefined) throw new Error('There was nothing to claim.');
      return { delivery, claim: await jobs.claim(tx, delivery.jobId, at) };
    });
    const milliseconds = performance.now() - start;
    await transactions.run(async (tx) => {
      await this.#queue.remove(tx, delivery);
      // Without a claim, the job was cancelled meanwhile.
      if (claim !== undefined) await jobs.end(tx, claim, { status: 'COMPLETED', outputs: [] }, at, '');
    });
    return only === undefined || delivery.clientId === only ? milliseconds : milliseconds + (await this.claim(only));
  }
}
