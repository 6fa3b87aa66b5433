import type { ClientStore, RefreshStore, SigningKeyStore } from '../auth/ports.ts';
import type { IdempotencyStore, JobStore, Transactions } from '../jobs/ports.ts';
import { clientStore } from './clients.ts';
import { idempotencyStore } from './idempotency.ts';
import { jobStore } from './jobs.ts';
import { refreshStore } from './refresh-tokens.ts';
import { signingKeyStore } from './signing-keys.ts';
import type { Database } from './transaction/database.ts';

/** An open database with its repositories. */
export interface Store {
  /** For the queue's engine, which keeps its tickets in the same database. */
  readonly database: Database;
  readonly transactions: Transactions;
  readonly jobs: JobStore;
  readonly idempotency: IdempotencyStore;
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly signingKeys: SigningKeyStore;
  /** The id of this database. A copy has the same. */
  installationId(): Promise<string>;
  /** Rejects if the store cannot read or cannot commit. */
  ping(): Promise<void>;
  /** Finishes queued transactions first. */
  close(): Promise<void>;
}

/** The repositories on a database. */
export const repositories = (database: Database): Omit<Store, 'ping' | 'close'> => ({
  database,
  transactions: database.transactions,
  jobs: jobStore(database),
  idempotency: idempotencyStore(database),
  clients: clientStore(database),
  refreshTokens: refreshStore(database),
  signingKeys: signingKeyStore(database),
  installationId: async () =>
    (await database.reader.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id,
});
