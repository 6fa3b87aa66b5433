import type { StoredFiles } from '../../src/domain/stored-files.ts';

/** Counts nothing, for tests that are not about the quota of storage. */
export const UNCOUNTED: StoredFiles = { count: async () => {}, forget: async () => {}, used: async () => 0 };
