import { AsyncLocalStorage } from 'node:async_hooks';
import { ONE_SLOT } from '@telecine/contract/domain/lane.ts';
import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import {
  type Delivery,
  type JobQueue,
  type PlainJob,
  type TakeRequest,
  type Ticket,
  weightIn,
} from '../jobs/ports/job-queue.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import { type Database, type Db, dbOf } from '../store/transaction/database.ts';
import { countDeliveries, findNextTicket, handOut, lockDeliveries } from './boss-next-ticket.ts';
import {
  BOSS_JOBS,
  BOSS_NOW,
  BOSS_QUEUES,
  BOSS_SCHEMA,
  holdQueue,
  indexTurns,
  queueNames,
  removeEmptyQueues,
} from './boss-queues.ts';
import {
  FETCH_QUEUE,
  LIGHT_QUEUE,
  leaveTimes,
  ORDINARY_QUEUE,
  queueName,
  queueRequirements,
  queuesFor,
} from './queue-name.ts';
import { deviceCounts, fetchCounts } from './take-counts.ts';

/** Stores plain jobs and their tickets in one call of the SQL function `telecine_insert_jobs`. */
async function insertPlainJobs(db: Db, inOrder: readonly PlainJob[], createdAt: string): Promise<void> {
  const byClient = Map.groupBy(inOrder, ({ clientId }) => clientId);
  // Sort the clients, so that all transactions lock their usage in the same order and do not deadlock.
  const clients = [...byClient.keys()].toSorted();
  const jobs = clients.flatMap((client) => byClient.get(client) ?? []);
  const all = <T>(of: (job: PlainJob) => T): readonly T[] => jobs.map(of);
  await sql`select telecine_insert_jobs(
    ${clients}, ${all(({ clientId }) => clientId)}, ${all(({ jobId }) => jobId)}, ${all(({ request }) => request)},
    ${createdAt}, 0, ${all(({ lane }) => queueName({ lane, needs: [] }))}, ${all(({ lane }) => lane)},
    ${all(({ weight }) => weight)}, ${all(({ priority = 0 }) => priority)}, ${all(({ priority = 0 }) => -priority)},
    ${all(({ warnings = null }) => warnings)}, ${all(({ traceParent = null }) => traceParent)})`.execute(db);
}

interface BossQueueOptions {
  /** The duration of a lease, in seconds. The minimum is 10. */
  readonly leaseSeconds?: number;
  readonly monitorSeconds?: number;
  /** Receives errors of the background work of pg-boss, such as the search for expired leases. */
  readonly onError: (error: unknown) => void;
}

/** A queue that uses pg-boss. `close` ends the background work of pg-boss. */
export interface BossQueue extends JobQueue {
  close(): Promise<void>;
}

const LASTING_QUEUES = [ORDINARY_QUEUE, LIGHT_QUEUE, FETCH_QUEUE];

const DAY_SECONDS = 86_400;

/**
 * The delay before the ticket of an expired lease is handed out. After an outage of the database, a worker that is still
 * alive renews its lease within this time: it may wait 5 s for a connection that was begun during the outage, and 1 s
 * for its next heartbeat.
 */
const REVIVAL_SECONDS = 8;

/** How long pg-boss keeps a queued ticket before it deletes it. One year is the maximum of pg-boss. */
const RETENTION_SECONDS = 365 * DAY_SECONDS;

/**
 * The maximum number of attempts in pg-boss, so that pg-boss never gives up. The store decides how many attempts a job
 * has.
 */
const ALWAYS_RETRY = 2 ** 31 - 1;

// The transaction that runs now, for the statements of pg-boss. pg-boss reads the settings of a queue at its first
// use. That read must be part of the running transaction: the transaction may have created the queue, and it must not
// wait for a second connection while it holds the first.
const current = new AsyncLocalStorage<Db>();

const inTx = <T>(tx: Tx, run: () => Promise<T>): Promise<T> => current.run(dbOf(tx), run);

const settingsOf = (leaseSeconds: number) => ({
  heartbeatSeconds: leaseSeconds,
  // The maximum time of a delivery. Heartbeats do not extend this time, so no conversion can take longer than a day.
  expireInSeconds: DAY_SECONDS,
  retentionSeconds: RETENTION_SECONDS,
  retryLimit: ALWAYS_RETRY,
  retryDelay: REVIVAL_SECONDS,
});

/** Starts pg-boss, and creates the queues that are always there. */
async function startBoss(
  { reader, transactions, runAlone }: Database,
  settings: ReturnType<typeof settingsOf>,
  { monitorSeconds = 10, onError }: BossQueueOptions,
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => fromKysely(current.getStore() ?? reader).executeSql(text, values) },
    schema: BOSS_SCHEMA,
    schedule: false,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
  });
  boss.on('error', onError);
  // pg-boss creates or migrates its tables here. Only one process at a time does that; otherwise, PostgreSQL logs
  // errors.
  const start = async (): Promise<void> => void (await boss.start());
  await (runAlone === undefined ? start() : runAlone('start of pg-boss', start));
  try {
    await indexTurns(transactions);
    for (const name of LASTING_QUEUES) await boss.createQueue(name, settings);
    // Update the settings of existing queues, which an earlier version of the service may have created.
    for (const name of await queueNames(reader))
      if (queueRequirements(name) !== undefined) await boss.updateQueue(name, settings);
    await removeEmptyQueues(transactions, DAY_SECONDS);
  } catch (error) {
    await boss.stop({ graceful: false, close: false });
    throw error;
  }
  return boss;
}

/**
 * Opens the queue in the database of the store, which must be PostgreSQL. Each combination of lane and needs is a
 * separate pg-boss queue. The receipt of a delivery is the `retryCount` of pg-boss, and its lease is the heartbeat of
 * pg-boss. Any process notices an expired lease within `monitorSeconds`. The ticket is handed out again
 * `REVIVAL_SECONDS` later. Until then, its worker may renew, remove or requeue it.
 */
export async function bossQueue(database: Database, options: BossQueueOptions): Promise<BossQueue> {
  const { reader, transactions } = database;
  const { leaseSeconds = 15, onError } = options;
  const settings = settingsOf(leaseSeconds);
  const boss = await startBoss(database, settings, options);
  const cleaning = setInterval(() => removeEmptyQueues(transactions, DAY_SECONDS).catch(onError), HOUR_MS).unref();

  const enqueue: JobQueue['enqueue'] = async (tx, tickets) => {
    const byQueue = Map.groupBy(tickets, queueName);
    // Sort the queues, so that all transactions lock them in the same order and do not deadlock.
    for (const name of [...byQueue.keys()].toSorted()) {
      if (!LASTING_QUEUES.includes(name)) await holdQueue(dbOf(tx), name, settings);
      await inTx(tx, () => boss.insert(name, (byQueue.get(name) ?? []).map(bossJob)));
    }
  };

  return {
    enqueue,

    insertPlainJobs: (tx, jobs, createdAt) => insertPlainJobs(dbOf(tx), jobs, createdAt),

    async restore(tx, tickets) {
      // Adds only tickets that are missing.
      await enqueue(tx, tickets);
      // Before this version, and in services of that version that still run, the priority of a ticket was a rank.
      await sql`
        update ${BOSS_JOBS} j set priority = t.priority
        from unnest(${tickets.map(queueName)}::text[], ${tickets.map(({ jobId }) => jobId)}::uuid[],
          ${tickets.map(({ priority }) => priority)}::int[]) as t (name, id, priority)
        where j.name = t.name and j.id = t.id and j.priority <> t.priority`.execute(dbOf(tx));
    },

    // A ticket that another transaction has locked is left to it: it claims the ticket, and finds that the job has ended.
    async withdraw(tx, tickets) {
      await sql`
        delete from ${BOSS_JOBS} j using (
          select q.name, q.id from ${BOSS_JOBS} q
          join unnest(${tickets.map(queueName)}::text[], ${tickets.map(({ jobId }) => jobId)}::uuid[]) as t (name, id)
            on q.name = t.name and q.id = t.id
          where q.state < 'active' for update of q skip locked
        ) as free where j.name = free.name and j.id = free.id`.execute(dbOf(tx));
    },

    take: takeTickets,

    hasTickets: () => hasTickets(reader),

    // Not durable: a crash of the database may undo the renewal. The lease then expires early, and an expired lease can
    // be renewed.
    renewLease: (delivery) =>
      transactions.run((tx) => withLease(tx, delivery, (queue) => boss.touch(queue, attempt(delivery))), {
        durable: false,
      }),

    remove: (tx, delivery) => withLease(tx, delivery, (queue) => boss.deleteJob(queue, attempt(delivery))),

    async requeue(tx, delivery, delaySeconds) {
      if (!(await withLease(tx, delivery, (queue) => boss.fail(queue, attempt(delivery))))) return false;
      // Raise the receipt now, not only at the next delivery. Otherwise, `revive` could give the ticket back to this
      // delivery, which has ended.
      await sql`
        update ${BOSS_JOBS}
        set retry_count = retry_count + 1, start_after = now() + make_interval(secs => ${delaySeconds})
        where name = ${queueName(delivery)} and id = ${delivery.jobId}`.execute(dbOf(tx));
      return true;
    },

    close: () => {
      clearInterval(cleaning);
      return boss.stop({ graceful: false, close: false });
    },
  };
}

const attempt = ({ jobId, receipt }: Delivery) => ({ id: jobId, retryCount: receipt });

/**
 * Gives the ticket of an expired lease back to its worker. The worker is alive: it was paused, or the database was
 * down for a while. pg-boss has set the ticket to `retry` and kept its receipt. The next delivery and `requeue` raise
 * the receipt, so an older delivery cannot revive the ticket.
 */
const revive = async (tx: Tx, delivery: Delivery): Promise<boolean> => {
  const { jobId, receipt } = delivery;
  const { numAffectedRows } = await sql`
    update ${BOSS_JOBS} set state = 'active', heartbeat_on = now()
    where name = ${queueName(delivery)} and id = ${jobId} and retry_count = ${receipt} and state = 'retry'`.execute(
    dbOf(tx),
  );
  return numAffectedRows === 1n;
};

/**
 * Runs a write that needs the lease of a delivery. If the write finds no ticket because the lease has expired,
 * revives the lease and runs the write again. Resolves to false if the lease is lost.
 */
const withLease = (tx: Tx, delivery: Delivery, run: (queue: string) => Promise<object>): Promise<boolean> =>
  inTx(tx, async () => {
    const queue = queueName(delivery);
    return isOne(await run(queue)) || ((await revive(tx, delivery)) && isOne(await run(queue)));
  });

/** The names of the queues, which are read once for all calls of `take` in one transaction. */
const namesOf = new WeakMap<Tx, Promise<readonly string[]>>();
const namesOnce = (tx: Tx): Promise<readonly string[]> => {
  const names = namesOf.get(tx) ?? queueNames(dbOf(tx));
  namesOf.set(tx, names);
  return names;
};

async function takeTickets(tx: Tx, request: TakeRequest): Promise<readonly Delivery[]> {
  const { slots, perClient, ofClients = new Map(), without = [], room } = request;
  const db = dbOf(tx);
  const names = await namesOnce(tx);
  const queues = queuesFor(request, names);
  const leaves = leaveTimes(request, queues);
  const limitOf = (clientId: string): number => ofClients.get(clientId) ?? perClient;
  const isCounted = Number.isFinite(perClient) || ofClients.size > 0;
  const counts = isCounted ? await countDeliveries(db, names) : new Map<string, number>();
  const fetches = fetchCounts(request.fetches);
  const devices = deviceCounts(request.devices);
  const locked = new Set<string>();
  const busy: string[] = [];
  const unsetTurns = new Map<string, number>();
  const deliveries: Delivery[] = [];
  let free = room?.free ?? 0;
  while (deliveries.length < slots) {
    const atLimit = [...counts].flatMap(([id, count]) => (count >= limitOf(id) ? [id] : []));
    const excluded = [...atLimit, ...without, ...busy];
    const next = await findNextTicket(db, {
      ...{ queues: devices.open(fetches.open(queues)), excluded, excludedFromFetch: fetches.fullClients() },
      ...{ leaves, unsetTurns },
      ...(room && { room: { ...room, free } }),
      ...(request.onBlocked && { onBlocked: request.onBlocked }),
    });
    if (next === undefined) break;
    if (Number.isFinite(limitOf(next.clientId)) && !locked.has(next.clientId)) {
      const count = await lockDeliveries(db, names, next.clientId);
      // Another transaction is taking tickets of this client. Skip the client now; the next poll looks at it again.
      if (count === undefined) busy.push(next.clientId);
      else counts.set(next.clientId, count);
      locked.add(next.clientId);
      continue;
    }
    const key = queueRequirements(next.queue);
    if (key === undefined) break;
    const { jobId, clientId, weight } = next;
    const requirements = { ...key, weight };
    if (room !== undefined) free -= weightIn(room, requirements);
    if (free < 0) break;
    const handed = await handOut(db, next);
    if (handed === undefined) break;
    if (!handed.isTurnSet) unsetTurns.set(clientId, (unsetTurns.get(clientId) ?? 0) + 1);
    fetches.add(next.queue, clientId);
    devices.add(next.queue);
    deliveries.push({ jobId, clientId, receipt: handed.receipt, ...requirements });
    counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
    // The queues have no other ticket for this worker, so do not search again. A ticket that is added later wakes
    // the worker.
    if (next.isOnly) break;
  }
  return deliveries;
}

/** Returns whether any queue has a ticket that can be handed out. */
async function hasTickets(reader: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${BOSS_QUEUES} queue cross join lateral (
        select from ${BOSS_JOBS} j
        where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after <= ${BOSS_NOW}
        -- In the order of an index, which ends at the first. Otherwise all may be read.
        order by j.priority desc, j.created_on limit 1
      ) as first
    ) as found`.execute(reader);
  return rows[0]?.found === true;
}

const bossJob = ({ jobId, clientId, priority, weight }: Ticket) => ({
  id: jobId,
  priority,
  group: { id: clientId },
  ...(weight !== ONE_SLOT && { data: { weight } }),
});

const isOne = (response: object): boolean => 'affected' in response && response.affected === 1;
