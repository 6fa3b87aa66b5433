import { setTimeout as delay } from 'node:timers/promises';
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

/** How long a sum waits until it is stored, so that changes are counted that it has seen, but that were not counted yet. */
const SETTLE_MS = 1000;

/** A service that is killed keeps the lease for so long. */
const LEASE_SECONDS = 60;

/**
 * Adds up the files and the bin of the clients that are due: what other programs have stored or deleted, and what a crash has left uncounted. Clients
 * with one media root have one sum. A failure of one does not stop the others. Call this every few seconds.
 */
export async function sumStorage(deps: SumDeps): Promise<void> {
  const { stored, store, rootOf, folderOf, lease, leases, stopping, onFailure } = deps;
  const take = () => leases.take(lease, LEASE_SECONDS);
  if (!(await take())) return;
  const storing: Promise<void>[] = [];
  const renewing = setInterval(() => void take().catch(() => false), (LEASE_SECONDS * 1000) / 3);
  try {
    const due = await Promise.all(
      (await stored.due()).map(async (one) => {
        const root = await rootOf(one.clientId);
        return { ...one, root, folder: folderOf(root) };
      }),
    );
    for (const clients of Map.groupBy(due, ({ folder }) => folder).values()) {
      const [first] = clients;
      if (first === undefined) continue;
      const failed = (err: unknown): undefined => {
        if (!stopping.aborted) onFailure({ clientId: first.clientId, err });
      };
      const startMs = performance.now();
      const sum = await addUp(store.walk(first.root, '', stopping)).catch(failed);
      if (stopping.aborted) return;
      const seconds = Math.max(MIN_SECONDS, ((performance.now() - startMs) / 1000) * SHARE);
      const replaceAll = async (): Promise<void> => {
        await delay(SETTLE_MS, undefined, { signal: stopping });
        for (const one of clients) await stored.replace(one, sum, seconds);
      };
      storing.push(replaceAll().catch(failed));
    }
  } finally {
    await Promise.all(storing);
    clearInterval(renewing);
  }
}

async function addUp(walk: AsyncIterable<readonly StoredFile[]>): Promise<StorageSize> {
  const sum = { files: 0, bin: 0 };
  for await (const files of walk) for (const file of files) sum[isInBin(file) ? 'bin' : 'files'] += file.bytes;
  return sum;
}
