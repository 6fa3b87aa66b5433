import { manyWatchedFilesContract } from '../contracts/many-watched-files.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { watchedDisksContract } from '../contracts/watched-disks.ts';

watchedDisksContract(sqlite);
manyWatchedFilesContract(sqlite);
