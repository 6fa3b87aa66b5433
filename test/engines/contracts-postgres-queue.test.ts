import { contractsOnPostgres } from '../contracts/postgres.ts';
import { queueContract } from '../contracts/queue.ts';

// A file of its own, which runs beside the other suites: leases take their time.
contractsOnPostgres([queueContract]);
