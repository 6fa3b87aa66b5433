import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { explainPostgresError, isOutage, type outageReason, outageWatch } from './outages.ts';

/** How long a request waits for a connection of the pool, or for a new one. */
export const CONNECT_MS = 5000;

/** After this time without a reply the connection is given up: the network may drop packets without notice. */
const REPLY_MS = 15_000;

/** How long a connection is idle before the system checks that the server still answers. */
export const KEEP_ALIVE_MS = 10_000;

/** The server ends an idle transaction after this time, so that a stopped process holds no locks. */
const IDLE_TRANSACTION_MS = 10_000;

/** The same limit for a migration or a move, which reads the other database in between. */
const PATIENT_IDLE_TRANSACTION_MS = 300_000;

/** How often the pool checks whether a read-only server accepts writes again. */
const WRITABLE_CHECK_MS = 1000;

/** The object identifier of bigint. Its values here are ranks and counts, which fit into a number. */
const BIGINT = 20;

export interface PoolOptions {
  /** A connection string (postgres://…). */
  readonly url: string;
  readonly connections: number;
  /** Whether statements may take any time, such as in a migration. */
  readonly isPatient?: boolean;
  /** Called with the reason when the database cannot be used any more, and with undefined when it can be used again. */
  readonly onOutage: (reason: ReturnType<typeof outageReason> | undefined) => void;
}

/** Opens a pool of connections for Kysely. Its errors come from `explainPostgresError`. Connects on first use. */
export function openPool({ url, connections, isPatient = false, onOutage }: PoolOptions): PostgresPool {
  const outages = outageWatch(onOutage);
  /** The count of outages when each connection began. */
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
    // Sends a query while earlier ones of the connection run.
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
  /** Notices that a server accepts writes again. Read-only statements do not show that. */
  const checkWritable = async (client: PoolClient): Promise<void> => {
    if (!outages.isReadOnly() || performance.now() - checkedAt < WRITABLE_CHECK_MS) return;
    checkedAt = performance.now();
    const { rows } = await client.query(`select current_setting('transaction_read_only') = 'off' as "isWritable"`);
    if (rows[0]?.isWritable === true) outages.writable();
  };
  // The server may end an idle connection. The next query shows whether it can be reached.
  pool.on('error', () => {});
  // A connection in use reports its loss here too, besides rejecting its query. Without a listener, Node would exit.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: config,
    async connect() {
      const calledAt = outages.count();
      const client = await pool.connect().catch((error) => fail(calledAt, error));
      await checkWritable(client).catch(() => {});
      const since = begunOf(client);
      let isBroken = false;
      /** Whether the last query failed. Its reply may lack the status of the transaction, which the server sends later. */
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
      // After an outage, each connection is replaced, because only later connections show whether the outage is over.
      const giveBack = (): void =>
        client.release(isBroken || since !== outages.count() || client.getTransactionStatus() !== 'I');
      // pg-boss sends whole transactions as one text, whose failure leaves the connection in the failed transaction.
      // The empty query returns the status: a needless ROLLBACK would be a warning in the server's log.
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
