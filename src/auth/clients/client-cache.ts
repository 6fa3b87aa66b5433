import type { ClientRecord } from '../ports.ts';
import { isFresh } from '../token-ttl.ts';

/** How long a cached record is used. A revocation by another process takes effect after this time. */
const TRUSTED_MS = 1000;

/** The cached record of a client, shared by all its tokens. */
export interface CachedClient {
  /** The client id, or the external subject, by which the client is found. */
  readonly key: string;
  record: ClientRecord | undefined;
  /** When the read began, in milliseconds since 1970. */
  readAt: number;
  reading: Promise<void> | undefined;
}

export interface ClientCache {
  of(key: string): CachedClient;
  isFresh(entry: CachedClient, at: number): boolean;
  /** Reads the record again. Concurrent calls share one read. */
  read(entry: CachedClient): Promise<void>;
}

/**
 * Caches client records. `find` reads the client with a key. A key without a client is not cached, so the number of
 * clients limits the size of the cache.
 */
export function createClientCache(
  find: (key: string) => Promise<ClientRecord | undefined>,
  now: () => number,
): ClientCache {
  const all = new Map<string, CachedClient>();

  async function read(entry: CachedClient): Promise<void> {
    const startedAt = now();
    entry.record = await find(entry.key);
    entry.readAt = startedAt;
    if (entry.record === undefined) all.delete(entry.key);
  }

  return {
    of(key) {
      let entry = all.get(key);
      if (entry === undefined) {
        entry = { key, record: undefined, readAt: Number.NEGATIVE_INFINITY, reading: undefined };
        all.set(key, entry);
      }
      return entry;
    },
    isFresh: (entry, at) => isFresh(entry.readAt, at, TRUSTED_MS),
    read(entry) {
      entry.reading ??= read(entry).finally(() => {
        entry.reading = undefined;
      });
      return entry.reading;
    },
  };
}
