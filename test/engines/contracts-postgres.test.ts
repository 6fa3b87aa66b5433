import { batchesContract } from '../contracts/batches.ts';
import { chunksContract } from '../contracts/chunks.ts';
import { dependenciesContract } from '../contracts/dependencies.ts';
import { idempotencyContract } from '../contracts/idempotency.ts';
import { jobEndContract } from '../contracts/job-end.ts';
import { jobsContract } from '../contracts/jobs.ts';
import { keysContract } from '../contracts/keys.ts';
import { leasesContract } from '../contracts/leases.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';
import { refreshContract } from '../contracts/refresh.ts';
import { submissionsContract } from '../contracts/submissions.ts';
import { transactionsContract } from '../contracts/transactions.ts';
import { watchesContract } from '../contracts/watches.ts';
import { webhooksContract } from '../contracts/webhooks.ts';

contractsOnPostgres([
  transactionsContract,
  jobsContract,
  jobEndContract,
  dependenciesContract,
  batchesContract,
  chunksContract,
  idempotencyContract,
  submissionsContract,
  refreshContract,
  keysContract,
  leasesContract,
  watchesContract,
  webhooksContract,
]);
