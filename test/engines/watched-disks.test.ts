import { contractsOnPostgres } from '../contracts/postgres.ts';
import { watchedDisksContract } from '../contracts/watched-disks.ts';

contractsOnPostgres([watchedDisksContract]);
