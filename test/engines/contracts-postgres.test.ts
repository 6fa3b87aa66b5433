import { auditContract } from '../contracts/audit.ts';
import { batchesContract } from '../contracts/batches.ts';
import { changeLogContract } from '../contracts/change-log.ts';
import { clientsContract } from '../contracts/clients.ts';
import { dependenciesContract } from '../contracts/dependencies.ts';
import { idempotencyContract } from '../contracts/idempotency.ts';
import { jobEndContract } from '../contracts/job-end.ts';
import { jobHistoryContract } from '../contracts/job-history.ts';
import { jobMetadataContract } from '../contracts/job-metadata.ts';
import { jobsContract } from '../contracts/jobs.ts';
import { keysContract } from '../contracts/keys.ts';
import { leasesContract } from '../contracts/leases.ts';
import { operatorsContract } from '../contracts/operators.ts';
import { outputUploadsContract } from '../contracts/output-uploads.ts';
import { ownRecipesContract } from '../contracts/own-recipes.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';
import { refreshContract } from '../contracts/refresh.ts';
import { resumableUploadsContract } from '../contracts/resumable-uploads.ts';
import { sessionsContract } from '../contracts/sessions.ts';
import { storedFilesContract } from '../contracts/stored-files.ts';
import { submissionsContract } from '../contracts/submissions.ts';
import { transactionsContract } from '../contracts/transactions.ts';
import { usageContract } from '../contracts/usage.ts';
import { usedLinksContract } from '../contracts/used-links.ts';
import { webhooksContract } from '../contracts/webhooks.ts';
import { workersContract } from '../contracts/workers.ts';

contractsOnPostgres([
  transactionsContract,
  jobsContract,
  jobEndContract,
  jobHistoryContract,
  jobMetadataContract,
  dependenciesContract,
  batchesContract,
  changeLogContract,
  idempotencyContract,
  submissionsContract,
  clientsContract,
  refreshContract,
  keysContract,
  leasesContract,
  webhooksContract,
  workersContract,
  operatorsContract,
  outputUploadsContract,
  auditContract,
  resumableUploadsContract,
  usageContract,
  storedFilesContract,
  usedLinksContract,
  ownRecipesContract,
  sessionsContract,
]);
