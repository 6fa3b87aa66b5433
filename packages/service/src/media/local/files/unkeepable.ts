import { UNWRITABLE } from '../../errno-codes.ts';

/** errno codes of a full disk, of a file on another disk than a folder of the service, and of a folder in which the service cannot write. */
export const UNKEEPABLE: readonly string[] = ['ENOSPC', 'EDQUOT', 'EXDEV', 'EBUSY', 'ENAMETOOLONG', ...UNWRITABLE];
