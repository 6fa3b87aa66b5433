import { afterAll } from 'vitest';
import { clientsContract } from '../contracts/clients.ts';
import { idempotencyContract } from '../contracts/idempotency.ts';
import { jobsContract } from '../contracts/jobs.ts';
import { keysContract } from '../contracts/keys.ts';
import { postgres } from '../contracts/postgres.ts';
import { queueContract } from '../contracts/queue.ts';
import { refreshContract } from '../contracts/refresh.ts';
import { transactionsContract } from '../contracts/transactions.ts';

afterAll(postgres.stop);

for (const contract of [
  transactionsContract,
  jobsContract,
  queueContract,
  idempotencyContract,
  clientsContract,
  refreshContract,
  keysContract,
])
  contract(postgres);
