import type { StoredFiles, WithRoom } from '../../packages/contract/src/domain/stored-files.ts';

/** Counts nothing, for tests that are not about the quota of storage. */
export const UNCOUNTED: StoredFiles = {
  reserve: async () => {},
  settle: async () => {},
  add: async () => {},
  used: async () => 0,
  records: async () => 0,
  due: async () => [],
  replace: async () => {},
};

/** There is no bin that could make room. */
export const WITHOUT_BIN: WithRoom = (_owner, reserve) => reserve();
