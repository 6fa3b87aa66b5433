import { manyWatchedFilesContract } from '../contracts/many-watched-files.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';
import { watchedDisksContract } from '../contracts/watched-disks.ts';

contractsOnPostgres([watchedDisksContract, manyWatchedFilesContract]);
