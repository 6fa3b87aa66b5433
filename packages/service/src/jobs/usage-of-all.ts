import {
  type ClientLimitChanges,
  type ClientLimits,
  dayOf,
  mergeClientLimits,
  nextDay,
} from '@telecine/contract/domain/client-limits.ts';
import { nextOffset, readOffset } from '@telecine/contract/wire/paging.ts';
import type { ClientUse, TotalUse, UsageStore } from './ports/job-records.ts';
import type { MediaStore } from './ports/media-store.ts';

interface ListedUsage extends Omit<ClientUse, 'limits'> {
  /** The limit `storage` of the client, in bytes. */
  readonly storageLimit?: number;
}

/** What all clients use of the storage and of their quotas. */
export interface UsageOfAll {
  readonly day: string;
  readonly resetsAt: string;
  /** The disk of the media root. `otherBytes`: what is used and counts for no client. Absent if media are not on a disk. */
  readonly disk?: { readonly totalBytes: number; readonly freeBytes: number; readonly otherBytes: number };
  readonly total: TotalUse;
  readonly clients: readonly ListedUsage[];
  readonly nextCursor?: string;
}

/** Reads a page of the usage of all clients. Throws INVALID_REQUEST for a wrong cursor. */
export async function readUsageOfAll(
  {
    usage,
    media,
    defaultLimits,
    now,
  }: {
    readonly usage: Pick<UsageStore, 'ofAll'>;
    readonly media: Pick<MediaStore, 'diskSpace'>;
    readonly defaultLimits: ClientLimits;
    readonly now: () => Date;
  },
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<UsageOfAll> {
  const at = now().toISOString();
  const offset = readOffset(cursor);
  const [{ clients, total }, space] = await Promise.all([
    usage.ofAll(dayOf(at), { limit, offset }),
    media.diskSpace?.(),
  ]);
  const next = nextOffset(offset + clients.length, total.clients);
  return {
    ...{ day: dayOf(at), resetsAt: nextDay(at), total },
    ...(space !== undefined && {
      disk: {
        totalBytes: space.usedBytes + space.freeBytes,
        freeBytes: space.freeBytes,
        // The sizes of files are not exactly what they take on the disk.
        otherBytes: Math.max(0, space.usedBytes - total.storedBytes - total.binBytes),
      },
    }),
    clients: clients.map(({ limits, ...one }) => ({ ...one, ...storageLimitOf(defaultLimits, limits) })),
    ...(next !== undefined && { nextCursor: next }),
  };
}

function storageLimitOf(defaults: ClientLimits, own: ClientLimitChanges | undefined): { storageLimit?: number } {
  const { storage } = mergeClientLimits(defaults, own);
  return storage === undefined ? {} : { storageLimit: storage };
}
