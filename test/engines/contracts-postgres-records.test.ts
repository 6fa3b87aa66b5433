import { auditContract } from '../contracts/audit.ts';
import { changeLogContract } from '../contracts/change-log.ts';
import { clientsContract } from '../contracts/clients.ts';
import { jobHistoryContract } from '../contracts/job-history.ts';
import { jobMetadataContract } from '../contracts/job-metadata.ts';
import { jobSearchContract } from '../contracts/job-search.ts';
import { measuredKindsContract } from '../contracts/measured-kinds.ts';
import { operatorsContract } from '../contracts/operators.ts';
import { outputUploadsContract } from '../contracts/output-uploads.ts';
import { ownRecipesContract } from '../contracts/own-recipes.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';
import { resumableUploadsContract } from '../contracts/resumable-uploads.ts';
import { sessionsContract } from '../contracts/sessions.ts';
import { sharesContract } from '../contracts/shares.ts';
import { storedFilesContract } from '../contracts/stored-files.ts';
import { usageContract } from '../contracts/usage.ts';
import { workersContract } from '../contracts/workers.ts';

contractsOnPostgres([
  jobHistoryContract,
  jobMetadataContract,
  jobSearchContract,
  changeLogContract,
  clientsContract,
  measuredKindsContract,
  workersContract,
  operatorsContract,
  outputUploadsContract,
  auditContract,
  resumableUploadsContract,
  usageContract,
  storedFilesContract,
  sharesContract,
  ownRecipesContract,
  sessionsContract,
]);
