import type { Watch, WatchedCounts, WatchedFile } from '../../packages/contract/src/domain/watch.ts';
import { NO_WATCHED_FILES } from '../../packages/contract/src/domain/watch.ts';
import type { DryRunJobs } from '../../packages/service/src/watches/dry-run-watch.ts';
import type { WatchDeps } from '../../packages/service/src/watches/watch-deps.ts';
import { type WatchOperations, watchOperations } from '../../packages/service/src/watches/watch-operations.ts';

interface StoredWatches {
  readonly counts?: Partial<WatchedCounts>;
  readonly files?: readonly WatchedFile[];
  /** Called with each watch that is made. */
  readonly onAdd?: (watch: Watch) => void;
  readonly folders?: Pick<WatchDeps['folders'], 'list'>;
  readonly ledger?: Partial<WatchDeps['ledger']>;
}

/** The operations on one stored watch, and on a folder without files. No request is rejected. */
export function operationsOn(watch: Watch, of: StoredWatches = {}): WatchOperations {
  const deps = {
    watches: {
      list: async () => [watch],
      get: async () => watch,
      counts: async () => ({ ...NO_WATCHED_FILES, ...of.counts }),
      add: async (added: Watch) => {
        of.onAdd?.(added);
        return true;
      },
      update: async (_watchId: string, change: (stored: Watch) => Watch) => change(watch),
      remove: async () => true,
    },
    ledger: { list: async () => of.files ?? [], retry: async () => 3, ...of.ledger },
    folders: of.folders ?? { list: async () => [] },
    now: () => new Date('2026-01-31T12:00:00.000Z'),
  } as unknown as WatchDeps;
  const jobs = { dryRun: async () => ({ warnings: [] }), usage: async () => ({ slots: 1 }) } as unknown as DryRunJobs;
  return watchOperations(deps, jobs);
}
