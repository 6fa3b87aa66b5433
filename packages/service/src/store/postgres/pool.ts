import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { explainPostgresError, isOutage, type outageReason, outageWatch } from './outages.ts';

/** The maximum time that a request waits for a connection of the pool, or for a new connection. */
export const CONNECT_MS = 5000;

/** A connection is closed if it gets no reply for this time, because a network may drop packets without an error. */
const REPLY_MS = 15_000;

/** The idle time of a connection after which the operating system checks that the server still answers. */
export const KEEP_ALIVE_MS = 10_000;

/** The server ends a transaction that is idle for this time, so that a stopped process holds no locks. */
const IDLE_TRANSACTION_MS = 10_000;

/**
 * The idle time after which the server ends a transaction of a migration or a move. It is longer, because a move reads
 * the other database meanwhile.
 */
const PATIENT_IDLE_TRANSACTION_MS = 300_000;

/** How often the pool checks whether a read-only server accepts writes again. */
const WRITABLE_CHECK_MS = 1000;

/** The object identifier of the type bigint. The values in this database are ranks and counts, which a JavaScript number can represent. */
const BIGINT = 20;

export interface PoolOptions {
  /** A connection string (postgres://…). */
  readonly url: string;
  readonly connections: number;
  /** Whether statements have no time limit, as a migration needs it. */
  readonly isPatient?: boolean;
  /** Called when an outage begins, with the reason, and when it ends, with undefined. */
  readonly onOutage: (reason: ReturnType<typeof outageReason> | undefined) => void;
}

/** Opens a pool of connections for Kysely. The pool connects at its first use. Errors are converted by `explainPostgresError`. */
export function openPool({ url, connections, isPatient = false, onOutage }: PoolOptions): PostgresPool {
  const outages = outageWatch(onOutage);
  /** For each connection, the count of outages when it began to connect. */
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
    // Send a query while earlier queries of the same connection still run.
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
  /** Checks whether a read-only server accepts writes again. Statements that only read do not show that. */
  const checkWritable = async (client: PoolClient): Promise<void> => {
    if (!outages.isReadOnly() || performance.now() - checkedAt < WRITABLE_CHECK_MS) return;
    checkedAt = performance.now();
    const { rows } = await client.query(`select current_setting('transaction_read_only') = 'off' as "isWritable"`);
    if (rows[0]?.isWritable === true) outages.writable();
  };
  // Ignore this error: the server may end an idle connection. The next query shows whether the server can be reached.
  pool.on('error', () => {});
  // Ignore this error: a connection in use also rejects its query when it is lost. Without a listener, Node would exit.
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
       * Whether the last query failed. In this case, the known transaction status may be old, because the server sends
       * the status later.
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
      // Close connections from before the last change of an outage, because only newer connections show whether the
      // outage is over.
      const giveBack = (): void =>
        client.release(isBroken || since !== outages.count() || client.getTransactionStatus() !== 'I');
      // pg-boss sends a whole transaction as one text. If it fails, the connection stays in the failed transaction. The
      // empty query reads the status first, because an unneeded ROLLBACK writes a warning to the log of the server.
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
