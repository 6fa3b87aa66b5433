import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import {
  isInBin,
  type StorageSize,
  type StoredFile,
  type StoredFiles,
} from '@telecine/contract/domain/stored-files.ts';
import type { FileStore, Lease, Leases } from './ports.ts';

interface SumDeps {
  readonly stored: Pick<StoredFiles, 'due' | 'replace'>;
  readonly store: Pick<FileStore, 'walk'>;
  readonly rootOf: (clientId: string) => Promise<MediaRoot>;
  /** Returns the same text for media roots with the same files. */
  readonly folderOf: (root: MediaRoot) => string;
  /** Ensures that only one process at a time adds up. */
  readonly lease: Lease;
  readonly leases: Pick<Leases, 'take'>;
  readonly stopping: AbortSignal;
  readonly onFailure: (failure: { readonly clientId: string; readonly err: unknown }) => void;
}

/** How often a media root is added up at most. One that takes longer is added up less often, so that all sums take a hundredth of the time. */
const MIN_SECONDS = 60;
const SHARE = 100;

/** A service that is killed keeps the lease for so long. It is renewed after each folder. */
const LEASE_SECONDS = 60;

/**
 * Adds up the files and the bin of the clients that are due: what other programs have stored or deleted, and what a crash has left uncounted. Clients
 * with one media root have one sum. A failure of one does not stop the others. Call this every few seconds.
 */
export async function sumStorage(deps: SumDeps): Promise<void> {
  const { stored, store, rootOf, folderOf, lease, leases, stopping, onFailure } = deps;
  const take = () => leases.take(lease, LEASE_SECONDS);
  if (!(await take())) return;
  const due = await Promise.all(
    (await stored.due()).map(async (one) => {
      const root = await rootOf(one.clientId);
      return { ...one, root, folder: folderOf(root) };
    }),
  );
  for (const clients of Map.groupBy(due, ({ folder }) => folder).values()) {
    const [first] = clients;
    if (first === undefined) continue;
    try {
      const startMs = performance.now();
      const sum = await addUp(store.walk(first.root, '', stopping), take);
      if (sum === undefined) return;
      const seconds = Math.max(MIN_SECONDS, ((performance.now() - startMs) / 1000) * SHARE);
      for (const one of clients) await stored.replace(one, sum, seconds);
    } catch (err) {
      if (stopping.aborted) return;
      onFailure({ clientId: first.clientId, err });
      for (const one of clients) await stored.replace(one, undefined, MIN_SECONDS);
    }
  }
}

/** Adds up the files of a walk. `take` renews the lease. undefined: another service has it now. */
async function addUp(
  walk: AsyncIterable<readonly StoredFile[]>,
  take: () => Promise<boolean>,
): Promise<StorageSize | undefined> {
  const sum = { files: 0, bin: 0 };
  let takenMs = performance.now();
  for await (const files of walk) {
    for (const file of files) sum[isInBin(file) ? 'bin' : 'files'] += file.bytes;
    if (performance.now() - takenMs < (LEASE_SECONDS * 1000) / 3) continue;
    if (!(await take())) return undefined;
    takenMs = performance.now();
  }
  return sum;
}
