import { auditContract } from '../contracts/audit.ts';
import { batchesContract } from '../contracts/batches.ts';
import { changeLogContract } from '../contracts/change-log.ts';
import { clientsContract } from '../contracts/clients.ts';
import { dependenciesContract } from '../contracts/dependencies.ts';
import type { Engine } from '../contracts/engine.ts';
import { idempotencyContract } from '../contracts/idempotency.ts';
import { jobEndContract } from '../contracts/job-end.ts';
import { jobMetadataContract } from '../contracts/job-metadata.ts';
import { jobsContract } from '../contracts/jobs.ts';
import { keysContract } from '../contracts/keys.ts';
import { leasesContract } from '../contracts/leases.ts';
import { operatorsContract } from '../contracts/operators.ts';
import { outputUploadsContract } from '../contracts/output-uploads.ts';
import { queueContract } from '../contracts/queue.ts';
import { refreshContract } from '../contracts/refresh.ts';
import { resumableUploadsContract } from '../contracts/resumable-uploads.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { submissionsContract } from '../contracts/submissions.ts';
import { transactionsContract } from '../contracts/transactions.ts';
import { usageContract } from '../contracts/usage.ts';
import { webhooksContract } from '../contracts/webhooks.ts';
import { workersContract } from '../contracts/workers.ts';

const ENGINES: readonly Engine[] = [sqlite];

for (const engine of ENGINES) {
  transactionsContract(engine);
  jobsContract(engine);
  jobEndContract(engine);
  jobMetadataContract(engine);
  dependenciesContract(engine);
  batchesContract(engine);
  changeLogContract(engine);
  queueContract(engine);
  idempotencyContract(engine);
  submissionsContract(engine);
  clientsContract(engine);
  refreshContract(engine);
  keysContract(engine);
  leasesContract(engine);
  webhooksContract(engine);
  workersContract(engine);
  operatorsContract(engine);
  outputUploadsContract(engine);
  auditContract(engine);
  resumableUploadsContract(engine);
  usageContract(engine);
}
