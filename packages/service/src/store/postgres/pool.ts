import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { explainPostgresError, isOutage, type outageReason, outageWatch } from './outages.ts';

/** The maximum time that a request waits for a connection of the pool, or for a new connection. */
export const CONNECT_MS = 5000;

/** A connection that gets no reply for this time is closed. A network may drop packets without an error. */
const REPLY_MS = 15_000;

/** After this idle time, the operating system checks whether the server still answers. */
export const KEEP_ALIVE_MS = 10_000;

/** The server ends a transaction that is idle for this time, so that a process that hangs holds no locks. */
const IDLE_TRANSACTION_MS = 10_000;

/**
 * The idle time after which the server ends a transaction of a migration or a move. It is longer, because a move reads
 * the other database meanwhile.
 */
const PATIENT_IDLE_TRANSACTION_MS = 300_000;

/** How often the pool checks whether a read-only server accepts writes again. */
const WRITABLE_CHECK_MS = 1000;

/**
 * PostgreSQL's number for the type bigint. The bigints of this database are ranks and counts, which fit into a
 * JavaScript number.
 */
const BIGINT = 20;

export interface PoolOptions {
  /** A connection string (postgres://…). */
  readonly url: string;
  readonly connections: number;
  /** true: statements have no time limit, because those of a migration may take long. */
  readonly isPatient?: boolean;
  /** Called when an outage begins, with the reason, and when it ends, with undefined. */
  readonly onOutage: (reason: ReturnType<typeof outageReason> | undefined) => void;
}

/**
 * Opens a pool of connections for Kysely. The pool connects at its first use. Errors are converted by
 * `explainPostgresError`.
 */
export function openPool({ url, connections, isPatient = false, onOutage }: PoolOptions): PostgresPool {
  const outages = outageWatch(onOutage);
  /** For each connection, the count of outages at the time when it began to connect. */
  const begun = new WeakMap<object, number>();
  const begunOf = (client: object): number => begun.get(client) ?? 0;
  class WatchedClient extends Client {
    constructor(options?: string | ClientConfig) {
      super(options);
      begun.set(this, outages.count());
    }
  }
  const config: PoolConfig = {
    Client: WatchedClient,
    connectionString: url,
    application_name: 'telecine',
    max: connections,
    // Send a query even if earlier queries of the same connection have not returned.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === BIGINT ? Number : types.getTypeParser(oid, format as 'text'),
    },
    idle_in_transaction_session_timeout: isPatient ? PATIENT_IDLE_TRANSACTION_MS : IDLE_TRANSACTION_MS,
    ...(isPatient ? {} : { query_timeout: REPLY_MS, statement_timeout: REPLY_MS }),
  };
  const pool = new Pool(config);
  const fail = (since: number, error: unknown): never => {
    outages.failed(since, error);
    throw explainPostgresError(error);
  };
  let checkedAt = Number.NEGATIVE_INFINITY;
  /**
   * If the server was read-only, checks with a write whether it accepts writes again. A successful read would not show
   * that.
   */
  const checkWritable = async (client: PoolClient): Promise<void> => {
    if (!outages.isReadOnly() || performance.now() - checkedAt < WRITABLE_CHECK_MS) return;
    checkedAt = performance.now();
    const { rows } = await client.query(`select current_setting('transaction_read_only') = 'off' as "isWritable"`);
    if (rows[0]?.isWritable === true) outages.writable();
  };
  // Ignore this error: the server may end an idle connection at any time. The next query shows whether the server can
  // be reached.
  pool.on('error', () => {});
  // Ignore this error: when a connection in use is lost, its query is rejected too. Without a listener, Node would
  // exit.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: config,
    async connect() {
      const calledAt = outages.count();
      const client = await pool.connect().catch((error) => fail(calledAt, error));
      await checkWritable(client).catch(() => {});
      const since = begunOf(client);
      let isBroken = false;
      /**
       * true: the last query failed, so the transaction status may be outdated, because the server sends it later than
       * the error.
       */
      let isStatusOld = false;
      const query = async (text: string, values: readonly unknown[]) => {
        try {
          const result = await client.query(text, values as unknown[]);
          outages.succeeded(since);
          isStatusOld = false;
          return result;
        } catch (error) {
          isBroken ||= !(error instanceof DatabaseError) || isOutage(error);
          isStatusOld = true;
          return fail(since, error);
        }
      };
      // Close connections that were opened before an outage began or ended: only newer ones show whether the outage is
      // over.
      const giveBack = (): void =>
        client.release(isBroken || since !== outages.count() || client.getTransactionStatus() !== 'I');
      // After a failure, roll back if the connection is still in a transaction: pg-boss sends a whole transaction as
      // one text. The empty query reads the status first, because an unneeded ROLLBACK writes a warning to the log of
      // the server.
      const endTransaction = async (): Promise<void> => {
        await client.query('');
        if (client.getTransactionStatus() !== 'I') await client.query('rollback');
      };
      const release = (): void => {
        if (isBroken || !isStatusOld) giveBack();
        else endTransaction().then(giveBack, () => client.release(true));
      };
      return { query, release } as unknown as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}
