import type { JobStatus } from '@telecine/contract/domain/states.ts';
import { auditStore } from './audit.ts';
import { batchStore } from './batches.ts';
import { changeLog } from './change-log.ts';
import { chunkStore } from './chunks.ts';
import { clientStore } from './clients.ts';
import { refreshStore, sessionStore, signingKeyStore } from './credentials.ts';
import { dependencyStore } from './dependencies.ts';
import { idempotencyStore } from './idempotency-keys.ts';
import { jobHistory } from './job-history.ts';
import { jobTexts } from './job-texts.ts';
import { jobStore } from './jobs.ts';
import { leaseStore } from './leases.ts';
import { measuredKinds } from './measured-kinds.ts';
import { migrationsOf, pendingMigrations } from './migrate.ts';
import { outputExpiries } from './output-expiries.ts';
import { outputUploads } from './output-uploads.ts';
import { ownRecipes } from './own-recipes.ts';
import { countOfRows } from './queries.ts';
import { queueControl } from './queue-control.ts';
import { resumableUploads } from './resumable-uploads.ts';
import { shareStore } from './shares.ts';
import { storedFiles } from './storage-size.ts';
import { taskStore } from './tasks.ts';
import type { Database } from './transaction/database.ts';
import { usageStore } from './usage.ts';
import { watchLedger, watchStore } from './watches.ts';
import { webhookEndpoints } from './webhooks/endpoints.ts';
import { webhookOutbox } from './webhooks/outbox.ts';
import { catalogueStore, workerStore } from './workers.ts';

export type Store = ReturnType<typeof repositories> & {
  /** Rejects if the database cannot be read or cannot commit. */
  ping(): Promise<void>;
  /** Finishes queued transactions and closes the database. */
  close(): Promise<void>;
};

export const repositories = (database: Database) => ({
  /** For the engine of the queue, which keeps its tickets in the same database. */
  database,
  transactions: database.transactions,
  jobs: jobStore(database),
  changeLog: changeLog(database),
  dependencies: dependencyStore(database),
  batches: batchStore(database),
  chunks: chunkStore(database),
  idempotency: idempotencyStore(database),
  clients: clientStore(database),
  refreshTokens: refreshStore(database),
  sessions: sessionStore(database),
  signingKeys: signingKeyStore(database),
  leases: leaseStore(database),
  usage: usageStore(database),
  jobHistory: jobHistory(database),
  jobTexts: jobTexts(database),
  storedFiles: storedFiles(database),
  audit: auditStore(database),
  outputUploads: outputUploads(database),
  outputExpiries: outputExpiries(database),
  workers: workerStore(database),
  catalogues: catalogueStore(database),
  measuredKinds: measuredKinds(database),
  queueControl: queueControl(database),
  tasks: taskStore(database),
  resumableUploads: resumableUploads(database),
  shares: shareStore(database),
  ownRecipes: ownRecipes(database),
  watches: watchStore(database),
  watchLedger: watchLedger(database),
  webhookEndpoints: webhookEndpoints(database),
  webhookOutbox: webhookOutbox(database),
  /** Returns the number of jobs by status, and the number of clients. Reads the whole table of jobs. */
  counts: async () => {
    const { reader } = database;
    const jobs = reader.selectFrom('jobs').select(['status', countOfRows]).groupBy('status').orderBy('status');
    const clients = await reader.selectFrom('clients').select(countOfRows).executeTakeFirstOrThrow();
    const byStatus: Partial<Record<JobStatus, number>> = {};
    for (const { status, count } of await jobs.execute()) byStatus[status] = count;
    return { jobs: byStatus, clients: clients.count };
  },
  /** See `migrationsOf`. */
  migrations: () => migrationsOf(database.reader),
  /** See `pendingMigrations`. */
  pendingMigrations: () => pendingMigrations(database.reader),
  /** Returns the id of this database. Copies of a database have the same id. */
  installationId: async () =>
    (await database.reader.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id,
});
