import { sql } from 'kysely';
import type { AuditStore } from '../audit/ports.ts';
import type { ClientStore, RefreshStore, SessionStore, SigningKeyStore } from '../auth/ports.ts';
import type { JobStatus } from '../domain/states.ts';
import type { StoredFiles } from '../domain/stored-files.ts';
import type { FileChecks, Leases, UploadStore, UsedLinks } from '../files/ports.ts';
import type {
  BatchStore,
  ChangeLog,
  DependencyStore,
  IdempotencyStore,
  JobHistoryStore,
  OutputExpiries,
  OutputUploads,
  UsageStore,
} from '../jobs/ports/job-records.ts';
import type { JobStore } from '../jobs/ports/job-store.ts';
import type { Transactions } from '../jobs/ports/transactions.ts';
import type { OwnRecipes } from '../recipes/ports.ts';
import type { WebhookEndpoints, WebhookOutbox } from '../webhooks/ports.ts';
import type { CatalogueStore, QueueControl, TaskStore, WorkerStore } from '../workers/ports.ts';
import { auditStore } from './audit.ts';
import { batchStore } from './batches.ts';
import { changeLog } from './change-log.ts';
import { clientStore } from './clients.ts';
import { refreshStore, sessionStore, signingKeyStore } from './credentials.ts';
import { dependencyStore } from './dependencies.ts';
import { idempotencyStore } from './idempotency.ts';
import { jobHistory } from './job-history.ts';
import { jobStore } from './jobs.ts';
import { leaseStore } from './leases.ts';
import { migrationsOf } from './migrate.ts';
import { outputExpiries } from './output-expiries.ts';
import { outputUploads } from './output-uploads.ts';
import { ownRecipes } from './own-recipes.ts';
import { queueControl } from './queue-control.ts';
import { resumableUploads } from './resumable-uploads.ts';
import { storedFiles } from './stored-files.ts';
import { taskStore } from './tasks.ts';
import type { Database } from './transaction/database.ts';
import { usageStore } from './usage.ts';
import { usedLinks } from './used-links.ts';
import { webhookEndpoints } from './webhooks/endpoints.ts';
import { webhookOutbox } from './webhooks/outbox.ts';
import { catalogueStore, workerStore } from './workers.ts';

/** An open database with its repositories. */
export interface Store {
  /** For the queue's engine, which keeps its tickets in the same database. */
  readonly database: Database;
  readonly transactions: Transactions;
  readonly jobs: JobStore;
  readonly changeLog: ChangeLog;
  readonly dependencies: DependencyStore;
  readonly batches: BatchStore;
  readonly idempotency: IdempotencyStore;
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly sessions: SessionStore;
  readonly signingKeys: SigningKeyStore;
  readonly outputUploads: OutputUploads;
  readonly outputExpiries: OutputExpiries;
  readonly workers: WorkerStore;
  readonly catalogues: CatalogueStore;
  readonly queueControl: QueueControl;
  readonly tasks: TaskStore;
  readonly leases: Leases;
  readonly usage: UsageStore;
  readonly jobHistory: JobHistoryStore;
  readonly storedFiles: StoredFiles & FileChecks;
  readonly audit: AuditStore;
  readonly resumableUploads: UploadStore;
  readonly usedLinks: UsedLinks;
  readonly ownRecipes: OwnRecipes;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookOutbox: WebhookOutbox;
  /** The migrations of this version, in order. `at`: when the database was migrated; absent if it was not. */
  migrations(): Promise<readonly { readonly name: string; readonly at?: string }[]>;
  /** The number of jobs by status, and of clients. Reads the whole table. */
  counts(): Promise<{ readonly jobs: Readonly<Partial<Record<JobStatus, number>>>; readonly clients: number }>;
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
  changeLog: changeLog(database),
  dependencies: dependencyStore(database),
  batches: batchStore(database),
  idempotency: idempotencyStore(database),
  clients: clientStore(database),
  refreshTokens: refreshStore(database),
  sessions: sessionStore(database),
  signingKeys: signingKeyStore(database),
  leases: leaseStore(database),
  usage: usageStore(database),
  jobHistory: jobHistory(database),
  storedFiles: storedFiles(database),
  audit: auditStore(database),
  outputUploads: outputUploads(database),
  outputExpiries: outputExpiries(database),
  workers: workerStore(database),
  catalogues: catalogueStore(database),
  queueControl: queueControl(database),
  tasks: taskStore(database),
  resumableUploads: resumableUploads(database),
  usedLinks: usedLinks(database),
  ownRecipes: ownRecipes(database),
  webhookEndpoints: webhookEndpoints(database),
  webhookOutbox: webhookOutbox(database),
  counts: async () => {
    const { reader } = database;
    const count = () => sql<number>`cast(count(*) as integer)`.as('count');
    const jobs = await reader
      .selectFrom('jobs')
      .select(['status', count()])
      .groupBy('status')
      .orderBy('status')
      .execute();
    const clients = await reader.selectFrom('clients').select(count()).executeTakeFirstOrThrow();
    return { jobs: Object.fromEntries(jobs.map((row) => [row.status, row.count])), clients: clients.count };
  },
  migrations: () => migrationsOf(database.reader),
  installationId: async () =>
    (await database.reader.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id,
});
