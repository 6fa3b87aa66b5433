import type { CountedFile, RecountFiles, StoredFiles } from '../../packages/contract/src/domain/stored-files.ts';
import type { OtherCounts } from '../../packages/service/src/files/other-counts.ts';

/** Counts nothing, for tests that are not about the quota of storage. */
export const UNCOUNTED: StoredFiles & { readonly recount: RecountFiles } = {
  reserve: async (_clientId, _path, { most }) => most,
  release: async () => {},
  count: async () => {},
  used: async () => 0,
  records: async () => 0,
  find: async () => [],
  findOf: async () => [],
  findClientsBelow: async () => [],
  below: async () => [],
  correct: async () => [],
  settle: async () => true,
  recount: async () => {},
};

/** No other client counts a file. */
export const NO_OTHERS: OtherCounts = {
  find: async () => [],
  change: () => ({ begin: async () => {}, end: async () => {} }),
};

/** Lists counted files as the store does, in the order of `files`. */
export const pagesOf =
  (files: readonly CountedFile[]): StoredFiles['below'] =>
  async (_clientId, folder, limit, after) => {
    const below = files.filter(({ path }) => path.startsWith(folder));
    const first = after === undefined ? 0 : below.findIndex(({ path }) => path === after) + 1;
    return below.slice(first, first + limit);
  };
