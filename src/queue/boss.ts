import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Delivery, JobQueue, Tx } from '../jobs/ports.ts';
import type { Database } from '../store/transaction/database.ts';
import { dbOf } from '../store/transaction/tx.ts';

export interface BossQueueOptions {
  /** The duration of a lease, at least 10. */
  readonly leaseSeconds?: number;
  /** How often expired leases are looked for. */
  readonly monitorSeconds?: number;
  /** Reports an error of pg-boss's own work, such as the search for expired leases. */
  readonly onError: (error: unknown) => void;
}

/** The queue of an open connection to PostgreSQL. */
export interface BossQueue extends JobQueue {
  close(): Promise<void>;
}

/** The schema of pg-boss's tables, in the store's database. */
const SCHEMA = 'telecine_queue';

/** The table of pg-boss that contains the tickets. */
const JOBS = sql.table(`${SCHEMA}.job`);

const QUEUE = 'conversions';

const DAY_SECONDS = 86_400;

/** A year, the longest time that pg-boss accepts. It deletes queued tickets after this time. */
const RETENTION_SECONDS = 365 * DAY_SECONDS;

/** An id that no job has. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** The most attempts that pg-boss can count. The number of attempts of a job is the store's to decide. */
const ALWAYS_RETRY = 2 ** 31 - 1;

/** The lowest priority of pg-boss, whose priorities have 32 bits. */
const LOWEST_PRIORITY = -(2 ** 31);

/**
 * Opens the queue as a queue of pg-boss in the store's database, which must be PostgreSQL. The receipt of a delivery is
 * pg-boss's `retryCount`, which rises with each delivery. A lease is pg-boss's heartbeat; a lease that has expired is
 * noticed at most `monitorSeconds` later by any process that has the queue open. Until another worker takes the ticket,
 * its worker may still renew, remove or requeue.
 */
export async function bossQueue(
  { reader, transactions }: Database,
  { leaseSeconds = 15, monitorSeconds = 10, onError }: BossQueueOptions,
): Promise<BossQueue> {
  const boss = new PgBoss({
    db: fromKysely(reader),
    schema: SCHEMA,
    schedule: false,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
  });
  boss.on('error', onError);
  await boss.start();
  const settings = {
    heartbeatSeconds: leaseSeconds,
    // A heartbeat does not extend it. So a conversion may take no longer.
    expireInSeconds: DAY_SECONDS,
    retentionSeconds: RETENTION_SECONDS,
    retryLimit: ALWAYS_RETRY,
  };
  try {
    await boss.createQueue(QUEUE, settings);
    // The queue may be of a version with other settings.
    await boss.updateQueue(QUEUE, settings);
    // pg-boss reads a queue at its first use, on a connection of its own. In a transaction, that would need a second
    // connection, for which all transactions could wait at once.
    await boss.touch(QUEUE, { id: NO_JOB, retryCount: 0 });
  } catch (error) {
    await boss.stop({ graceful: false, close: false });
    throw error;
  }
  const attempt = ({ jobId, receipt }: { readonly jobId: string; readonly receipt: number }) => ({
    id: jobId,
    retryCount: receipt,
  });

  /**
   * Gives a ticket whose lease has expired back to its worker, who is alive after all: the database or the worker was
   * down for longer than the lease. pg-boss has then set the ticket to `retry`, with the receipt of the delivery. The
   * next fetch raises the receipt, and `requeue` does too, so a delivery that another one followed, or that ended,
   * revives nothing.
   */
  const revive = async (tx: Tx, { jobId, receipt }: Delivery): Promise<boolean> => {
    const { numAffectedRows } = await sql`
      update ${JOBS} set state = 'active', heartbeat_on = now()
      where name = ${QUEUE} and id = ${jobId} and retry_count = ${receipt} and state = 'retry'`.execute(dbOf(tx));
    return numAffectedRows === 1n;
  };

  /** Settles a delivery, and if pg-boss finds its lease expired, does so again after reviving it. */
  const settle = async (tx: Tx, delivery: Delivery, run: () => Promise<object>): Promise<boolean> =>
    isOne(await run()) || ((await revive(tx, delivery)) && isOne(await run()));

  const enqueue: JobQueue['enqueue'] = async (tx, tickets) => {
    // Tickets of one transaction and one priority are handed out in the order of this insert.
    const oldestFirst = tickets.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1));
    await boss.insert(
      QUEUE,
      oldestFirst.map(({ jobId, clientId, fairnessRank }) => ({
        id: jobId,
        priority: Math.max(-fairnessRank, LOWEST_PRIORITY),
        group: { id: clientId },
      })),
      { db: fromKysely(dbOf(tx)) },
    );
  };

  return {
    enqueue,

    // A ticket that exists stays as it is.
    restore: (tx, tickets) => enqueue(tx, tickets),

    async take(tx, slots, perClient) {
      const options = {
        db: fromKysely(dbOf(tx)),
        ...(Number.isFinite(perClient) && { groupConcurrency: perClient }),
      };
      const deliveries = [];
      // One by one: a fetch of several returns them in no order, and too few where one client is at its limit.
      while (deliveries.length < slots) {
        const [next] = await boss.fetch(QUEUE, options);
        if (next === undefined) break;
        deliveries.push({ jobId: next.id, clientId: next.groupId ?? '', receipt: next.retryCount });
      }
      return deliveries;
    },

    // A crash that undoes a renewal is an expired lease, which can be renewed.
    renewLease: (delivery) =>
      transactions.run(
        (tx) => settle(tx, delivery, () => boss.touch(QUEUE, attempt(delivery), { db: fromKysely(dbOf(tx)) })),
        { durable: false },
      ),

    remove: (tx, delivery) =>
      settle(tx, delivery, () => boss.deleteJob(QUEUE, attempt(delivery), { db: fromKysely(dbOf(tx)) })),

    async requeue(tx, delivery, delaySeconds) {
      const options = { db: fromKysely(dbOf(tx)) };
      if (!(await settle(tx, delivery, () => boss.fail(QUEUE, attempt(delivery), undefined, options)))) return false;
      // The next fetch raises the receipt. Raise it now too: this delivery has ended, and must not be revived.
      await sql`
        update ${JOBS}
        set retry_count = retry_count + 1, start_after = start_after + make_interval(secs => ${delaySeconds})
        where name = ${QUEUE} and id = ${delivery.jobId}`.execute(dbOf(tx));
      return true;
    },

    close: () => boss.stop({ graceful: false, close: false }),
  };
}

const isOne = (response: object): boolean => 'affected' in response && response.affected === 1;
